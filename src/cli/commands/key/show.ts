import { amountCounted } from '../../../chain/review/check-limits.ts';
import { limitsSomething, ownerInWords, type Policy } from '../../../chain/review/policy.ts';
import { isFailure } from '../../../core/failure.ts';
import { readKeyPolicy } from '../../../flows/policy/key-policy.ts';
import { openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { PolicySubject } from '../../../keystore/policy.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { required, stringArg } from '../../command/options.ts';
import { gateOf } from '../../profiles/gate.ts';
import { kindOf, nameOf, type Selection } from '../../profiles/selection.ts';
import { listSettings } from '../../profiles/show.ts';
import { answerOf, NAME } from './shared.ts';

/** An object with one property, or an empty one, so that a key without a policy shows no empty fields. */
const ifSome = <K extends string, T>(name: K, value: T, isSome: boolean): Partial<Record<K, T>> =>
  (isSome ? { [name]: value } : {}) as Partial<Record<K, T>>;

/** Warns instead of failing: a broken setting of a profile must not hide a key. */
const warnOnFailure = async <T>(cli: CommandContext, work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error)) throw error;
    await cli.warn(error.message);
    return undefined;
  }
};

/** Each daily limit and the amount that the last 24 hours used, on real chains or on those of the sandbox. */
const dailyLimitsOf = async (cli: CommandContext, subject: PolicySubject) => {
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

const profileRules = (selection: Selection | undefined) => {
  const { policy, pins = [] } = selection?.settings ?? {};
  const hasRules = limitsSomething(policy) || pins.length > 0;
  return {
    ...ifSome('profile', selection && nameOf(selection), hasRules),
    ...ifSome('profile_policy', policy, limitsSomething(policy)),
    ...ifSome('pins', pins, pins.length > 0),
  };
};

const addressRules = async (cli: CommandContext, { chain, address }: StoredKey) => {
  if (address === undefined) return {};
  const own = await warnOnFailure(cli, readKeyPolicy(cli.io, { chain, address }));
  const policy: Policy = own?.policy ?? {};
  const limits = (await warnOnFailure(cli, dailyLimitsOf(cli, { chain, address }))) ?? [];
  return {
    ...ifSome('policy', { sealed: own?.isSealed, ...policy }, limitsSomething(policy)),
    ...ifSome('limits', limits, limits.length > 0),
  };
};

/** `key show`. */
export const show: Command = {
  words: ['key', 'show'],
  summary: 'Show the chain, address, file and policy of a key, never its secret',
  about: ['Also shows the policy and the pins of the profile in use, and the used part of each daily limit.'],
  arguments: [NAME],
  examples: ['key show treasury', 'key show treasury --json --fields address'],
  run: async (cli, given) => {
    const { NAME: wanted } = required({ NAME: stringArg(given, 'name') });
    const stored = await openKeystore(cli.io).find(wanted);
    const facts = answerOf(stored);
    const rules = { ...(await addressRules(cli, stored)), ...profileRules(await warnOnFailure(cli, cli.selection())) };
    const rows = Object.fromEntries(listSettings(rules).map(({ setting, value }) => [setting, value]));
    await cli.printResult({ ...facts, ...rules }, { ...facts, ...rows });
    if (stored.address === undefined)
      await cli.printNote(`The file has no address. bursar key passwd ${stored.name} writes it there.`);
  },
};
