import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { payments } from '../../src/cli/help/topics/payments.ts';
import { scripts } from '../../src/cli/help/topics/scripts.ts';
import { type Ended, PROGRAM, runBursar, startBursar } from '../support/bursar.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { PAYMENT } from '../support/journey.ts';

const linesOf = ({ sections }: typeof payments, start: string): readonly string[] => {
  const found = sections.find(({ heading }) => heading.startsWith(start));
  return (found?.blocks ?? []).flatMap((block) => (block.kind === 'commands' ? block.lines : []));
};

/** Runs in its own bash, as CI does, without a terminal. */
const inBash = (home: string, lines: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
  const program = `bursar() { '${process.execPath}' '${PROGRAM}' "$@"; }`;
  const script = [program, `cd '${home}'`, 'set -euo pipefail', ...lines].join('\n');
  return startBursar(home, [], { under: ['bash', '-c', script], env: { CI: '1', ...env } }).ended;
};

const newFolder = async (): Promise<string> => {
  const home = await temporaryFolder();
  await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
  return home;
};

describe('the smoke test of help scripts', () => {
  const lines = linesOf(scripts, 'A smoke test');

  it('runs every flow in its own sandbox and ends with 0 when it is pasted unchanged', {
    timeout: 60_000,
  }, async () => {
    expect(await inBash(await newFolder(), lines)).toMatchObject({ code: 0 });
  });

  it('is in the README, line by line', async () => {
    const readme = await readFile('README.md', 'utf8');
    expect(readme).toContain(`\n${lines.join('\n')}\n`);
  });

  it.each([
    ['pay.execute payment_failed', 13],
    ['pay.execute 503', 11],
    ['pay.register 503', 13],
  ])('ends for the fault %s with %i', { timeout: 60_000 }, async (fault, code) => {
    const at = lines.findIndex((line) => line.startsWith('bursar smoke run'));
    const broken = lines.toSpliced(at, 0, `bursar sandbox fault ${fault} --quiet`);
    expect(linesOf(scripts, 'When the service')).toContain(`bursar sandbox fault ${fault}`);
    expect(await inBash(await newFolder(), broken)).toMatchObject({ code });
  });
});

it('the calls of help payments, one by one, complete the payment', { timeout: 60_000 }, async () => {
  const home = await newFolder();
  const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };
  await newEvmKey(home, 'treasury');
  await runBursar(home, ['sandbox', 'fund', 'treasury', '--chain', 'polygon'], { env });
  onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
  const { code, stdout, stderr } = await inBash(home, linesOf(payments, 'In crypto'), env);
  expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/^status\tsuccess\ntid_hash\t0x[0-9a-f]{64}$/m)]);
});
