import { Failure } from '../core/failure.ts';
import { isSwitchedOn } from '../core/switched-on.ts';
import type { Io } from '../io/io.ts';
import { type Given, isOn, type Option, textOf } from './options.ts';

/** Options that every command takes. None takes a secret as its value. */
export const GLOBAL_OPTIONS = [
  {
    flag: '--profile',
    value: 'NAME',
    completes: 'profiles',
    says: 'Profile of the service to talk to; "sandbox" is built in',
  },
  { flag: '--base-url', value: 'URL', says: 'Address of the service' },
  { flag: '--json', says: 'Print one JSON document, on success and on failure' },
  { flag: '--envelope', says: "Print the service's whole envelope (implies --json)" },
  { flag: '--fields', value: 'A,B', says: 'Print only these fields' },
  { flag: '--jq', value: 'EXPR', says: 'Print what a jq expression makes of the JSON; jq need not be installed' },
  { flag: '--quiet', says: 'Say nothing on stderr but errors and warnings about money' },
  { flag: '--verbose', says: 'Say more on stderr' },
  { flag: '--debug', says: 'Show requests and answers on stderr, secrets masked' },
  { flag: '--dry-run', says: 'Print the request, send nothing' },
  { flag: '--curl', says: 'Print the request as a curl command, send nothing' },
  { flag: '--timeout', value: 'SECONDS', lastWins: true, says: 'Longest time for the whole command (default 120)' },
  { flag: '--yes', says: 'Answer every confirmation with yes' },
  { flag: '--no-input', says: 'Never ask; what is missing is an error' },
  { flag: '--no-color', says: 'No colour' },
] as const satisfies readonly Option[];

/** What the global options of a command line ask for. */
export type Globals = {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly json: boolean;
  readonly envelope: boolean;
  readonly fields: readonly string[] | undefined;
  /** A jq expression for the document that --json would print. */
  readonly jq: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly dryRun: boolean;
  readonly curl: boolean;
  readonly timeoutMs: number;
  /** Whether that is the user's wish. */
  readonly hasTimeout: boolean;
  readonly yes: boolean;
  readonly noColour: boolean;
};

const DEFAULT_TIMEOUT_S = '120';

const timeoutOf = (text: string): number => {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400) {
    throw new Failure('usage', `--timeout: "${text}" is not a number of seconds above 0, and at most 86400`);
  }
  return seconds * 1000;
};

const namesIn = (list: string | undefined): readonly string[] | undefined => {
  const names = list
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names?.length === 0) throw new Failure('usage', '--fields names no field; give one or more, such as id,status');
  return names;
};

/** --fields is about the answer, and a request that is only shown has none. */
const fieldsOf = (given: Given): readonly string[] | undefined => {
  const names = namesIn(textOf(given, 'fields'));
  return isOn(given, 'dry-run') ? undefined : names;
};

/** Reads the global options of a command line, and the variables that stand for one. */
export const globalsFrom = (given: Given, env: Io['env']): Globals => ({
  profile: textOf(given, 'profile'),
  baseUrl: textOf(given, 'base-url'),
  json: isOn(given, 'json') || isOn(given, 'envelope') || textOf(given, 'jq') !== undefined,
  envelope: isOn(given, 'envelope'),
  fields: fieldsOf(given),
  jq: textOf(given, 'jq'),
  quiet: isOn(given, 'quiet') || isSwitchedOn(env['BURSAR_QUIET']),
  verbose: isOn(given, 'verbose'),
  debug: isOn(given, 'debug'),
  dryRun: isOn(given, 'dry-run'),
  curl: isOn(given, 'curl'),
  timeoutMs: timeoutOf(textOf(given, 'timeout') ?? DEFAULT_TIMEOUT_S),
  hasTimeout: textOf(given, 'timeout') !== undefined,
  yes: isOn(given, 'yes'),
  noColour: isOn(given, 'no-color'),
});
