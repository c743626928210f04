import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { fewAtATime, inGroups } from '../support/few-at-a-time.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import type { Payer } from '../support/payer.ts';
import { WAYS } from '../support/ways-to-pay.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

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
 * Each step as it leaves the disk: whole, and in one way to pay torn too. After SIGKILL a line that is written is as good
 * as synced, and one that is not begun is the end of the call or step before it; only before the first is there nothing.
 */
const whenOf = (way: string, step: string) => {
  if (way !== 'pay run') return ['synced'] as const;
  return step === 'begun' ? (['before', 'torn', 'synced'] as const) : (['torn', 'synced'] as const);
};

/** Where a way to pay is killed; `in flight` is when the service has read the call. */
type Killing = { readonly way: string; readonly at: Place | `in flight:${string}` };

const killingsOf = (way: string): readonly Killing[] => [
  ...(STEPS[way] ?? []).flatMap((step) =>
    whenOf(way, step).map((when) => ({ way, at: `journal:${step}:${when}` as const })),
  ),
  ...(CALLS[way] ?? []).flatMap((path) =>
    ([`call:${path}:before`, `call:${path}:answered`, `in flight:${path}`] as const).map((at) => ({ way, at })),
  ),
];

/** An execute alone reads the payment before it begins anything. */
const neverBegan = ({ way, at }: Killing): boolean =>
  /^journal:begun:(?:before|torn)$/.test(at) || (way !== 'pay run' && at.includes(':/status'));

type Killed = Killing & { readonly payer: Payer; readonly command: readonly string[] };

const made = async (one: Case, each: Killing): Promise<Killed> => {
  const payer = await one.another();
  return { ...each, payer, command: (await WAYS[each.way]?.(payer)) ?? [] };
};

const killInFlight = async (one: Case, { at, command }: Killed): Promise<number | null> => {
  const path = at.replace('in flight:', '');
  const { child, ended } = one.start(command);
  one.proxy.set({ onRequest: (seen) => void (seen.path.includes(path) && child.kill('SIGKILL')) });
  const { code } = await ended;
  one.proxy.set({});
  return code;
};

const kill = async (one: Case, each: Killed): Promise<number | null> =>
  each.at.startsWith('in flight')
    ? killInFlight(one, each)
    : (await one.bursar(each.command, killedAt(each.at as Place))).code;

const nameOf = ({ way, at }: Killing): string => `${way}, ${at}`;

/** So many that a resume has enough to do. */
const GROUPS = Object.keys(WAYS).flatMap((way) => inGroups(killingsOf(way), 18));

const timesPaid = async (killed: readonly Killed[]) =>
  fewAtATime(killed, async (each) => [nameOf(each), await each.payer.timesPaid()]);

const wanted = (killed: readonly Killed[], times: (each: Killed) => number) =>
  killed.map((each) => [nameOf(each), times(each)]);

describe('a payment that is killed with kill -9 anywhere', () => {
  it.each(GROUPS.map((group, at) => [at + 1, group] as const))(
    'and taken up again is made exactly once, and leaves nothing behind (%i)',
    async (_, group) => {
      const one = await sandbox.newCase({ isFunded: true });
      const killed = await fewAtATime(group, (each) => made(one, each));
      const [inFlight, others] = [true, false].map((is) =>
        killed.filter(({ at }) => at.startsWith('in flight') === is),
      );
      const codes = await fewAtATime(others ?? [], (each) => kill(one, each));
      // A call that is read has no name of its payer: one after the other, so that the right one is killed.
      for (const each of inFlight ?? []) codes.push(await kill(one, each));
      expect(codes).toEqual(killed.map(() => null));

      const { code, data } = await one.json(RESUME);
      expect(code, JSON.stringify(data)).toBe(0);
      const receipt = { status: 'success', tid_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), code: null };
      for (const row of data as readonly unknown[]) expect(row).toMatchObject(receipt);
      expect(await timesPaid(killed)).toEqual(wanted(killed, (each) => (neverBegan(each) ? 0 : 1)));

      for (const { command } of killed.filter(neverBegan)) expect((await one.bursar(command)).code).toBe(0);
      expect(await one.json(RESUME)).toEqual({ code: 0, data: [] });
      expect(await timesPaid(killed)).toEqual(wanted(killed, () => 1));
      expect(await one.leftovers()).toEqual([]);
    },
    180_000,
  );
});
