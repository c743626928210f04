import { join } from 'node:path';
import { checkBaseUrl } from '../../../client/envelope.ts';
import { Failure, type FailureCode, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Secret } from '../../../core/secret.ts';
import { escapeText } from '../../../core/text.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, sourceOption, stringArg } from '../../command/options.ts';
import { problemOf } from '../../context/failures.ts';
import { checkedKey, keyFromFile } from '../../context/service.ts';
import { repeated } from '../../print/next-command.ts';
import { printRefusal } from '../../print/steps.ts';
import type { StoredKey } from '../../profiles/profile.ts';
import { storeKey } from '../../profiles/store.ts';
import { NEEDED } from '../../prompt/ask.ts';
import { assertNotSandbox, checkKey } from './service.ts';

/** The options that give the API key. */
export const KEY_SOURCES = [
  sourceOption('--api-key-file', 'File with the API key, readable only by its owner', { value: 'FILE' }),
  sourceOption('--api-key-stdin', 'Read the API key from standard input'),
];

const MAX_BYTES = 64 * 1024;

/** Where the API key comes from. A key that is asked for can be corrected. */
export type KeySource = { readonly isAsked: boolean; readonly read: () => Promise<Secret> };

const checked = (source: string, text: string): Secret => {
  if (text.trim() === '') throw new Failure('invalid_input', `${source} contains no API key`);
  return checkedKey(source, text.trim());
};

const askKey = async ({ prompt }: CommandContext['io']): Promise<Secret> => {
  const problemIn = async (answer: string) =>
    answer.trim() === '' ? NEEDED : problemOf(() => checkedKey('the answer', answer.trim()));
  return checked('the answer', await prompt.password('API key:', { problemIn }));
};

/** The source of the API key; `undefined` if no option gives it and there is no prompt. */
export const keySource = ({ io }: CommandContext, given: ParsedArgs): KeySource | undefined => {
  const file = stringArg(given, 'api-key-file');
  const isPiped = boolArg(given, 'api-key-stdin');
  if (file !== undefined && isPiped) {
    throw new Failure('invalid_input', 'give only one of --api-key-file and --api-key-stdin');
  }
  if (file !== undefined) return { isAsked: false, read: () => keyFromFile(io, '--api-key-file', file) };
  if (isPiped && io.stdin.isTerminal) {
    throw new Failure('invalid_input', '--api-key-stdin: standard input is the terminal, which would show the key', {
      hint: 'Omit the option for a hidden prompt, or use a pipe or a file.',
    });
  }
  const fromPipe = async () => checked('standard input', new TextDecoder().decode(await io.stdin.readAll(MAX_BYTES)));
  if (isPiped) return { isAsked: false, read: fromPipe };
  return io.prompt.isPossible ? { isAsked: true, read: () => askKey(io) } : undefined;
};

/** Asks for the address of the service. `last` is the one that did not work. */
const askBaseUrl = async (cli: CommandContext, last?: string): Promise<string> => {
  const problemIn = async (answer: string) =>
    (await problemOf(() => checkBaseUrl(answer.trim()))) ?? problemOf(() => assertNotSandbox(cli, answer.trim()));
  const question = `Address of the service${last === undefined ? ', such as https://api.example.com' : ''}:`;
  return checkBaseUrl((await cli.io.prompt.text(question, { problemIn, initial: last })).trim());
};

type Part = 'address' | 'key';

/** The part of a login that a failed test shows to be wrong. */
const WRONG_PART: Partial<Record<FailureCode, Part>> = {
  unauthorized: 'key',
  unavailable: 'address',
  unexpected_answer: 'address',
  not_found: 'address',
};

/** As many as for the password of a key. */
const ATTEMPTS = 3;

/** What a login tests: `address` is absent if it is asked for. `onAnswer` notes what the terminal gave. */
type Login = {
  readonly profile: string;
  readonly address: string | undefined;
  readonly key: KeySource;
  readonly onAnswer: (part: Part, value?: string) => void;
};

/**
 * Reads address and key, and tests the key at the address. An answer that the test shows to be wrong is asked for again,
 * and the other one is kept. Throws the failure of the test after three attempts, and for a value from another source.
 */
export const signIn = async (cli: CommandContext, { profile, address, key, onAnswer }: Login) => {
  const askAddress = async (last?: string): Promise<string> => {
    const answer = await askBaseUrl(cli, last);
    onAnswer('address', answer);
    return answer;
  };
  const readKey = async (): Promise<Secret> => {
    const answer = await key.read();
    if (key.isAsked) onAnswer('key');
    return answer;
  };
  let baseUrl = address === undefined ? await askAddress() : checkBaseUrl(address);
  let apiKey = await readKey();
  const left = { address: address === undefined ? ATTEMPTS : 0, key: key.isAsked ? ATTEMPTS : 0 };
  for (;;) {
    try {
      await checkKey(cli, { profile, kind: 'live', baseUrl, apiKey }, { hint: 'The key was not stored.' });
      return { baseUrl, apiKey };
    } catch (error) {
      const part = isFailure(error) ? WRONG_PART[error.code] : undefined;
      if (part === undefined) throw error;
      left[part] -= 1;
      if (left[part] <= 0) throw error;
      await printRefusal(cli, error as Failure, left[part] === 1 ? 'One more try.' : `${left[part]} more tries.`);
      if (part === 'key') apiKey = await readKey();
      else baseUrl = await askAddress(baseUrl);
    }
  }
};

const KEYRING_ADVICE = 'Start a keyring, or add --insecure-storage to store the key in a private file.';

/** The failure without a place for the key: it says what the user can do instead. */
const noStorage = (message: string, advice = '', next = nextStep('doctor')): Failure =>
  new Failure('bad_settings', message, {
    hint: `${advice} ${KEYRING_ADVICE} Or skip login and set BURSAR_API_KEY_FILE to a file with the key.`.trim(),
    next,
  });

/** Asks whether a file takes the place of a keyring that does not work. Throws after a no, and without a terminal. */
const assertFileAccepted = async (cli: CommandContext, error: unknown, message: string): Promise<void> => {
  const { io } = cli;
  if (!isFailure(error, 'unreadable_file')) throw error;
  if (!io.prompt.isPossible) {
    const inFile = nextStep('again', [...repeated(cli.typed), '--insecure-storage']);
    throw noStorage(`${message}: ${error.sentence}`, error.details.hint, inFile);
  }
  await printRefusal(cli, error, error.details.hint);
  const folder = join(io.places.config, 'api-keys');
  const question = `Store the API key unencrypted in a file that only you can read (mode 0600, in ${folder})?`;
  if (!(await io.prompt.confirm(escapeText(question)))) throw noStorage(message);
};

/** Where the key is stored, found out before the user types it. */
export const chooseStorage = async (cli: CommandContext, given: ParsedArgs): Promise<StoredKey['in']> => {
  if (boolArg(given, 'insecure-storage')) return 'file';
  if (!cli.io.prompt.isPossible) return 'keyring';
  try {
    await cli.io.keyring.assertAvailable();
    return 'keyring';
  } catch (error) {
    await assertFileAccepted(cli, error, 'there is no place to store the key');
    return 'file';
  }
};

/** Stores the key. A keyring that fails now does not lose the answers: the user may choose a file. */
export const keepKey = async (cli: CommandContext, where: StoredKey['in'], baseUrl: string, apiKey: Secret) => {
  try {
    return await storeKey(cli.io, where, baseUrl, apiKey);
  } catch (error) {
    await assertFileAccepted(cli, error, 'the key was not stored');
    return storeKey(cli.io, 'file', baseUrl, apiKey);
  }
};
