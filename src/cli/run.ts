import { CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../core/exit-codes.ts';
import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { AREAS } from './areas.ts';
import { reportFailure } from './exit.ts';
import { buildProgram } from './program.ts';

/** `help pay run` is `pay run --help`; a word that is no command stays without it, and is named as unknown. */
const withoutHelpWord = async (args: readonly string[]): Promise<readonly string[]> => {
  if (args[0] !== 'help') return args;
  const words = args.slice(1).filter((word) => !word.startsWith('-'));
  if (words.length === 0) return ['--help'];
  const leaves = await AREAS.find(({ name }) => name === words[0])?.load();
  const isKnown = leaves && (words.length === 1 || leaves.some((leaf) => leaf.words.join(' ') === words.join(' ')));
  return isKnown ? [...words, '--help'] : words;
};

const SECRET_FLAGS = /^--(?:api-key|password|private-key|mnemonic)(?:=|$)/;

const usageHint = (args: readonly string[], suggestion: string | undefined): string | undefined => {
  if (args.some((arg) => SECRET_FLAGS.test(arg))) {
    return 'Secrets are never options: other users could read them. For the API key use bursar login (at its prompt, by --api-key-stdin or --api-key-file), BURSAR_API_KEY or BURSAR_API_KEY_FILE; for a password --password-file or --password-stdin.';
  }
  return suggestion;
};

/** commander's complaint as a failure: exit 2, its suggestion as the hint. */
const asUsage = async (error: CommanderError, args: readonly string[]): Promise<Failure> => {
  // The value of an option that is unknown may be a secret, typed in the wrong place.
  const text = error.message.replace(/^error: /, '').replace(/(unknown option '--[^=']+)=[^\n]*'/, "$1'");
  const [message = '', suggestion] = text.split('\n');
  return new Failure('usage', message, {
    hint: usageHint(args, suggestion?.replace(/^\((.*)\)$/, '$1')),
    next: await helpFor(args),
    cause: error,
  });
};

/** A first word alone: its commands are named. */
const notWhole = async (args: readonly string[]): Promise<Failure> => {
  const [area = ''] = args.filter((arg) => !arg.startsWith('-'));
  const leaves = (await AREAS.find(({ name }) => name === area)?.load()) ?? [];
  return new Failure('usage', `"${area}" is not a whole command`, {
    hint: `Its commands are ${leaves.map(({ words }) => words[1]).join(', ')}.`,
    next: `bursar help ${area}`,
  });
};

/** Help for as much of the command as there is. */
const helpFor = async (args: readonly string[]): Promise<string> => {
  const [name, verb] = args.filter((arg) => !arg.startsWith('-'));
  const leaves = await AREAS.find((area) => area.name === name)?.load();
  if (!leaves) return 'bursar --help';
  const leaf = leaves.find(({ words }) => words[1] !== undefined && words[1] === verb);
  return `bursar help ${leaf?.words.join(' ') ?? name}`;
};

const DISPLAYED = ['commander.helpDisplayed', 'commander.version'];

const runArgs = async (io: Io, version: string): Promise<void> => {
  const args = await withoutHelpWord(io.args);
  let shown = '';
  const program = buildProgram(io, version, (text) => {
    shown += text;
  });
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.help') {
      throw await notWhole(args);
    }
    if (!DISPLAYED.includes(error.code)) throw await asUsage(error, args);
    await io.stdout.write(shown);
  }
};

/** Runs one command line from its words to its exit code. Never throws. */
export const run = async (io: Io, version: string): Promise<ExitCode> => {
  try {
    await runArgs(io, version);
    return EXIT.done;
  } catch (error) {
    return reportFailure(io, error);
  }
};
