import { basename, join } from 'node:path';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Io } from '../../../io/io.ts';
import { wantsColour } from '../../../output/colour.ts';
import { type Check, type Finding, failed, ok, orFailed, skip, warn } from './finding.ts';

/** The oldest Node version that bursar supports, equal to `engines` of package.json. */
export const OLDEST_NODE = '20.19';

const numbers = (version: string): readonly number[] => version.replace(/^v/, '').split('.').map(Number);

const isOlder = (version: string, than: string): boolean => {
  const [own, other] = [numbers(version), numbers(than)];
  const at = other.findIndex((number, place) => (own[place] ?? 0) !== number);
  return at >= 0 && (own[at] ?? 0) < (other[at] ?? 0);
};

/** Whether bursar supports this version of Node. */
export const checkNode: Check = async ({ io: { machine }, version }) => {
  const message = `bursar ${version} on Node ${machine.node}, ${machine.system} ${machine.processor}`;
  if (!isOlder(machine.node, OLDEST_NODE)) return [ok('node', message)];
  return [failed('node', new Failure('bad_settings', `${message}: too old; install Node ${OLDEST_NODE} or newer`))];
};

/** Whether there is a terminal, and what it can show. */
export const checkTerminal: Check = async ({ io, globals, talkStyle }) => {
  const { stdout, stdin, stderr, prompt } = io;
  if (![stdin, stdout, stderr].some((one) => one.isTerminal))
    return [ok('terminal', 'none: plain output, no questions')];
  const message = [
    stdout.isTerminal ? `${stdout.columns} columns` : 'output to a pipe or a file',
    wantsColour(io.env, stdout, globals.noColour) ? 'colour' : 'no colour',
    talkStyle.unicode ? 'Unicode' : 'ASCII',
    prompt.isPossible ? 'questions' : 'no questions',
  ];
  return [ok('terminal', message.join(', '))];
};

/** Whether the system has a keyring. Without one `login` offers a private file. */
export const checkKeyring: Check = async ({ io }) => {
  try {
    await io.keyring.assertAvailable();
    return [ok('keyring', 'available: login stores API keys in it')];
  } catch (error) {
    if (!isFailure(error, 'unreadable_file')) throw error;
    return [skip('keyring', `${error.sentence}; at a terminal, login offers a private file instead`)];
  }
};

/** Checks the optional packages of the sandbox. A missing one is a failure only if the sandbox is the service in use. */
export const checkSandbox: Check = (cli) =>
  orFailed('sandbox', async () => {
    const { sandboxParts } = await import('../../../sandbox/parts.ts');
    const isNeeded = (await cli.selection().catch(() => undefined))?.as === 'sandbox';
    return (await sandboxParts()).map(({ part, message, failure, limit }): Finding => {
      if (limit !== undefined) return warn('sandbox', `${part}: ${message}; ${limit}`);
      if (!failure) return ok('sandbox', `${part}: ${message}`);
      const finding = failed('sandbox', failure);
      return isNeeded ? finding : warn('sandbox', finding.message, finding.next);
    });
  });

/** The completion files that each shell loads from the user's folders and the system. */
const COMPLETION_FILES: Readonly<Record<string, (home: string, env: Io['env']) => readonly string[]>> = {
  bash: (home, env) => [
    join(
      env['BASH_COMPLETION_USER_DIR'] ?? join(env['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'bash-completion'),
      'completions/bursar',
    ),
    '/usr/share/bash-completion/completions/bursar',
    '/usr/local/share/bash-completion/completions/bursar',
    '/etc/bash_completion.d/bursar',
  ],
  zsh: (home) => [
    join(home, '.zsh/completions/_bursar'),
    join(home, '.zfunc/_bursar'),
    '/usr/share/zsh/site-functions/_bursar',
    '/usr/local/share/zsh/site-functions/_bursar',
  ],
  fish: (home, env) => [
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'fish/completions/bursar.fish'),
    '/usr/share/fish/vendor_completions.d/bursar.fish',
  ],
};

const START_FILES: Readonly<Record<string, readonly string[]>> = {
  bash: ['.bashrc', '.bash_profile', '.profile'],
  zsh: ['.zshrc'],
  fish: ['.config/fish/config.fish'],
};

const INSTALL_COMMANDS: Readonly<Record<string, string>> = {
  bash: "echo 'source <(bursar completion bash)' >> ~/.bashrc",
  zsh: "echo 'source <(bursar completion zsh)' >> ~/.zshrc",
  fish: 'bursar completion fish > ~/.config/fish/completions/bursar.fish',
};

const MAX_BYTES = 1024 * 1024;

const loadsCompletion = async (io: Io, path: string): Promise<boolean> => {
  const facts = await io.files.targetFacts(path);
  if (!facts?.isFile || facts.size > MAX_BYTES) return false;
  return /bursar.*completion|completions?\/_?bursar/.test(new TextDecoder().decode(await io.files.read(path)));
};

const isInstalled = async (io: Io, shell: string, home: string): Promise<boolean> => {
  const files = COMPLETION_FILES[shell]?.(home, io.env) ?? [];
  const found = await Promise.all(files.map(async (path) => (await io.files.targetFacts(path)) !== undefined));
  const loaded = await Promise.all((START_FILES[shell] ?? []).map((file) => loadsCompletion(io, join(home, file))));
  return [...found, ...loaded].includes(true);
};

/** Whether the user's shell completes bursar commands. */
export const checkCompletion: Check = async ({ io }) => {
  const [shell, home] = [basename(io.env['SHELL'] ?? ''), io.env['HOME']];
  if (!home || !Object.hasOwn(COMPLETION_FILES, shell))
    return [skip('completion', 'the shell is not bash, zsh or fish')];
  if (await isInstalled(io, shell, home)) return [ok('completion', `installed for ${shell}`)];
  const message = `not installed for ${shell}; to install it: ${INSTALL_COMMANDS[shell]}`;
  return [warn('completion', message, nextStep('help', 'completion'))];
};
