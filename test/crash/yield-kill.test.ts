import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ended } from '../support/bursar.ts';
import { type CrashYard, fewAtATime, killedAt, moving, type Saver, startCrashYard } from '../support/yield-crash.ts';

type Operation = 'deposit' | 'withdraw' | 'single' | 'dual';
type Way = 'service' | 'node';

/** An operation that is killed somewhere: at an entry of its journal, or while a call of its own is under way. */
type Case = { readonly operation: Operation; readonly way: Way; readonly place: string };

const STEPS = ['begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting', 'landed', 'settled'];
const MOMENTS = ['before', 'torn', 'written', 'synced'];

const placesIn = (steps: readonly string[], moments: readonly string[]): readonly string[] =>
  steps.flatMap((step) => moments.map((moment) => `${step}:${moment}`));

const ONCE = STEPS.map((step) => `${step}:1`);
const SECOND = ['signed_part:2', 'broadcasting:2', 'landed:2'];
const SENDING = ['broadcasting:1', 'landed:1'];

/** In flight: the call is with the service (or the node), and the process dies; `lost` calls never get through. */
const CALLS = ['call:build:lost', 'call:build:reached', 'call:send:lost', 'call:send:reached'];

const of = (operation: Operation, way: Way, places: readonly string[]): readonly Case[] =>
  places.map((place) => ({ operation, way, place }));

const CASES: readonly Case[] = [
  ...of('deposit', 'service', [...placesIn(ONCE, MOMENTS), ...CALLS]),
  ...of('deposit', 'node', [...placesIn(SENDING, MOMENTS), ...CALLS.slice(2)]),
  ...of('withdraw', 'service', [...placesIn(ONCE, ['synced']), ...CALLS]),
  ...of('withdraw', 'node', [...placesIn(SENDING, ['synced']), ...CALLS.slice(2)]),
  ...of('single', 'service', [...placesIn(ONCE, ['synced']), ...CALLS]),
  ...of('single', 'node', [...placesIn(SENDING, ['synced']), ...CALLS.slice(2)]),
  ...of('dual', 'service', [
    ...placesIn(SECOND, MOMENTS),
    ...placesIn(ONCE, ['synced']),
    ...CALLS,
    'call:send2:reached',
  ]),
  ...of('dual', 'node', [...placesIn([...SENDING, ...SECOND], ['synced']), ...CALLS.slice(2), 'call:send2:reached']),
];

const WHAT: Readonly<Record<Operation, readonly ['deposit' | 'withdraw' | 'rebalance', string]>> = {
  deposit: ['deposit', 'USDC'],
  withdraw: ['withdraw', 'USDC'],
  single: ['rebalance', 'USDC'],
  dual: ['rebalance', 'EURC'],
};

/** Where the money is after exactly one of each: with provider_a, and with provider_b. */
const AFTER: Readonly<Record<Operation, readonly [string, string]>> = {
  deposit: ['3.996', '0'],
  withdraw: ['5.99', '0'],
  single: ['5.99', '4'],
  dual: ['5.99', '4'],
};

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

const PATHS: Readonly<Record<Way, string>> = { service: '/yield/broadcast', node: 'sendTransaction' };

const commandOf = ({ operation, way }: Case, saver: Saver): readonly string[] => {
  const [verb, asset] = WHAT[operation];
  return [...moving(verb, saver, '4', asset), ...(way === 'node' ? ['--rpc-url', yard.rpcUrl] : [])];
};

/** Kills it while the call is under way, and only then lets the call through, or loses it. */
const killedInFlight = async (each: Case, saver: Saver): Promise<Ended> => {
  const [, call = '', what] = each.place.split(':');
  const names = call === 'build' ? `/yield/${WHAT[each.operation][0]}` : PATHS[each.way];
  let kill: () => void = () => undefined;
  const about = { wallet: saver.wallet, publicKey: saver.publicKey };
  const onCall = () => {
    kill();
    return what === 'reached';
  };
  if (call === 'send2') yard.faults.set({ names, about });
  const trap = yard.faults.set({ names, about, onCall });
  const running = yard.start(commandOf(each, saver));
  kill = () => running.child.kill('SIGKILL');
  const ended = await running.ended;
  expect(trap.met(), `${JSON.stringify(each)} came to its call`).toBe(1);
  return ended;
};

const kill = async (each: Case): Promise<Saver> => {
  const asset = WHAT[each.operation][1];
  const saver = await yard.saver(each.operation === 'deposit' ? [] : [[asset, '10']]);
  const { code, stdout } = each.place.startsWith('call:')
    ? await killedInFlight(each, saver)
    : await yard.start(commandOf(each, saver), killedAt(each.place)).ended;
  expect(code, `${JSON.stringify(each)} was killed: ${stdout}`).toBeNull();
  return saver;
};

const nameOf = ({ operation, way, place }: Case): string => `${operation} ${way} ${place}`;

const positionsOf = async ({ operation }: Case, saver: Saver) => {
  const asset = WHAT[operation][1];
  return [await yard.position(saver, 'provider_a', asset), await yard.position(saver, 'provider_b', asset)];
};

/** Before `begun` is a whole line there is no operation: nothing is left to do, and nothing was done. */
const neverBegan = ({ place }: Case): boolean => place === 'begun:1:before' || place === 'begun:1:torn';

const expected = (each: Case): readonly string[] => (neverBegan(each) ? ['0', '0'] : AFTER[each.operation]);

/** So many that they are resumed before their blockhashes are over. */
const AT_ONCE = 12;

const GROUPS = Array.from({ length: Math.ceil(CASES.length / AT_ONCE) }, (_, at) =>
  CASES.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
);

const ALL = ['yield', 'resume', '--all', '--yes', '--timeout', '300'];

/** On a machine that is too slow for that the service alone settles nothing any more: then it is the node's to tell. */
const resumeTwice = async (): Promise<void> => {
  const first = await yard.json(ALL);
  if (first.code === 11) {
    await yard.json(['sandbox', 'advance', '10m']);
    const later = await yard.json([...ALL, '--rpc-url', yard.rpcUrl]);
    expect(later.code, JSON.stringify(later.data, null, 1)).toBe(0);
  } else expect(first.code, JSON.stringify(first.data, null, 1)).toBe(0);
  expect(await yard.json(ALL)).toEqual({ code: 0, data: [] });
};

describe('an operation that is killed anywhere', () => {
  it.each(GROUPS.map((group, at) => [at + 1, group] as const))(
    'is done exactly once after yield resume --all, run twice; nothing is left open (%i)',
    async (_, cases) => {
      const savers = await fewAtATime(cases, kill);
      await resumeTwice();

      const shown = await fewAtATime([...cases.entries()], async ([at, each]) => [
        nameOf(each),
        await positionsOf(each, savers[at] as Saver),
      ]);
      expect(shown).toEqual(cases.map((each) => [nameOf(each), expected(each)]));
      expect((await yard.json(['yield', 'list', '--open'])).data).toEqual([]);
    },
    120_000,
  );
});
