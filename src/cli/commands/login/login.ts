import { checkBaseUrl } from '../../../client/envelope.ts';
import { shortFingerprint } from '../../../client/service.ts';
import { isDecimal } from '../../../core/decimal.ts';
import { amended, Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Summary } from '../../../output/summary.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { assertGiven, boolArg, type Option, type ParsedArgs, stringArgs } from '../../command/options.ts';
import { keyVariable } from '../../context/service.ts';
import { variableOf } from '../../print/next-command.ts';
import { type Profile, SANDBOX, type StoredKey } from '../../profiles/profile.ts';
import { isProfileName } from '../../profiles/schema.ts';
import {
  changeProfiles,
  findProfile,
  readProfiles,
  removeStoredKey,
  withoutProfile,
  withProfile,
} from '../../profiles/store.ts';
import { withEquivalent } from '../../prompt/ask-and-run.ts';
import { assertNotSandbox, givenBaseUrl, noteOverrides } from './service.ts';
import { chooseStorage, KEY_SOURCES, type KeySource, keepKey, keySource, signIn } from './sign-in.ts';

type Thresholds = NonNullable<Profile['type_amount_above']>;

const THRESHOLD_OPTION: Option = {
  flag: '--type-amount-above',
  value: 'TOKEN=AMOUNT',
  isRepeatable: true,
  description: 'Ask you to type the amount of payments above AMOUNT; TOKEN * is any other token',
};

const THRESHOLD_QUESTION = 'Ask you to type the amount for payments above (any token or currency; empty: never)';

const parseThreshold = (text: string): readonly [string, string] => {
  const at = text.lastIndexOf('=');
  const wrong = (what: string) => new Failure('invalid_input', `--type-amount-above: "${what}`);
  if (at < 1) throw wrong(`${text}" is not TOKEN=AMOUNT, such as USDT=1000`);
  const amount = text.slice(at + 1).trim();
  if (!isDecimal(amount)) throw wrong(`${amount.slice(0, 40)}" is not an amount, such as 1000 or 0.5`);
  return [text.slice(0, at).trim(), amount];
};

/** The thresholds of the command line; `undefined` if it has none. Throws `invalid_input`. */
const thresholdsIn = (given: ParsedArgs): Thresholds | undefined => {
  const texts = stringArgs(given, 'type-amount-above');
  return texts.length === 0 ? undefined : Object.fromEntries(texts.map(parseThreshold));
};

/** The thresholds of the profile, or else one that the user types. */
const askThresholds = async ({ io }: CommandContext, { type_amount_above }: Profile) => {
  if (type_amount_above || !io.prompt.isPossible) return type_amount_above;
  const problemIn = async (answer: string) =>
    answer.trim() === '' || isDecimal(answer.trim()) ? undefined : 'must be an amount, such as 1000 or 0.5';
  const amount = (await io.prompt.text(THRESHOLD_QUESTION, { problemIn })).trim();
  return amount === '' ? undefined : { '*': amount };
};

const nameOfNew = ({ globals, io }: CommandContext): string => {
  const name = globals.profile || io.env['BURSAR_PROFILE'] || 'default';
  if (name === SANDBOX) {
    throw new Failure('bad_settings', 'the sandbox is built in and has its own key: it needs no login', {
      next: nextStep('profile.use', 'sandbox'),
    });
  }
  if (isProfileName(name)) return name;
  throw new Failure('invalid_input', '--profile: this is not a valid profile name', {
    hint: 'A name has 1 to 64 letters, digits, dots, underscores and hyphens, and starts with a letter or digit.',
  });
};

/** Writes the profile, then deletes its old key. A crash between leaves a profile whose key works. */
const store = async (cli: CommandContext, name: string, kept: StoredKey, facts: Profile) => {
  const { before, after } = await changeProfiles(cli.io, (all) => ({
    ...withProfile(all, name, { ...all.profiles[name], ...facts, api_key: kept }),
    active: all.active ?? name,
  }));
  const old = before.profiles[name]?.api_key;
  const note = () => cli.printNote('note: the previous key of the profile is still in the keyring');
  if (old) await removeStoredKey(cli.io, old).catch(note);
  return after;
};

const noteEnvironment = async (cli: CommandContext, name: string): Promise<void> => {
  const variable = keyVariable(cli.io.env);
  if (variable) {
    await cli.printNote(`note: ${variable} is set and overrides the stored key; unset it to use the stored key`);
  }
  await noteOverrides(cli, name);
};

/** For `catch`: a test may have sent a key before the user stopped. */
const NOT_STORED = amended(
  ({ details }) => new Failure('interrupted', 'interrupted; no key was stored', details),
  'interrupted',
);

/** Stores a key, and adds to `answers` what the terminal gave. */
const storeNewKey = async (cli: CommandContext, given: ParsedArgs, answers: Map<string, string | true>) => {
  const name = nameOfNew(cli);
  const limits = thresholdsIn(given);
  const key = keySource(cli, given);
  const existing = (await readProfiles(cli.io)).profiles[name] ?? {};
  const address = await givenBaseUrl(cli, name, existing);
  assertGiven([
    { anyOf: ['--base-url'], value: address ?? (cli.io.prompt.isPossible ? 'asked' : undefined) },
    { anyOf: KEY_SOURCES.map(({ flag }) => flag), value: key && 'given' },
  ]);
  if (address !== undefined) await assertNotSandbox(cli, checkBaseUrl(address));
  const where = await chooseStorage(cli, given);
  const noteFile = () => boolArg(given, 'insecure-storage') || answers.set('--insecure-storage', true);
  if (where === 'file') noteFile();
  const onAnswer = (part: 'address' | 'key', value = variableOf('--api-key-file')) =>
    answers.set(part === 'key' ? '--api-key-file' : '--base-url', value);
  const signingIn = signIn(cli, { profile: name, address, key: key as KeySource, onAnswer });
  const { baseUrl, apiKey } = await signingIn.catch(NOT_STORED);
  const type_amount_above = limits ?? (await askThresholds(cli, existing).catch(NOT_STORED));
  if (type_amount_above && type_amount_above !== (limits ?? existing.type_amount_above))
    answers.set('--type-amount-above', `*=${type_amount_above['*']}`);
  const kept = await keepKey(cli, where, baseUrl, apiKey);
  if (kept.in === 'file') noteFile();
  const after = await store(cli, name, kept, { base_url: baseUrl, ...(type_amount_above && { type_amount_above }) });
  await noteEnvironment(cli, name);
  if (after.active !== name)
    await cli.printNote(`The profile in use is still ${after.active}. To switch: bursar profile use ${name}`);
  await cli.printCommitted({
    profile: name,
    kind: 'live',
    base_url: baseUrl,
    api_key: kept.in,
    fingerprint: shortFingerprint(apiKey),
    active: after.active === name,
  });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const answers = new Map<string, string | true>();
  const answersSoFar = () => answers;
  await withEquivalent(cli, login, answersSoFar, () => storeNewKey(cli, given, answers));
};

/** `login`. */
export const login: Command = {
  words: ['login'],
  summary: 'Store the API key of a service in a profile',
  about: [
    'Tests the key with a read of the products, then stores it in the keyring of the system.',
    'The key comes from a hidden prompt, a file or a pipe. At a terminal a wrong address or key is asked for again.',
    'Without a keyring, a terminal offers to store the key in a private file; a script adds --insecure-storage.',
    '--profile names the profile (default: default), --base-url the service. A second login replaces the key.',
  ],
  options: [
    ...KEY_SOURCES,
    {
      flag: '--insecure-storage',
      description: 'Store the key in a file that only you can read, instead of the keyring',
    },
    THRESHOLD_OPTION,
  ],
  calls: ['products.list'],
  examples: [
    'login --base-url https://api.example.com',
    'login --profile staging --base-url https://staging.example.com --api-key-stdin < key',
    "login --api-key-file ./key --insecure-storage --type-amount-above USDT=1000 --type-amount-above '*=5'",
  ],
  run,
};

/** Reads the profile name without checking its settings: logout must work for a broken profile too. */
const profileFrom = async ({ globals, io }: CommandContext): Promise<string> => {
  const name = globals.profile || io.env['BURSAR_PROFILE'] || (await readProfiles(io)).active;
  if (name === undefined) {
    throw new Failure('bad_settings', 'no profile is in use', { next: nextStep('profile.list') });
  }
  if (name !== SANDBOX) return name;
  throw new Failure('bad_settings', 'the sandbox is built in: it has no stored key to remove', {
    next: nextStep('profile.list'),
  });
};

type LogoutResult = { readonly profile: string; readonly key_removed: boolean; readonly profile_removed: boolean };

const summaryOf = ({ profile, key_removed, profile_removed }: LogoutResult): Summary => {
  const key = key_removed ? 'its API key was removed' : 'it had no API key';
  const rest = profile_removed ? 'the profile was removed too' : 'its settings were kept';
  const next = profile_removed ? undefined : nextStep('login.profile', profile);
  return { tone: 'good', headline: `Logged out of ${profile}: ${key}, ${rest}`, facts: [], next };
};

const removeKey = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const name = await profileFrom(cli);
  const removesProfile = boolArg(given, 'forget');
  const { before } = await changeProfiles(cli.io, async (all) => {
    const { api_key, ...profile } = findProfile(all, name);
    if (api_key) await removeStoredKey(cli.io, api_key);
    return removesProfile ? withoutProfile(all, name) : withProfile(all, name, profile);
  });
  const hadKey = before.profiles[name]?.api_key !== undefined;
  if (!hadKey && !cli.io.stdout.isTerminal) await cli.printNote(`The profile ${name} had no key.`);
  const variable = keyVariable(cli.io.env);
  if (variable) await cli.printNote(`note: ${variable} is still set`);
  const removed = { profile: name, key_removed: hadKey, profile_removed: removesProfile };
  await cli.printCommitted(removed, removed, { summary: () => summaryOf(removed) });
};

/** `logout`. */
export const logout: Command = {
  words: ['logout'],
  summary: 'Remove the API key of a profile',
  about: [
    'Keeps the settings of the profile, unless --forget is given.',
    '--profile names the profile (default: the profile in use).',
  ],
  options: [{ flag: '--forget', description: 'Also remove the profile and its settings' }],
  examples: ['logout', 'logout --profile staging --forget'],
  run: removeKey,
};
