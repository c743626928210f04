import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ended } from './bursar.ts';
import { leftoversIn } from './crash.ts';
import { fewAtATime, inGroups } from './few-at-a-time.ts';
import { killedAt, type Place } from './kill-at.ts';
import { type CrashYard, moving, type Saver, startCrashYard } from './yield-crash.ts';

type Operation = 'deposit' | 'withdraw' | 'single' | 'dual' | 'one by one';
type Way = 'service' | 'node';
type Call = 'build' | 'send' | 'send#2';

/** In flight, the whole call is with the proxy when the process dies: it reaches the service or node, or is lost. */
type InFlight = `in flight:${Call}:${'lost' | 'reached'}`;

/** An operation that is killed somewhere: at an entry of its journal, or at a call of its own. */
export type Killing = { readonly operation: Operation; readonly way: Way; readonly place: Place | InFlight };

/**
 * How a step of the journal is left on the disk, and moments of a call. After SIGKILL a line that is written is as good
 * as synced, and one that is not begun is the end of the call or step before it; only before the first is there nothing.
 */
export const EVERY_MOMENT = ['torn', 'synced'] as const;
export const EVERY_PHASE = ['before', 'lost', 'reached', 'answered'] as const;

const BUILT: Readonly<Record<Operation, string>> = {
  deposit: '/yield/deposit',
  withdraw: '/yield/withdraw',
  single: '/yield/rebalance',
  dual: '/yield/rebalance',
  'one by one': '/yield/rebalance',
};

const SENT: Readonly<Record<Way, string>> = { service: '/yield/broadcast', node: 'sendTransaction' };

const pathOf = (operation: Operation, way: Way, call: Call): string =>
  call === 'build' ? BUILT[operation] : call.replace('send', SENT[way]);

export const killingsAtSteps = (
  operation: Operation,
  way: Way,
  steps: readonly string[],
  moments: readonly ('before' | (typeof EVERY_MOMENT)[number])[] = EVERY_MOMENT,
): readonly Killing[] =>
  steps.flatMap((step) =>
    moments.map((moment) => ({ operation, way, place: `journal:${step}:${moment}` }) satisfies Killing),
  );

export const killingsAtCalls = (
  operation: Operation,
  way: Way,
  calls: readonly Call[],
  phases: readonly (typeof EVERY_PHASE)[number][] = EVERY_PHASE,
): readonly Killing[] =>
  calls.flatMap((call) =>
    phases.map((phase): Killing => {
      const isInFlight = phase === 'lost' || phase === 'reached';
      const place = isInFlight
        ? (`in flight:${call}:${phase}` as const)
        : (`call:${pathOf(operation, way, call)}:${phase}` as const);
      return { operation, way, place };
    }),
  );

const WHAT: Readonly<Record<Operation, readonly ['deposit' | 'withdraw' | 'rebalance', string]>> = {
  deposit: ['deposit', 'USDC'],
  withdraw: ['withdraw', 'USDC'],
  single: ['rebalance', 'USDC'],
  dual: ['rebalance', 'EURC'],
  'one by one': ['rebalance', 'EURC'],
};

/** Where the money is after exactly one of each: with provider_a, and with provider_b. */
const AFTER: Readonly<Record<Operation, readonly [string, string]>> = {
  deposit: ['3.996', '0.000'],
  withdraw: ['5.990', '0.000'],
  single: ['5.990', '4.000'],
  dual: ['5.990', '4.000'],
  'one by one': ['5.990', '4.000'],
};

const nameOf = ({ operation, way, place }: Killing): string => `${operation} ${way} ${place}`;

const viaNode = ({ rpcUrl }: CrashYard, way: Way): readonly string[] => (way === 'node' ? ['--rpc-url', rpcUrl] : []);

const commandOf = (yard: CrashYard, { operation, way }: Killing, saver: Saver): readonly string[] => {
  const [verb, asset] = WHAT[operation];
  const more = operation === 'one by one' ? ['--one-by-one'] : [];
  return [...moving(verb, saver, '4', asset), ...more, ...viaNode(yard, way)];
};

/** Kills it while the call is under way, and only then lets the call through, or loses it. */
const killedInFlight = async (yard: CrashYard, each: Killing, saver: Saver): Promise<Ended> => {
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
  const { child, ended } = yard.start(commandOf(yard, each, saver));
  kill = () => child.kill('SIGKILL');
  const { code, ...said } = await ended;
  expect(trap.met(), `${nameOf(each)} came to its call`).toBe(1);
  return { code, ...said };
};

const kill = async (yard: CrashYard, each: Killing): Promise<Saver> => {
  const asset = WHAT[each.operation][1];
  const saver = await yard.saver(each.operation === 'deposit' ? [] : [[asset, '10']]);
  const { code, stdout } = each.place.startsWith('in flight:')
    ? await killedInFlight(yard, each, saver)
    : await yard.bursar(commandOf(yard, each, saver), killedAt(each.place as Place));
  expect(code, `${nameOf(each)} was killed: ${stdout}`).toBeNull();
  return saver;
};

/** Before `begun` is a whole line there is no operation: nothing is left to do, and nothing was done. */
const neverBegan = ({ place }: Killing): boolean => place === 'journal:begun:before' || place === 'journal:begun:torn';

const expected = (each: Killing): readonly string[] => {
  if (!neverBegan(each)) return AFTER[each.operation];
  return [each.operation === 'deposit' ? '0.000' : '9.990', '0.000'];
};

/** So many that they are resumed before their blockhashes are over. */
const AT_ONCE = 18;

const ALL = ['yield', 'resume', '--all', '--yes', '--timeout', '300'];

/**
 * Takes all up, twice. On a machine that is too slow for that the service alone settles nothing any more, and it is the
 * node's to tell: whether that may have been so.
 */
const resumeTwice = async (yard: CrashYard, way: Way): Promise<boolean> => {
  const first = await yard.json([...ALL, ...viaNode(yard, way)]);
  const isLate = first.code === 11;
  if (isLate) await yard.json(['sandbox', 'advance', '10m']);
  const last = isLate ? await yard.json([...ALL, ...viaNode(yard, 'node')]) : first;
  expect(last.code, JSON.stringify(last.data, null, 1)).toBe(0);
  expect(await yard.json([...ALL, ...viaNode(yard, way)])).toEqual({ code: 0, data: [] });
  return isLate || way === 'node';
};

/** What expired of a rebalance in two is done by a deposit, which has a fee of one in a thousand. */
const asInTime = (position: string): string => (position === '3.996' ? '4.000' : position);

const moneyOf = async (yard: CrashYard, { operation }: Killing, saver: Saver, isLate: boolean) => {
  const asset = WHAT[operation][1];
  const from = await yard.position(saver, 'provider_a', asset);
  const to = await yard.position(saver, 'provider_b', asset);
  return [from, isLate && asset === 'EURC' ? asInTime(to) : to];
};

/** Groups of killings, each resumed the one way, by the service or by a node; each is then done exactly once. */
export const describeKillings = (resumedBy: Readonly<Record<Way, readonly Killing[]>>): void => {
  let yard: CrashYard;

  beforeAll(async () => {
    yard = await startCrashYard();
  });

  afterAll(() => yard.end());

  describe.each(['service', 'node'] as const)('an operation that is killed anywhere, asked for at the %s', (way) => {
    it.each(inGroups(resumedBy[way], AT_ONCE).map((group, at) => [at + 1, group] as const))(
      'is done exactly once after yield resume --all, run twice; nothing is left open (%i)',
      async (_, killings) => {
        const savers = await fewAtATime(killings, (each) => kill(yard, each));
        const isLate = await resumeTwice(yard, way);

        const shown = await fewAtATime([...killings.entries()], async ([at, each]) => [
          nameOf(each),
          await moneyOf(yard, each, savers[at] as Saver, isLate),
        ]);
        expect(shown).toEqual(killings.map((each) => [nameOf(each), expected(each)]));
        expect(await leftoversIn(yard.home)).toEqual([]);
      },
      180_000,
    );

    it('leaves none open in the list', async () => {
      expect((await yard.json(['yield', 'list', '--open'])).data).toEqual([]);
    });
  });
};
