import { expect } from 'vitest';
import type { Case, SharedSandbox } from './crash.ts';
import { fewAtATime, inGroups } from './few-at-a-time.ts';
import { killedAt, type Place } from './kill-at.ts';
import type { Payer } from './payer.ts';
import { WAYS } from './ways-to-pay.ts';

const RESUME = ['pay', 'resume', '--all', '--yes', '--timeout', '300'];

const SENDING = ['reviewed', 'signed', 'executing', 'executed', 'ended'];

const STEPS: Readonly<Record<string, readonly string[]>> = {
  'pay run': ['begun', 'registering', 'registered', 'creating', 'created', ...SENDING],
  'pay execute --key': ['begun', ...SENDING],
  'pay execute --signed-transaction': ['begun', ...SENDING],
};

const CALLS: Readonly<Record<string, readonly string[]>> = {
  'pay run': ['intents-create-order', 'intents-create-transaction', 'execute/on-chain', '/status'],
  'pay execute --key': ['/status', 'execute/on-chain'],
  'pay execute --signed-transaction': ['/status', 'execute/on-chain'],
};

/**
 * The states of a step on the disk: complete, and for `pay run` also torn. After SIGKILL a written line is as good as
 * synced. A line that is not written yet is the same case as the end of the step or call before it, except for the first.
 */
const whenOf = (way: string, step: string) => {
  if (way !== 'pay run') return ['synced'] as const;
  return step === 'begun' ? (['before', 'torn', 'synced'] as const) : (['torn', 'synced'] as const);
};

/**
 * The moments of a call. Before it and after its answer the disk has what it has at the end of the step before, so that one
 * way to pay stands for all.
 */
const momentsOf = (way: string, path: string) =>
  way === 'pay run'
    ? ([`call:${path}:before`, `call:${path}:answered`, `in flight:${path}`] as const)
    : ([`in flight:${path}`] as const);

/** The place where a payment is killed; at `in flight` the service has read the call. */
export type Killing = { readonly way: string; readonly at: Place | `in flight:${string}` };

const killingsOf = (way: string): readonly Killing[] => [
  ...(STEPS[way] ?? []).flatMap((step) =>
    whenOf(way, step).map((when) => ({ way, at: `journal:${step}:${when}` as const })),
  ),
  ...(CALLS[way] ?? []).flatMap((path) => momentsOf(way, path).map((at) => ({ way, at }))),
];

/** `pay execute` reads the payment before it writes its first step. */
const neverStarted = ({ way, at }: Killing): boolean =>
  /^journal:begun:(?:before|torn)$/.test(at) || (way !== 'pay run' && at.includes(':/status'));

type KilledPayment = Killing & { readonly payer: Payer; readonly command: readonly string[] };

const prepare = async (testCase: Case, killing: Killing): Promise<KilledPayment> => {
  const payer = await testCase.another();
  return { ...killing, payer, command: (await WAYS[killing.way]?.(payer)) ?? [] };
};

const killInFlight = async (testCase: Case, { at, command }: KilledPayment): Promise<number | null> => {
  const path = at.replace('in flight:', '');
  const { child, ended } = testCase.start(command);
  testCase.proxy.set({ onRequest: (seen) => void (seen.path.includes(path) && child.kill('SIGKILL')) });
  const { code } = await ended;
  testCase.proxy.set({});
  return code;
};

const kill = async (testCase: Case, killing: KilledPayment): Promise<number | null> =>
  killing.at.startsWith('in flight')
    ? killInFlight(testCase, killing)
    : (await testCase.bursar(killing.command, killedAt(killing.at as Place))).code;

const nameOf = ({ way, at }: Killing): string => `${way}, ${at}`;

/** The killings of ways to pay, in groups that are large enough to keep a resume busy. */
export const killingGroups = (...ways: readonly string[]): readonly (readonly [number, readonly Killing[]])[] =>
  ways.flatMap((way) => inGroups(killingsOf(way), 18)).map((group, at) => [at + 1, group]);

const timesPaid = async (killed: readonly KilledPayment[]) =>
  fewAtATime(killed, async (killing) => [nameOf(killing), await killing.payer.timesPaid()]);

const expectedTimes = (killed: readonly KilledPayment[], times: (killing: KilledPayment) => number) =>
  killed.map((killing) => [nameOf(killing), times(killing)]);

/** Kills payments, resumes them all, and checks that each was made exactly once and that nothing is left behind. */
export const expectPaidOnce = async (sandbox: SharedSandbox, group: readonly Killing[]): Promise<void> => {
  const testCase = await sandbox.newCase({ isFunded: true });
  const killed = await fewAtATime(group, (killing) => prepare(testCase, killing));
  const [inFlight, others] = [true, false].map((isInFlight) =>
    killed.filter(({ at }) => at.startsWith('in flight') === isInFlight),
  );
  const codes = await fewAtATime(others ?? [], (killing) => kill(testCase, killing));
  // The proxy cannot see the payer of a call, so that these run one after another.
  for (const killing of inFlight ?? []) codes.push(await kill(testCase, killing));
  expect(codes).toEqual(killed.map(() => null));

  const { code, data } = await testCase.json(RESUME);
  expect(code, JSON.stringify(data)).toBe(0);
  const receipt = { status: 'success', tid_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), code: null };
  for (const row of data as readonly unknown[]) expect(row).toMatchObject(receipt);
  expect(await timesPaid(killed)).toEqual(expectedTimes(killed, (killing) => (neverStarted(killing) ? 0 : 1)));

  for (const { command } of killed.filter(neverStarted)) expect((await testCase.bursar(command)).code).toBe(0);
  expect(await testCase.json(RESUME)).toEqual({ code: 0, data: [] });
  expect(await timesPaid(killed)).toEqual(expectedTimes(killed, () => 1));
  expect(await testCase.leftovers()).toEqual([]);
};
