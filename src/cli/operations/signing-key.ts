import type { KeyChain } from '../../contract/key-chain.ts';
import { commandLine, nextStep } from '../../core/next.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { lookUpPolicy } from '../../keystore/policy/store.ts';
import { type UnlockedKey, unlock } from '../../keystore/unlock.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../command/options.ts';
import type { MissingReason } from '../command/required.ts';
import type { CommandContext, ReadContext } from '../context/context.ts';

/** The key that signs, of a family of chains. */
export const keyOption = (family: KeyChain): Option => ({
  flag: '--key',
  value: 'NAME',
  heading: 'Signing and sending',
  environment: 'key',
  completes: 'keys',
  usual: "BURSAR_KEY, the profile's, or the only one of its chain",
  description: 'Key that signs',
  question: 'Which key signs?',
  order: -60,
  follows: ['--transaction-type'],
  suggest: async () => (await import('../prompt/suggestions.ts')).suggestKeys(family),
});

const SOURCE = { heading: 'Where values come from' } as const;

/** Where the password of a key comes from; without one of them a terminal asks. */
export const PASSWORD_OPTIONS: readonly Option[] = [
  {
    ...SOURCE,
    flag: '--password-file',
    value: 'FILE',
    environment: 'password',
    isKept: true,
    description: 'File that holds the password of the key',
  },
  { ...SOURCE, flag: '--password-stdin', description: 'Read the password of the key from standard input' },
  {
    ...SOURCE,
    flag: '--password-keyring',
    isKept: true,
    description: "Take the password from the system's keyring, where you stored it",
  },
];

export const passwordSources = (given: ParsedArgs) => ({
  passwordFile: stringArg(given, 'password-file'),
  passwordStdin: boolArg(given, 'password-stdin'),
  passwordKeyring: boolArg(given, 'password-keyring'),
});

const FAMILY: Readonly<Record<KeyChain, string>> = { evm: 'EVM chains', solana: 'Solana' };

/** A key by its name, or why there is none, as the end of a sentence about --key. */
export type KeyChoice =
  | { readonly name: string; readonly problem?: never }
  | { readonly name?: never; readonly problem: MissingReason };

/** BURSAR_KEY may name several, with commas: one for each family. */
export const namesInEnvironment = ({ env }: ReadContext['io']): readonly string[] =>
  (env['BURSAR_KEY'] ?? '').split(',').flatMap((name) => name.trim() || []);

const fromEnvironment = async (cli: ReadContext, chain: KeyChain): Promise<string | undefined> => {
  const [first, ...others] = namesInEnvironment(cli.io);
  if (first === undefined || others.length === 0) return first;
  const keystore = openKeystore(cli.io);
  for (const name of [first, ...others]) if ((await keystore.locate(name)).chain === chain) return name;
  return undefined;
};

/** The name that is proposed for the first key of a family. */
const NEW_NAME: Readonly<Record<KeyChain, string>> = { evm: 'treasury', solana: 'vault' };

const onlyKey = async (cli: ReadContext, chain: KeyChain): Promise<KeyChoice> => {
  const keys = (await openKeystore(cli.io).list()).filter((key) => key.status === 'usable' && key.chain === chain);
  const [only, ...others] = keys.map(({ name }) => name);
  if (only === undefined) {
    const first = nextStep('key.new', NEW_NAME[chain], chain);
    return { problem: { message: `required, and there is no key for ${FAMILY[chain]}: ${commandLine(first)}`, first } };
  }
  if (others.length > 0) {
    return { problem: { message: `required, for there are several: ${[only, ...others].join(', ')}` } };
  }
  await cli.say(`key: ${only}, the only one for ${FAMILY[chain]}`);
  return { name: only };
};

/** The key that signs: the option, BURSAR_KEY, the profile's, or the only key of the family, which stderr then names. */
export const chooseKey = async (cli: ReadContext, given: ParsedArgs, chain: KeyChain): Promise<KeyChoice> => {
  const name = stringArg(given, 'key') || (await fromEnvironment(cli, chain)) || (await cli.profile()).keys?.[chain];
  return name ? { name } : onlyKey(cli, chain);
};

/** Whose key it is, and what may be done while it is being unlocked. */
type KeyToOpen<C extends KeyChain> = {
  readonly name: string;
  readonly chain?: C;
  readonly meanwhile?: () => Promise<unknown>;
  /** Nothing is signed: a policy that cannot be trusted does not stop it. */
  readonly signsNothing?: true;
};

/** A policy that is missing or was changed is found before anybody types a password. */
const assertPolicyThere = async (cli: CommandContext, name: string): Promise<void> => {
  const { chain, address } = await openKeystore(cli.io).find(name);
  if (address === undefined || (await lookUpPolicy(cli.io, { chain, address })).kind === 'none') return;
  const { readKeyPolicy } = await import('../../flows/policy/key-policy.ts');
  await readKeyPolicy(cli.io, { chain, address });
};

type Unlocked = { readonly chain: KeyChain; readonly address: string; readonly privateKey: Uint8Array };

const assertPolicySealed = async (cli: CommandContext, key: Unlocked): Promise<void> => {
  if ((await lookUpPolicy(cli.io, key)).kind === 'none') return;
  const { assertSealed } = await import('../../flows/policy/key-policy.ts');
  await assertSealed(cli.io, key);
};

/**
 * Unlocks a key for the time of some work, and wipes it after, however that ends. Throws `refused_by_review` where the
 * policy of the key is not the one that its owner set.
 */
export const withKey = async <C extends KeyChain, T>(
  cli: CommandContext,
  given: ParsedArgs,
  { name, chain, meanwhile, signsNothing }: KeyToOpen<C>,
  work: (key: UnlockedKey<C>) => Promise<T>,
): Promise<T> => {
  if (!signsNothing) await assertPolicyThere(cli, name);
  const sources = { ...passwordSources(given), yes: cli.globals.yes, meanwhile };
  const key = await unlock(cli.io, openKeystore(cli.io), name, sources, chain);
  try {
    if (!signsNothing) await assertPolicySealed(cli, key);
    return await work(key);
  } finally {
    key.wipe();
  }
};

/** The address of a key, which needs no password. */
export const addressOfKey = async (cli: ReadContext, name: string): Promise<string | undefined> =>
  (await openKeystore(cli.io).find(name)).address;
