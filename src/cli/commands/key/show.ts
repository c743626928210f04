import { amountCounted } from '../../../chain/review/check-limits.ts';
import { limitsSomething, ownerInWords, type Policy } from '../../../chain/review/policy.ts';
import { isFailure } from '../../../core/failure.ts';
import { readKeyPolicy } from '../../../flows/policy/key-policy.ts';
import { openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { PolicySubject } from '../../../keystore/policy/seal.ts';
import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { gateOf } from '../../profiles/gate.ts';
import { kindOf, nameOf, type Selection } from '../../profiles/selection.ts';
import { listSettings } from '../../profiles/show.ts';
import { NAME } from './shared.ts';

/** One limit of a day: how much of it the last 24 hours have taken, on real chains or on those of the sandbox. */
type Limit = {
  readonly policy: string;
  readonly setting: string;
  readonly world: 'live' | 'sandbox';
  readonly most: string;
  readonly counted: string;
};

/** Nothing but an empty object where there is nothing to show: a key without a policy is shown as before. */
const ifSome = <K extends string, T>(name: K, value: T, isSome: boolean): Partial<Record<K, T>> =>
  (isSome ? { [name]: value } : {}) as Partial<Record<K, T>>;

/** A broken setting of a profile must not hide a key. */
const orNothing = async <T>(cli: CommandContext, work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error)) throw error;
    await cli.warn(error.message);
    return undefined;
  }
};

const limitsOf = async (cli: CommandContext, subject: PolicySubject): Promise<readonly Limit[]> => {
  const [gate, own] = [await gateOf(cli, { isShown: true }), kindOf(await cli.selection())];
  const worlds = (['live', 'sandbox'] as const).map(async (world) => {
    const { policies } = await gate.inForce({ ...subject, kind: world }, { digest: '' });
    const here = policies.filter(({ owner }) => owner.kind === 'key' || world === own);
    return here.flatMap(({ owner, policy, moved }) =>
      Object.entries(policy.most_per_day ?? {}).map(([token, most]) => ({
        policy: ownerInWords(owner),
        setting: `most_per_day.${token}`,
        world,
        most,
        counted: amountCounted(moved, token),
      })),
    );
  });
  return (await Promise.all(worlds)).flat();
};

const ofProfile = (selection: Selection | undefined) => {
  const { policy, pins = [] } = selection?.settings ?? {};
  const isOfProfile = limitsSomething(policy) || pins.length > 0;
  return {
    ...ifSome('profile', selection && nameOf(selection), isOfProfile),
    ...ifSome('profile_policy', policy, limitsSomething(policy)),
    ...ifSome('pins', pins, pins.length > 0),
  };
};

const ofAddress = async (cli: CommandContext, { chain, address }: StoredKey) => {
  if (address === undefined) return {};
  const own = await orNothing(cli, readKeyPolicy(cli.io, { chain, address }));
  const policy: Policy = own?.policy ?? {};
  const limits = (await orNothing(cli, limitsOf(cli, { chain, address }))) ?? [];
  return {
    ...ifSome('policy', { sealed: own?.isSealed, ...policy }, limitsSomething(policy)),
    ...ifSome('limits', limits, limits.length > 0),
  };
};

/** `key show`. */
export const show: Command = {
  words: ['key', 'show'],
  summary: 'Show a key: its chain, address, file and policy, never its secret',
  about: ['With the policy and the pins of the profile in use, and how much of each limit of a day is taken.'],
  arguments: [NAME],
  examples: ['key show treasury', 'key show treasury --json --fields address'],
  run: async (cli, given) => {
    const { NAME: wanted } = required({ NAME: stringArg(given, 'name') });
    const stored = await openKeystore(cli.io).find(wanted);
    const { name, chain, address, path } = stored;
    const facts = { name, chain, address: address ?? null, path };
    const rules = { ...(await ofAddress(cli, stored)), ...ofProfile(await orNothing(cli, cli.selection())) };
    const rows = Object.fromEntries(listSettings(rules).map(({ setting, value }) => [setting, value]));
    await cli.printResult({ ...facts, ...rules }, { ...facts, ...rows });
  },
};
