import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ended } from '../support/bursar.ts';
import { leftoversIn } from '../support/crash.ts';
import { fewAtATime, inGroups } from '../support/few-at-a-time.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { type CrashYard, moving, type Saver, startCrashYard } from '../support/yield-crash.ts';

type Operation = 'deposit' | 'withdraw' | 'single' | 'dual';
type Way = 'service' | 'node';
type Call = 'build' | 'send' | 'send#2';

/** In flight, the whole call is with the proxy when the process dies: it reaches the service or node, or is lost. */
type InFlight = `in flight:${Call}:${'lost' | 'reached'}`;

/** An operation that is killed somewhere: at an entry of its journal, or at a call of its own. */
type Case = { readonly operation: Operation; readonly way: Way; readonly place: Place | InFlight };

const STEPS = ['begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting', 'landed', 'settled'];
const SENDING = ['broadcasting', 'landed'];
const SECOND = ['signed_part#2', 'broadcasting#2', 'landed#2'];

/** How a line is torn does not depend on what is moved: one operation of one transaction shows it, and one of two. */
const momentsOf = (operation: Operation) =>
  (['before', 'torn', 'written', 'synced'] as const).filter(
    (moment) => moment !== 'torn' || operation === 'deposit' || operation === 'dual',
  );

const atSteps = (operation: Operation, steps: readonly string[]): readonly Place[] =>
  steps.flatMap((step) => momentsOf(operation).map((moment): Place => `journal:${step}:${moment}`));

const BUILT: Readonly<Record<Operation, string>> = {
  deposit: '/yield/deposit',
  withdraw: '/yield/withdraw',
  single: '/yield/rebalance',
  dual: '/yield/rebalance',
};

const SENT: Readonly<Record<Way, string>> = { service: '/yield/broadcast', node: 'sendTransaction' };

const pathOf = (operation: Operation, way: Way, call: Call): string =>
  call === 'build' ? BUILT[operation] : call.replace('send', SENT[way]);

const atCalls = (operation: Operation, way: Way, calls: readonly Call[]): readonly Case['place'][] =>
  calls.flatMap((call) => {
    const path = pathOf(operation, way, call);
    return [
      `call:${path}:before`,
      `in flight:${call}:lost`,
      `in flight:${call}:reached`,
      `call:${path}:answered`,
    ] as const;
  });

const of = (operation: Operation, way: Way, steps: readonly string[], calls: readonly Call[]): readonly Case[] =>
  [...atSteps(operation, steps), ...atCalls(operation, way, calls)].map((place) => ({ operation, way, place }));

/** Up to its sending an operation is the same by either way. */
const CASES: readonly Case[] = [
  ...(['deposit', 'withdraw', 'single'] as const).flatMap((operation) => [
    ...of(operation, 'service', STEPS, ['build', 'send']),
    ...of(operation, 'node', SENDING, ['send']),
  ]),
  ...of('dual', 'service', [...STEPS, ...SECOND], ['build', 'send', 'send#2']),
  ...of('dual', 'node', [...SENDING, ...SECOND], ['send', 'send#2']),
];

const WHAT: Readonly<Record<Operation, readonly ['deposit' | 'withdraw' | 'rebalance', string]>> = {
  deposit: ['deposit', 'USDC'],
  withdraw: ['withdraw', 'USDC'],
  single: ['rebalance', 'USDC'],
  dual: ['rebalance', 'EURC'],
};

/** Where the money is after exactly one of each: with provider_a, and with provider_b. */
const AFTER: Readonly<Record<Operation, readonly [string, string]>> = {
  deposit: ['3.996', '0.000'],
  withdraw: ['5.990', '0.000'],
  single: ['5.990', '4.000'],
  dual: ['5.990', '4.000'],
};

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

const commandOf = ({ operation, way }: Case, saver: Saver): readonly string[] => {
  const [verb, asset] = WHAT[operation];
  return [...moving(verb, saver, '4', asset), ...(way === 'node' ? ['--rpc-url', yard.rpcUrl] : [])];
};

const nameOf = ({ operation, way, place }: Case): string => `${operation} ${way} ${place}`;

/** Kills it while the call is under way, and only then lets the call through, or loses it. */
const killedInFlight = async (each: Case, saver: Saver): Promise<Ended> => {
  const [, call, what] = each.place.split(':') as [string, Call, 'lost' | 'reached'];
  const names = pathOf(each.operation, each.way, call === 'send#2' ? 'send' : call);
  let kill: () => void = () => undefined;
  const about = { wallet: saver.wallet, publicKey: saver.publicKey };
  const onCall = () => {
    kill();
    return what === 'reached';
  };
  if (call === 'send#2') yard.faults.set({ names, about });
  const trap = yard.faults.set({ names, about, onCall });
  const { child, ended } = yard.start(commandOf(each, saver));
  kill = () => child.kill('SIGKILL');
  const { code, ...said } = await ended;
  expect(trap.met(), `${nameOf(each)} came to its call`).toBe(1);
  return { code, ...said };
};

const kill = async (each: Case): Promise<Saver> => {
  const asset = WHAT[each.operation][1];
  const saver = await yard.saver(each.operation === 'deposit' ? [] : [[asset, '10']]);
  const { code, stdout } = each.place.startsWith('in flight:')
    ? await killedInFlight(each, saver)
    : await yard.bursar(commandOf(each, saver), killedAt(each.place as Place));
  expect(code, `${nameOf(each)} was killed: ${stdout}`).toBeNull();
  return saver;
};

const positionsOf = async ({ operation }: Case, saver: Saver) => {
  const asset = WHAT[operation][1];
  return [await yard.position(saver, 'provider_a', asset), await yard.position(saver, 'provider_b', asset)];
};

/** Before `begun` is a whole line there is no operation: nothing is left to do, and nothing was done. */
const neverBegan = ({ place }: Case): boolean => place === 'journal:begun:before' || place === 'journal:begun:torn';

const expected = (each: Case): readonly string[] => {
  if (!neverBegan(each)) return AFTER[each.operation];
  return [each.operation === 'deposit' ? '0.000' : '9.990', '0.000'];
};

/** So many that they are resumed before their blockhashes are over. */
const GROUPS = inGroups(CASES, 12);

const ALL = ['yield', 'resume', '--all', '--yes', '--timeout', '300'];

/**
 * Takes all up, twice. On a machine that is too slow for that the service alone settles nothing any more, and it is the
 * node's to tell: whether that was so.
 */
const resumeTwice = async (): Promise<boolean> => {
  const first = await yard.json(ALL);
  const isLate = first.code === 11;
  if (isLate) await yard.json(['sandbox', 'advance', '10m']);
  const last = isLate ? await yard.json([...ALL, '--rpc-url', yard.rpcUrl]) : first;
  expect(last.code, JSON.stringify(last.data, null, 1)).toBe(0);
  expect(await yard.json(ALL)).toEqual({ code: 0, data: [] });
  return isLate;
};

/** What expired of a rebalance in two is done by a deposit, which has a fee of one in a thousand. */
const asInTime = (position: string): string => (position === '3.996' ? '4.000' : position);

describe('an operation that is killed anywhere', () => {
  it.each(GROUPS.map((group, at) => [at + 1, group] as const))(
    'is done exactly once after yield resume --all, run twice; nothing is left open (%i)',
    async (_, cases) => {
      const savers = await fewAtATime(cases, kill);
      const isLate = await resumeTwice();

      const shown = await fewAtATime([...cases.entries()], async ([at, each]) => {
        const [from = '', to = ''] = await positionsOf(each, savers[at] as Saver);
        return [nameOf(each), [from, isLate && each.operation === 'dual' ? asInTime(to) : to]];
      });
      expect(shown).toEqual(cases.map((each) => [nameOf(each), expected(each)]));
      expect((await yard.json(['yield', 'list', '--open'])).data).toEqual([]);
      expect(await leftoversIn(yard.home)).toEqual([]);
    },
    180_000,
  );
});
