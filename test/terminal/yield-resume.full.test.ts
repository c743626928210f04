import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';
import { asked, forgetSignature, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  if (hasTerminal()) journey = await startYieldJourney();
});

afterAll(() => journey?.end());

const HASH = '[1-9A-HJ-NP-Za-km-z]{80,90}';

/** Runs a command that is killed at a step of its journal, and returns the open operation id. */
const killed = async (words: readonly string[], place: Place): Promise<string> => {
  const { env } = killedAt(place);
  await runBursar(journey.home, words, { env: { ...SANDBOX_ENV, ...env } });
  const { data } = await journey.json(['yield', 'list', '--open']);
  return String((data as unknown as { movement: string }[])[0]?.movement);
};

/** The command that sends bytes of another machine: the local journal has no record of the signature. */
const signed = async (amount: string): Promise<readonly string[]> => {
  const { data } = await journey.json([...asked('deposit', 'USDC', amount), '--sign']);
  await forgetSignature(journey);
  const stated = ['--kind', 'deposit', '--amount', amount, '--asset', 'USDC', '--provider', 'provider_a'];
  const bytes = ['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', String(data['signed_transaction'])];
  return [...bytes, ...stated, '--wallet', journey.wallet];
};

const held = async (asset = 'USDC') => Number(await journey.held(asset));

/** Resumes an operation at a terminal with a no, and then with a yes. */
const answered = async (id: string, question: RegExp): Promise<void> => {
  const terminal = openTerminal(journey.home, { columns: 160, rows: 60 }, SANDBOX_ENV);
  for (const [keys, exit] of [
    [['n', 'Enter'], 2],
    [['y', 'Enter'], 0],
  ] as const) {
    terminal.run(`clear; bursar yield resume ${id}; echo "exit=$?"`);
    await terminal.until(question);
    terminal.keys(...keys);
    const screen = await terminal.until(`exit=${exit}`);
    if (exit === 2) expect(screen).toContain('not confirmed; nothing was sent');
  }
};

describe.runIf(hasTerminal())('a resume with bytes that were signed and not sent', () => {
  it('asks about bytes that were signed elsewhere, and needs --yes without a terminal', async () => {
    const before = await held();
    const id = await killed([...(await signed('2')), '--yes'], 'journal:signed_part:synced');
    const alone = await journey.json(['yield', 'resume', id]);
    expect(alone).toMatchObject({ code: 8, data: { error: { next: `bursar yield resume ${id} --yes` } } });
    expect(await held()).toBe(before);
    await answered(
      id,
      new RegExp(`The transaction \\(${HASH}\\) was reviewed and signed\\.\\s+Send it \\(sandbox\\)\\?`),
    );
    expect(await held()).toBe(before - 2);
  });

  it('asks about the second transaction after the first has landed, and needs --yes without a terminal', async () => {
    await journey.json([...asked('deposit', 'EURC', '10'), '--broadcast', '--yes']);
    const start = await held('EURC');
    const moving = [...asked('rebalance', 'EURC', '3'), '--broadcast', '--one-by-one', '--yes'];
    const id = await killed(moving, 'journal:landed:synced');
    expect(await held('EURC')).toBe(start + 3);
    const alone = await journey.json(['yield', 'resume', id]);
    expect(alone).toMatchObject({
      code: 8,
      data: { error: { message: expect.stringMatching(/^The second transaction of "Move 3 EURC .* not sent yet/) } },
    });
    expect(await held('EURC')).toBe(start + 3);
    const which = 'The second transaction of "Move 3 EURC from provider_a to provider_b"';
    await answered(id, new RegExp(`${which}\\s+\\(${HASH}\\) was reviewed and signed\\.\\s+Send it \\(sandbox\\)\\?`));
    expect(await held('EURC')).toBe(start);
  });

  it('is exit 2 for bytes without a complete review, and leaves nothing open', async () => {
    const id = await killed([...(await signed('2')), '--yes'], 'journal:reviewed:synced');
    const resumed = await journey.json(['yield', 'resume', id, '--yes']);
    expect(resumed).toMatchObject({ code: 2, data: { error: { data: { movement: id } } } });
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
  });
});

describe.runIf(hasTerminal())('the question about bytes that were signed elsewhere', () => {
  const facts = ['--kind', 'deposit', '--amount', '2', '--asset', 'USDC'];

  it('names the unstated facts; a no and Ctrl-C send nothing, and a yes sends the bytes', async () => {
    const before = await held();
    const stated = await signed('2');
    const bytes = stated.slice(0, 6);
    const terminal = openTerminal(journey.home, { columns: 160, rows: 60 }, SANDBOX_ENV);
    for (const [keys, exit] of [
      [['n', 'Enter'], 10],
      [['C-c'], 130],
    ] as const) {
      terminal.run(`clear; bursar ${bytes.join(' ')} --yes; echo "exit=$?"`);
      const screen = await terminal.until(
        'Broadcast a transaction of 2 USDC on solana (sandbox)? Some checks need your confirmation.',
      );
      expect(screen).toContain('? The kind of operation is as the transaction says.');
      terminal.keys(...keys);
      await terminal.until(`exit=${exit}`);
    }
    expect(await held()).toBe(before);
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
    terminal.run(`clear; bursar ${bytes.join(' ')} ${facts.join(' ')}; echo "exit=$?"`);
    const screen = await terminal.until('Some checks need your confirmation.');
    expect(screen).toContain('? The wallet is as the transaction says.');
    terminal.keys('y', 'Enter');
    await terminal.until('exit=0');
    expect(await held()).toBe(before - 2);
  });

  it('is the plain question when all facts are stated, and `yes |` is no answer', async () => {
    const before = await held();
    const terminal = openTerminal(journey.home, { columns: 160, rows: 60 }, SANDBOX_ENV);
    const words = (await signed('2')).join(' ');
    terminal.run(`clear; yes | bursar ${words}; echo "exit=$?"`);
    await terminal.until('exit=2');
    terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
    await terminal.until('Broadcast a transaction of 2 USDC on solana (sandbox)?');
    terminal.keys('y', 'Enter');
    await terminal.until('exit=0');
    expect(await held()).toBe(before - 2);
  });
});
