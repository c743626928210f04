import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ended } from './bursar.ts';
import { fewAtATime, inGroups } from './few-at-a-time.ts';
import { killedAt, type Place } from './kill-at.ts';
import { type CrashYard, moving, type Saver, startCrashYard } from './yield-crash.ts';

type Operation = 'deposit' | 'withdraw' | 'single' | 'dual' | 'one by one';
type Way = 'service' | 'node';
type Call = 'build' | 'send' | 'send#2';

/** The proxy has the whole call when the process is killed, and then forwards it (`reached`) or drops it (`lost`). */
type InFlight = `in flight:${Call}:${'lost' | 'reached'}`;

/** An operation and the place where it is killed: a step of its journal, or one of its calls. */
export type Killing = { readonly operation: Operation; readonly way: Way; readonly place: Place | InFlight };

/**
 * States of a journal step on the disk, and phases of a call. `written` is left out, because SIGKILL loses no written line.
 * `before` a step equals the end of the call or step before it, so only the first step has it.
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

/** The command and the asset of each operation. */
const COMMANDS: Readonly<Record<Operation, readonly ['deposit' | 'withdraw' | 'rebalance', string]>> = {
  deposit: ['deposit', 'USDC'],
  withdraw: ['withdraw', 'USDC'],
  single: ['rebalance', 'USDC'],
  dual: ['rebalance', 'EURC'],
  'one by one': ['rebalance', 'EURC'],
};

/** The positions with provider_a and provider_b after the operation ran exactly once. */
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
  const [verb, asset] = COMMANDS[operation];
  const more = operation === 'one by one' ? ['--one-by-one'] : [];
  return [...moving(verb, saver, '4', asset), ...more, ...viaNode(yard, way)];
};

/** Kills the process during a call, and only then forwards or drops the call. */
const killedInFlight = async (yard: CrashYard, killing: Killing, saver: Saver): Promise<Ended> => {
  const [, call, phase] = killing.place.split(':') as [string, Call, 'lost' | 'reached'];
  const names = pathOf(killing.operation, killing.way, call === 'send#2' ? 'send' : call);
  let kill: () => void = () => undefined;
  const about = { wallet: saver.wallet, publicKey: saver.publicKey };
  const onCall = () => {
    kill();
    return phase === 'reached';
  };
  if (call === 'send#2') yard.faults.set({ names, about });
  const trap = yard.faults.set({ names, about, onCall });
  const { child, ended } = yard.start(commandOf(yard, killing, saver));
  kill = () => child.kill('SIGKILL');
  const { code, ...output } = await ended;
  expect(trap.met(), `${nameOf(killing)} made its call`).toBe(1);
  return { code, ...output };
};

const kill = async (yard: CrashYard, killing: Killing): Promise<Saver> => {
  const asset = COMMANDS[killing.operation][1];
  const saver = await yard.saver(killing.operation === 'deposit' ? [] : [[asset, '10']]);
  const { code, stdout } = killing.place.startsWith('in flight:')
    ? await killedInFlight(yard, killing, saver)
    : await yard.bursar(commandOf(yard, killing, saver), killedAt(killing.place as Place));
  expect(code, `${nameOf(killing)} was killed: ${stdout}`).toBeNull();
  return saver;
};

/** Whether the journal has no operation, because its first line `begun` is not whole. */
const hasNoOperation = ({ place }: Killing): boolean =>
  place === 'journal:begun:before' || place === 'journal:begun:torn';

const expectedPositions = (killing: Killing): readonly string[] => {
  if (!hasNoOperation(killing)) return AFTER[killing.operation];
  return [killing.operation === 'deposit' ? '0.000' : '9.990', '0.000'];
};

/** The size of a group. A larger one is resumed too late, after its blockhashes have expired. */
const GROUP_SIZE = 18;

const RESUME_ALL = ['yield', 'resume', '--all', '--yes', '--timeout', '300'];

/**
 * Resumes all operations twice. On a slow machine the blockhashes expire first, and the service alone then settles nothing. This
 * then moves the clock by 10 minutes and resumes by a node. Returns whether blockhashes may have expired.
 */
const resumeTwice = async (yard: CrashYard, way: Way): Promise<boolean> => {
  const first = await yard.json([...RESUME_ALL, ...viaNode(yard, way)]);
  const isLate = first.code === 11;
  if (isLate) await yard.json(['sandbox', 'advance', '10m']);
  const last = isLate ? await yard.json([...RESUME_ALL, ...viaNode(yard, 'node')]) : first;
  expect(last.code, JSON.stringify(last.data, null, 1)).toBe(0);
  expect(await yard.json([...RESUME_ALL, ...viaNode(yard, way)])).toEqual({ code: 0, data: [] });
  return isLate || way === 'node';
};

/** Removes the fee of 0.1 % from a position. An expired second transaction of a rebalance is replaced by a deposit with it. */
const withoutFee = (position: string): string => (position === '3.996' ? '4.000' : position);

const positionsOf = async (yard: CrashYard, { operation }: Killing, saver: Saver, isLate: boolean) => {
  const asset = COMMANDS[operation][1];
  const from = await yard.position(saver, 'provider_a', asset);
  const to = await yard.position(saver, 'provider_b', asset);
  return [from, isLate && asset === 'EURC' ? withoutFee(to) : to];
};

/** Defines the tests that kill operations, resume them by the service or by a node, and check that each ran exactly once. */
export const describeKillings = (resumedBy: Readonly<Record<Way, readonly Killing[]>>): void => {
  let yard: CrashYard;

  beforeAll(async () => {
    yard = await startCrashYard();
  });

  afterAll(() => yard.end());

  describe.each(['service', 'node'] as const)(
    'operations that are killed at any step or call and resumed by the %s',
    (way) => {
      it.each(inGroups(resumedBy[way], GROUP_SIZE).map((group, at) => [at + 1, group] as const))(
        'run exactly once after two runs of yield resume --all, and leave no file behind (group %i)',
        async (_, killings) => {
          const savers = await fewAtATime(killings, (killing) => kill(yard, killing));
          const isLate = await resumeTwice(yard, way);

          const positions = await fewAtATime([...killings.entries()], async ([at, killing]) => [
            nameOf(killing),
            await positionsOf(yard, killing, savers[at] as Saver, isLate),
          ]);
          expect(positions).toEqual(killings.map((killing) => [nameOf(killing), expectedPositions(killing)]));
          expect(await yard.journal.leftovers()).toEqual([]);
        },
        180_000,
      );

      it('leave no open operation in yield list', async () => {
        expect((await yard.json(['yield', 'list', '--open'])).data).toEqual([]);
      });
    },
  );
};
