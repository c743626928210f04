import type { KeyChain } from '../../contract/chains.ts';
import { amended, Failure } from '../../core/failure.ts';
import { commandLine, nextStep } from '../../core/next.ts';
import { once } from '../../core/once.ts';
import { isSameAddress } from '../../core/text.ts';
import type { SigningKey } from '../../flows/turn.ts';
import { walletOf } from '../../journal/intents.ts';
import type { OperationStart } from '../../journal/operation.ts';
import { KEY_FAMILIES } from '../../keystore/key.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { isPasswordAsked } from '../../keystore/password.ts';
import { lookUpPolicy } from '../../keystore/policy.ts';
import { assertKeyOf, type UnlockedKey, unlock } from '../../keystore/unlock.ts';
import type { CommandContext, ReadContext } from '../command/command.ts';
import { impliedPasswordSources, passwordSources } from '../command/key-options.ts';
import { type MissingReason, type ParsedArgs, stringArg } from '../command/options.ts';
import type { OperationArea } from './area.ts';

/** The name of a key, or the problem as the end of a sentence about --key. */
export type KeyChoice =
  | { readonly name: string; readonly problem?: never }
  | { readonly name?: never; readonly problem: MissingReason };

/** The names in BURSAR_KEY, separated by commas: one for each family of chains. */
export const namesInEnvironment = ({ env }: ReadContext['io']): readonly string[] =>
  (env['BURSAR_KEY'] ?? '').split(',').flatMap((name) => name.trim() || []);

const fromEnvironment = async (cli: Pick<ReadContext, 'io'>, chain: KeyChain): Promise<string | undefined> => {
  const [first, ...others] = namesInEnvironment(cli.io);
  if (first === undefined || others.length === 0) return first;
  const keystore = openKeystore(cli.io);
  for (const name of [first, ...others]) if ((await keystore.locate(name)).chain === chain) return name;
  return undefined;
};

const onlyKey = async (cli: ReadContext, chain: KeyChain): Promise<KeyChoice> => {
  const { words, name } = KEY_FAMILIES[chain];
  const keys = (await openKeystore(cli.io).list()).filter((key) => key.status === 'usable' && key.chain === chain);
  const [only, ...others] = keys.map((key) => key.name);
  if (only === undefined) {
    const first = nextStep('key.new', name, chain);
    return { problem: { message: `required, and there is no key for ${words}: ${commandLine(first)}`, first } };
  }
  if (others.length > 0) {
    return { problem: { message: `required, for there are several: ${[only, ...others].join(', ')}` } };
  }
  await cli.printNote(`key: ${only}, the only one for ${words}`);
  return { name: only };
};

/** The key of a family that BURSAR_KEY or the profile names. */
export const usualKey = async (
  cli: Pick<ReadContext, 'io' | 'profile'>,
  chain: KeyChain,
): Promise<string | undefined> => (await fromEnvironment(cli, chain)) || (await cli.profile()).keys?.[chain];

/** Chooses the key that signs: the option, BURSAR_KEY, the profile's, or the only key of the family. */
export const chooseKey = async (cli: ReadContext, given: ParsedArgs, chain: KeyChain): Promise<KeyChoice> => {
  const named = stringArg(given, 'key');
  if (named) return { name: named };
  const name = await usualKey(cli, chain);
  const chosen = name ? { name } : await onlyKey(cli, chain);
  if (chosen.name) cli.impliedOptions.set('--key', chosen.name);
  return chosen;
};

/** A key to unlock, and work that runs meanwhile. */
type KeyToUnlock<C extends KeyChain> = {
  readonly name: string;
  readonly chain?: C;
  readonly meanwhile?: () => Promise<unknown>;
  /** Nothing is signed, so the policy of the key is not checked. */
  readonly signsNothing?: true;
};

/** Checks the policy of a key before the user types a password. */
const assertPolicyThere = async (cli: CommandContext, name: string): Promise<void> => {
  const { chain, address } = await openKeystore(cli.io).find(name);
  if (address === undefined || (await lookUpPolicy(cli.io, { chain, address })).kind === 'none') return;
  const { readKeyPolicy } = await import('../../flows/policy/key-policy.ts');
  await readKeyPolicy(cli.io, { chain, address });
};

/**
 * The key, if its password is asked for after the review; `undefined` for any other. Its file has an address, no policy
 * limits it, and there is a prompt. --yes asks no question after the start.
 */
const findOpenedLater = async (cli: CommandContext, given: ParsedArgs, key: string) => {
  if (cli.globals.yes || !isPasswordAsked(cli.io, passwordSources(given), key)) return undefined;
  const { address, ...stored } = await openKeystore(cli.io).find(key);
  if (address === undefined) return undefined;
  const { kind } = await lookUpPolicy(cli.io, { chain: stored.chain, address });
  return kind === 'none' ? { address, ...stored } : undefined;
};

const assertPolicySealed = async (
  cli: CommandContext,
  key: Pick<UnlockedKey, 'address' | 'privateKey'> & { readonly chain: KeyChain },
): Promise<void> => {
  if ((await lookUpPolicy(cli.io, key)).kind === 'none') return;
  const { assertSealed } = await import('../../flows/policy/key-policy.ts');
  await assertSealed(cli.io, key);
};

/** Unlocks a key, and checks that its policy is the one that its owner set. */
const unlockChecked = async <C extends KeyChain>(
  cli: CommandContext,
  given: ParsedArgs,
  { name, chain, meanwhile, signsNothing }: KeyToUnlock<C>,
): Promise<UnlockedKey<C>> => {
  const sources = { ...impliedPasswordSources(cli, given), yes: cli.globals.yes, meanwhile };
  const key = await unlock(cli.io, openKeystore(cli.io), name, sources, chain);
  try {
    if (!signsNothing) await assertPolicySealed(cli, key);
    return key;
  } catch (error) {
    key.wipe();
    throw error;
  }
};

/**
 * Unlocks a key for some work, and always wipes it afterwards. Throws `refused_by_review` if the policy of the key is
 * not the one that its owner set.
 */
export const withKey = async <C extends KeyChain, T>(
  cli: CommandContext,
  given: ParsedArgs,
  toUnlock: KeyToUnlock<C>,
  work: (key: UnlockedKey<C>) => Promise<T>,
): Promise<T> => {
  if (!toUnlock.signsNothing) await assertPolicyThere(cli, toUnlock.name);
  const key = await unlockChecked(cli, given, toUnlock);
  try {
    return await work(key);
  } finally {
    key.wipe();
  }
};

/** A key that signs, its name and its chain family. */
export type NamedSigningKey<C extends KeyChain> = SigningKey & Pick<UnlockedKey<C>, 'chain' | 'name'>;

/**
 * The same for work that reviews before it signs. A password that the user types is asked for after the yes to the review.
 * Any other is used first, so a wrong one leaves nothing behind. Throws as `withKey`, and `open` throws the rest.
 */
export const withSigningKey = async <C extends KeyChain, T>(
  cli: CommandContext,
  given: ParsedArgs,
  toUnlock: KeyToUnlock<C> & { readonly chain: C },
  work: (key: NamedSigningKey<C>) => Promise<T>,
): Promise<T> => {
  const { chain } = toUnlock;
  const shared = cli.batch?.keys.get(toUnlock.name);
  if (shared) return work({ ...shared, name: toUnlock.name, chain });
  const later = await findOpenedLater(cli, given, toUnlock.name);
  if (later === undefined)
    return withKey(cli, given, toUnlock, ({ privateKey, ...key }) => work({ ...key, open: async () => privateKey }));
  const { name, address } = later;
  assertKeyOf(chain, later);
  let unlocked: UnlockedKey<C> | undefined;
  const open = once(async () => {
    unlocked = await unlockChecked(cli, given, toUnlock);
    return unlocked.privateKey;
  });
  try {
    return await work({ chain, name, address, open });
  } finally {
    unlocked?.wipe();
  }
};

/** The address of a key. Needs no password. */
export const addressOfKey = async (cli: ReadContext, name: string): Promise<string | undefined> =>
  (await openKeystore(cli.io).find(name)).address;

/** The name of the key that an operation was started with. Throws `invalid_input` for another key. */
export const ownKeyName = async (cli: CommandContext, given: ParsedArgs, { noun }: OperationArea, address: string) => {
  const named = stringArg(given, 'key');
  const missing = `no key here is of ${address}, which signs this ${noun}: bursar key import brings it back`;
  const lost = (error: Failure) => (named ? error : new Failure('key_not_found', missing));
  const finding = openKeystore(cli.io).find(named ?? address);
  const found = await finding.catch(amended(lost, 'key_not_found'));
  if (found.address !== undefined && isSameAddress(found.address, address)) return found.name;
  const message = `--key: ${found.name} is ${found.address}, and the ${noun} was started with ${address}`;
  throw new Failure('invalid_input', message);
};

/** Throws `invalid_input` for a --key of another wallet than that of an operation, also where nothing is left to sign. */
export const assertOwnKey = async (
  cli: CommandContext,
  given: ParsedArgs,
  area: OperationArea,
  { intent }: Pick<OperationStart, 'intent'>,
): Promise<void> => {
  const wallet = walletOf(intent);
  if (wallet !== undefined && stringArg(given, 'key') !== undefined) await ownKeyName(cli, given, area, wallet);
};

type WithOwnKey<C extends KeyChain> = <T>(work: (key: NamedSigningKey<C>) => Promise<T>) => Promise<T>;

/** Unlocks the key of an operation for some work. `undefined` without a terminal and --yes: nothing may be signed. */
export const signerOf = <C extends KeyChain>(
  cli: CommandContext,
  given: ParsedArgs,
  { area, chain, address }: { readonly area: OperationArea; readonly chain: C; readonly address: string },
): WithOwnKey<C> | undefined => {
  if (!cli.globals.yes && !cli.io.prompt.isPossible) return undefined;
  return async (work) => withSigningKey(cli, given, { name: await ownKeyName(cli, given, area, address), chain }, work);
};
