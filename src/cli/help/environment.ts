import type { Command } from '../command/command.ts';
import type { Option } from '../command/options.ts';
import { commands, type Item, items, type Page, section, text } from './page.ts';

/** The commands that read a variable: those that call the service, sign, or unlock a key; or all. */
type ReadBy = 'service' | 'key' | 'password' | 'all';

/** An environment variable: its readers and its purpose. */
export type Variable = { readonly name: string; readonly by: ReadBy; readonly description: string };

/** The purpose of each variable, by its readers. */
const VARIABLES: Readonly<Record<ReadBy, Readonly<Record<string, string>>>> = {
  service: {
    BURSAR_PROFILE: 'Profile of the service; as --profile',
    BURSAR_BASE_URL: 'Address of the service; as --base-url',
    BURSAR_API_KEY: 'API key of that address',
    BURSAR_API_KEY_FILE: 'File that holds the API key, readable by its owner alone',
  },
  key: {
    BURSAR_KEY: 'Key that signs; one for each family of chains, with a comma',
  },
  password: {
    BURSAR_KEY_PASSWORD_FILE: 'File that holds the password; as --password-file',
    BURSAR_KEY_PASSWORD: 'The password itself; warned about, for other programs may see it',
  },
  all: {
    BURSAR_HOME: 'One folder for settings, keys, journal, cache and sandbox',
    XDG_CONFIG_HOME: 'Where settings and keys are without BURSAR_HOME (default ~/.config)',
    XDG_STATE_HOME: 'The same for journal and sandbox (default ~/.local/state)',
    XDG_CACHE_HOME: 'The same for what is cached (default ~/.cache)',
    BURSAR_JOURNAL: 'A journal that machines share: postgres://USER@HOST/DATABASE',
    PGPASSFILE: 'File with the password of that database (default ~/.pgpass)',
    PGPASSWORD: 'The password itself',
    BURSAR_NO_INPUT: 'Never ask; as --no-input',
    BURSAR_QUIET: 'Print only errors and warnings about money on stderr; as --quiet',
    BURSAR_DEBUG: 'Show requests and answers on stderr, secrets masked; as --debug',
    GITHUB_STEP_SUMMARY: 'File of GitHub Actions; smoke run --reporter github adds its summary there',
    CI: 'Never ask, never animate, and never choose the sandbox unasked',
    NO_COLOR: 'No colour, if it is not empty; as --no-color',
    FORCE_COLOR: 'Colour also where the output is no terminal; 0 for none',
    CLICOLOR_FORCE: 'The same',
    CLICOLOR: '0 for no colour',
    TERM: 'dumb for neither colour nor animation',
    BURSAR_ACCESSIBLE: 'Ask by numbered lines, move no cursor, animate nothing',
    ACCESSIBLE: 'The same',
    FORCE_HYPERLINK: 'Links on a terminal that is not known to take them; 0 for none',
    LC_ALL: 'Whether the terminal shows more than ASCII; else LC_CTYPE, else LANG',
    LC_CTYPE: 'The same, where LC_ALL is not set',
    LANG: 'The same, where neither is set',
    HTTPS_PROXY: 'Proxy for https; https_proxy outranks it',
    HTTP_PROXY: 'Proxy for http; http_proxy outranks it',
    ALL_PROXY: 'Proxy for both; all_proxy outranks it',
    NO_PROXY: 'Hosts without proxy; this machine never has one',
    NODE_TLS_REJECT_UNAUTHORIZED: '0 checks no certificates; that is warned about',
  },
};

/** Every variable that bursar reads. */
export const ENVIRONMENT: readonly Variable[] = (Object.keys(VARIABLES) as ReadBy[]).flatMap((by) =>
  Object.entries(VARIABLES[by]).map(([name, description]) => ({ name, by, description })),
);

/** The line of a variable, or of another named thing, in help. */
export const itemOf = ({ name, description }: Pick<Variable, 'name' | 'description'>): Item => [name, description];

/** The variables that a command reads, besides those of every command. */
export const variablesOf = ({ calls = [], options = [] }: Command): readonly Variable[] => {
  const has = (kind: Option['environment']) => options.some(({ environment }) => environment === kind);
  const reads = { service: calls.length > 0, key: has('key'), password: has('password'), all: false };
  return ENVIRONMENT.filter(({ by }) => reads[by]);
};

const those = (...by: readonly string[]) => items(ENVIRONMENT.filter((one) => by.includes(one.by)).map(itemOf));

/** `help environment`. */
export const environment: Page = {
  name: 'environment',
  summary: 'Every variable that bursar reads.',
  about: ['A switch is off when it is empty, 0 or false.'],
  sections: [
    ...section('The service and its key', those('service')),
    ...section('Keys that sign', those('key', 'password')),
    ...section('Everything else', those('all')),
    ...section(
      'What outranks what',
      ...text(
        'An option outranks a variable, a variable the project file bursar.json, that the profile, and the profile a default.',
        'A source that names a service overrides all service settings of lower sources: --profile overrides BURSAR_BASE_URL and its key.',
        'No option takes a key or a password as its value: other users could read it. whoami shows what applies and what decided it.',
      ),
    ),
    ...section(
      'Examples',
      commands([
        'BURSAR_PROFILE=sandbox bursar quote BTC USDT',
        'BURSAR_BASE_URL=https://api.example.com BURSAR_API_KEY_FILE=./key bursar products --json',
        'bursar whoami --offline',
      ]),
    ),
  ],
};
