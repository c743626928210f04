import type { Command } from '../command/command.ts';
import type { Option } from '../command/options.ts';
import type { Item } from './page.ts';

/** The commands that read a variable: those that call the service, sign, or unlock a key; or all. */
type ReadBy = 'service' | 'key' | 'password' | 'all';

/** An environment variable: its readers and its purpose. */
export type Variable = { readonly name: string; readonly by: ReadBy; readonly description: string };

/** Every variable that bursar reads. */
export const ENVIRONMENT: readonly Variable[] = [
  { name: 'BURSAR_PROFILE', by: 'service', description: 'Profile of the service; as --profile' },
  { name: 'BURSAR_BASE_URL', by: 'service', description: 'Address of the service; as --base-url' },
  { name: 'BURSAR_API_KEY', by: 'service', description: 'API key of that address' },
  {
    name: 'BURSAR_API_KEY_FILE',
    by: 'service',
    description: 'File that holds the API key, readable by its owner alone',
  },
  { name: 'BURSAR_KEY', by: 'key', description: 'Key that signs; one for each family of chains, with a comma' },
  { name: 'BURSAR_KEY_PASSWORD_FILE', by: 'password', description: 'File that holds the password; as --password-file' },
  {
    name: 'BURSAR_KEY_PASSWORD',
    by: 'password',
    description: 'The password itself; warned about, for other programs may see it',
  },
  { name: 'BURSAR_HOME', by: 'all', description: 'One folder for settings, keys, journal, cache and sandbox' },
  {
    name: 'XDG_CONFIG_HOME',
    by: 'all',
    description: 'Where settings and keys are without BURSAR_HOME (default ~/.config)',
  },
  { name: 'XDG_STATE_HOME', by: 'all', description: 'The same for journal and sandbox (default ~/.local/state)' },
  { name: 'XDG_CACHE_HOME', by: 'all', description: 'The same for what is cached (default ~/.cache)' },
  { name: 'BURSAR_NO_INPUT', by: 'all', description: 'Never ask; as --no-input' },
  {
    name: 'BURSAR_QUIET',
    by: 'all',
    description: 'Say nothing on stderr but errors and warnings about money; as --quiet',
  },
  { name: 'BURSAR_DEBUG', by: 'all', description: 'Show requests and answers on stderr, secrets masked; as --debug' },
  { name: 'CI', by: 'all', description: 'Never ask, never animate, and never choose the sandbox unasked' },
  { name: 'NO_COLOR', by: 'all', description: 'No colour, if it is not empty; as --no-color' },
  { name: 'FORCE_COLOR', by: 'all', description: 'Colour also where the output is no terminal; 0 for none' },
  { name: 'CLICOLOR_FORCE', by: 'all', description: 'The same' },
  { name: 'CLICOLOR', by: 'all', description: '0 for no colour' },
  { name: 'TERM', by: 'all', description: 'dumb for neither colour nor animation' },
  { name: 'BURSAR_ACCESSIBLE', by: 'all', description: 'Ask by numbered lines, move no cursor, animate nothing' },
  { name: 'ACCESSIBLE', by: 'all', description: 'The same' },
  { name: 'FORCE_HYPERLINK', by: 'all', description: 'Links on a terminal that is not known to take them; 0 for none' },
  { name: 'LC_ALL', by: 'all', description: 'Whether the terminal shows more than ASCII; else LC_CTYPE, else LANG' },
  { name: 'LC_CTYPE', by: 'all', description: 'The same, where LC_ALL is not set' },
  { name: 'LANG', by: 'all', description: 'The same, where neither is set' },
  { name: 'HTTPS_PROXY', by: 'all', description: 'Proxy for https; https_proxy outranks it' },
  { name: 'HTTP_PROXY', by: 'all', description: 'Proxy for http; http_proxy outranks it' },
  { name: 'ALL_PROXY', by: 'all', description: 'Proxy for both; all_proxy outranks it' },
  { name: 'NO_PROXY', by: 'all', description: 'Hosts without proxy; this machine never has one' },
  { name: 'NODE_TLS_REJECT_UNAUTHORIZED', by: 'all', description: '0 checks no certificates; that is warned about' },
];

/** The line of a variable in help. */
export const itemOf = ({ name, description }: Variable): Item => [name, description];

/** The variables that a command reads, besides those of every command. */
export const variablesOf = ({ calls = [], options = [] }: Command): readonly Variable[] => {
  const has = (kind: Option['environment']) => options.some(({ environment }) => environment === kind);
  const reads = { service: calls.length > 0, key: has('key'), password: has('password'), all: false };
  return ENVIRONMENT.filter(({ by }) => reads[by]);
};
