import { afterAll, beforeAll, expect, it } from 'vitest';
import { numbersFrom } from './decisions.ts';
import { bodyOf, type Comparison, fileNamesIn, filesWith, openComparison, operationsIn, SIGNING } from './judge.ts';
import type { CommandEnd, Script } from './judged.ts';

/*
 * Compares the simulator with the sandbox: the real program runs command lines on the real disk and the sandbox, and the
 * simulator runs the same lines. Without faults both must print the same and have the same journal.
 */

const LIVES = 200;

const RECEIVERS = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'];

const NODE = ['--rpc-url', 'SERVICE/_chain/polygon'];

/** Draws a life: payments one after another, some repeated, some resumed. */
const scriptFrom = (seed: number): Script => {
  const next = numbersFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const bodies: Record<string, string> = {};
  const commands: (readonly string[])[] = [];
  const payments = pick([1, 1, 1, 1, 1, 2, 3]);
  for (let payment = 0; payment < payments; payment += 1) {
    // The payer has 1,000,000 USDT, so that the larger amount is refused.
    const whole = next() < 0.06 ? 2_000_000 : 10 + payment;
    bodies[`payment-${payment}.json`] = bodyOf(`${whole}.${100 + Math.floor(next() * 900)}`, pick(RECEIVERS));
    const intent = next() < 0.5 ? `order-${payment}` : undefined;
    const pay = (body: number, key = intent): readonly string[] => [
      ...['pay', 'run', '--body', `HOME/payment-${body}.json`, '--key', 'payer', ...SIGNING],
      ...(key === undefined ? [] : ['--intent', key]),
      ...(next() < 0.5 ? NODE : []),
    ];
    commands.push(pay(payment));
    const after = next();
    if (after < 0.2) commands.push(pay(payment));
    else if (after < 0.3) commands.push(['pay', 'resume', '--all', ...SIGNING, ...(next() < 0.5 ? NODE : [])]);
    else if (after < 0.4 && payment > 0) commands.push(pay(0));
    else if (after < 0.5 && payment > 0) commands.push(pay(payment, 'order-0'));
  }
  return { files: filesWith(bodies), commands: [...commands, ['pay', 'list', '--json']], decisions: [] };
};

/** Replaces the parts that differ between two runs: ids, hashes, times, fees and the remaining funds of the payer. */
const comparable = (stdout: string): string =>
  stdout
    .replaceAll(/pay_[0-9a-f]+/g, 'PAYMENT')
    .replaceAll(/0x[0-9a-f]{64}/g, 'HASH')
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, 'OPERATION')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"fee_at_most": "[\d.]+ POL"/g, '"fee_at_most": "FEE"')
    // The receipts of the simulated chain have no fee.
    .replaceAll(/,\n *"fee_paid": "[\d.]+ POL"/g, '')
    .replaceAll(/payer has [\d.]+ USDT/g, 'payer has FUNDS')
    .replaceAll(/[\d.]+ USDT missing/g, 'SOME missing')
    .replaceAll(/at least [\d.]+ USDT(?: and [\d.]+ POL)?/g, 'at least SOME')
    .replaceAll(/--amount [\d.]+/g, '--amount SOME');

let comparison: Comparison;

beforeAll(async () => {
  comparison = await openComparison();
});

afterAll(() => comparison.end());

/** The parts of a command line's end that must be equal. */
const comparableOf = ({ code, stdout, journal, files }: CommandEnd) => ({
  ...{ code, stdout: comparable(stdout), operations: operationsIn(journal), files: fileNamesIn(files) },
});

const onSandbox = async ({ files, commands }: Script): Promise<readonly CommandEnd[]> => {
  const home = await comparison.newHome(files);
  const ended: CommandEnd[] = [];
  for (const args of commands) ended.push(await home.run(args));
  await home.remove();
  return ended;
};

it('a life without faults has the same output and journal in the simulator and on the sandbox', async () => {
  const scripts = Array.from({ length: LIVES }, (_, at) => scriptFrom(at + 1));
  const simulated = await comparison.simulate(scripts);
  const codes = new Set<number | null>();
  for (const [at, script] of scripts.entries()) {
    const real = await onSandbox(script);
    const name = `life ${at + 1}: ${JSON.stringify(script.commands)}`;
    expect(simulated[at]?.ended.map(comparableOf), name).toEqual(real.map(comparableOf));
    for (const { code } of real) codes.add(code);
  }
  // A success; an idempotency key of another payment; a review that refuses a payment above the funds.
  expect(codes).toEqual(new Set([0, 2, 10]));
}, 300_000);
