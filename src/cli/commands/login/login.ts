import { checkBaseUrl } from '../../../client/service.ts';
import { isDecimal } from '../../../core/decimal.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Secret } from '../../../core/secret.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type Option, type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';
import { assertGiven } from '../../command/required.ts';
import { checkedKey, keyFromFile, keyVariable } from '../../context/api-key.ts';
import type { CommandContext } from '../../context/context.ts';
import { fingerprintOf } from '../../profiles/fingerprint.ts';
import { forgetKey, keepKey } from '../../profiles/kept-key.ts';
import { type KeptKey, type Profile, SANDBOX } from '../../profiles/profile.ts';
import { isProfileName } from '../../profiles/schema.ts';
import { changeProfiles, readProfiles, withProfile } from '../../profiles/store.ts';
import { sayWhatOutranks } from '../profile/shared.ts';
import { assertNotSandbox, baseUrlFrom } from './base-url.ts';
import { checkKey } from './check-key.ts';

type Thresholds = NonNullable<Profile['type_amount_above']>;

const THRESHOLD_OPTION: Option = {
  flag: '--type-amount-above',
  value: 'TOKEN=AMOUNT',
  isRepeatable: true,
  description: 'Above this amount, signed or charged to a card, a person types it; * is any other token',
};

const QUESTION = 'Ask you to type the amount for payments above (any token or currency; empty: never)';

const assertAmount = (amount: string, where: string): string => {
  if (isDecimal(amount)) return amount;
  throw new Failure('invalid_input', `${where}: "${amount.slice(0, 40)}" is not an amount, such as 1000 or 0.5`);
};

const parsed = (text: string): readonly [string, string] => {
  const at = text.lastIndexOf('=');
  if (at < 1)
    throw new Failure('invalid_input', `--type-amount-above: "${text}" is not TOKEN=AMOUNT, such as USDT=1000`);
  return [text.slice(0, at).trim(), assertAmount(text.slice(at + 1).trim(), '--type-amount-above')];
};

/** The amounts on the command line; `undefined` where there are none. Throws `invalid_input`. */
const thresholdsIn = (given: ParsedArgs): Thresholds | undefined => {
  const texts = stringArgs(given, 'type-amount-above');
  return texts.length === 0 ? undefined : Object.fromEntries(texts.map(parsed));
};

/** Asks a person for one where the profile has none. */
const askThresholds = async (
  { io }: CommandContext,
  { type_amount_above }: Profile,
): Promise<Thresholds | undefined> => {
  if (type_amount_above || !io.prompt.isPossible) return type_amount_above;
  const problemIn = async (answer: string) =>
    answer.trim() === '' || isDecimal(answer.trim()) ? undefined : 'must be an amount, such as 1000 or 0.5';
  const amount = (await io.prompt.text(QUESTION, { problemIn })).trim();
  return amount === '' ? undefined : { '*': amount };
};

const KEY_SOURCES: readonly Option[] = [
  {
    flag: '--api-key-file',
    heading: 'Where values come from',
    value: 'FILE',
    description: 'File that holds the API key, readable by its owner alone',
  },
  { flag: '--api-key-stdin', heading: 'Where values come from', description: 'Read the API key from standard input' },
];

const MAX_BYTES = 64 * 1024;

/** How the API key comes in; `undefined` where the command line does not say it and nobody can be asked. */
const keyReader = ({ io }: CommandContext, given: ParsedArgs): (() => Promise<Secret>) | undefined => {
  const file = stringArg(given, 'api-key-file');
  const isPiped = boolArg(given, 'api-key-stdin');
  if (file !== undefined && isPiped) {
    throw new Failure('invalid_input', 'give --api-key-file or --api-key-stdin, one of them');
  }
  const checked = (source: string, text: string): Secret => {
    if (text.trim() === '') throw new Failure('invalid_input', `${source} holds no API key`);
    return checkedKey(source, text.trim());
  };
  if (file !== undefined) return () => keyFromFile(io, '--api-key-file', file);
  if (isPiped && io.stdin.isTerminal) {
    throw new Failure('invalid_input', '--api-key-stdin: standard input is the terminal, which would show the key', {
      hint: 'Leave it out to be asked for the key unseen, or give a pipe or a file.',
    });
  }
  if (isPiped)
    return async () => checked('standard input', new TextDecoder().decode(await io.stdin.readAll(MAX_BYTES)));
  if (io.prompt.isPossible) return async () => checked('what was typed', await io.prompt.password('API key:'));
  return undefined;
};

const nameFrom = ({ globals, io }: CommandContext): string => {
  const name = globals.profile || io.env['BURSAR_PROFILE'] || 'default';
  if (name === SANDBOX) {
    throw new Failure('bad_settings', 'the sandbox is built in, with a key of its own: there is nothing to log in to', {
      next: nextStep('profile.use', 'sandbox'),
    });
  }
  if (isProfileName(name)) return name;
  throw new Failure('invalid_input', '--profile: this cannot be the name of a profile', {
    hint: 'A name has 1 to 64 letters, digits, dots, underscores and hyphens, and starts with a letter or digit.',
  });
};

/** The same trouble with the keyring, with both ways out of it. */
const orElse = async <T>(work: Promise<T>, says = 'the key was not kept'): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error, 'unreadable_file')) throw error;
    throw new Failure('bad_settings', `${says}: ${error.sentence}`, {
      hint: `${error.details.hint ?? ''} Start a keyring; or add --insecure-storage, which stores the key in a file that only you can read; or store no key and name a file by BURSAR_API_KEY_FILE.`.trim(),
      next: nextStep('doctor'),
    });
  }
};

/** The key first, then the profile that names it, then the key that it had: whatever ends in between, one works. */
const store = async (cli: CommandContext, name: string, kept: KeptKey, facts: Profile) => {
  const { before, after } = await changeProfiles(cli.io, (all) => ({
    ...withProfile(all, name, { ...all.profiles[name], ...facts, api_key: kept }),
    active: all.active ?? name,
  }));
  const old = before.profiles[name]?.api_key;
  if (old)
    await forgetKey(cli.io, old).catch(() => cli.say('note: the key that the profile had is still in the keyring'));
  return after;
};

const sayEnvironment = async (cli: CommandContext, name: string): Promise<void> => {
  const variable = keyVariable(cli.io.env);
  if (variable) {
    await cli.say(
      `note: ${variable} is set, and the environment wins over the key that was kept; unset it to use that`,
    );
  }
  await sayWhatOutranks(cli, name);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const name = nameFrom(cli);
  const limits = thresholdsIn(given);
  const where = boolArg(given, 'insecure-storage') ? 'file' : 'keyring';
  if (cli.io.prompt.isPossible && where === 'keyring') {
    await orElse(cli.io.keyring.assertThere(), 'there is nowhere to keep the key yet');
  }
  const readKey = keyReader(cli, given);
  const existing = (await readProfiles(cli.io)).profiles[name] ?? {};
  const address = await baseUrlFrom(cli, name, existing);
  assertGiven([
    { anyOf: ['--base-url'], value: address },
    { anyOf: KEY_SOURCES.map(({ flag }) => flag), value: readKey && 'given' },
  ]);
  const baseUrl = checkBaseUrl(address ?? '');
  await assertNotSandbox(cli, baseUrl);
  const apiKey = await (readKey as () => Promise<Secret>)();
  await checkKey(cli, { profile: name, kind: 'live', baseUrl, apiKey }, { hint: 'The key was not kept.' });
  const type_amount_above = limits ?? (await askThresholds(cli, existing));
  const kept = await orElse(keepKey(cli.io, where, baseUrl, apiKey));
  const after = await store(cli, name, kept, { base_url: baseUrl, ...(type_amount_above && { type_amount_above }) });
  await sayEnvironment(cli, name);
  if (after.active !== name)
    await cli.say(`The profile in use is ${after.active}; for this one: bursar profile use ${name}`);
  await cli.printCommitted({
    profile: name,
    kind: 'live',
    base_url: baseUrl,
    api_key: kept.in,
    fingerprint: fingerprintOf(apiKey),
    active: after.active === name,
  });
};

/** `login`. */
export const login: Command = {
  words: ['login'],
  summary: 'Keep the API key of a service, and make a profile of it',
  about: [
    'The service is asked for its products, so that a wrong key is found before it is kept.',
    "The key is asked for unseen, or comes from a file or a pipe, and is kept in the system's keyring. --profile names the profile (default: default), --base-url the service. Logging in again replaces the key.",
  ],
  options: [
    ...KEY_SOURCES,
    {
      flag: '--insecure-storage',
      description: 'Keep the key in a file that you alone can read, instead of the keyring',
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
