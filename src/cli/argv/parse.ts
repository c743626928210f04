import { CommanderError } from 'commander';
import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { AREAS } from '../command/areas.ts';
import type { Command } from '../command/command.ts';
import { GLOBAL_OPTIONS } from './globals.ts';
import { buildProgram } from './program.ts';

const SECRET_FLAGS = /^--(?:api-key|password|private-key|mnemonic)(?:=|$)/;

const usageHint = (args: readonly string[], suggestion: string | undefined): string | undefined => {
  if (args.some((arg) => SECRET_FLAGS.test(arg))) {
    return 'Secrets are never options: other users could read them. For the API key use bursar login (at its prompt, by --api-key-stdin or --api-key-file), BURSAR_API_KEY or BURSAR_API_KEY_FILE; for a password --password-file or --password-stdin.';
  }
  return suggestion;
};

/** The words of a command line that are neither options nor what a global option takes. */
const wordsOf = (args: readonly string[]): readonly string[] =>
  args.filter((arg, at) => {
    const before = GLOBAL_OPTIONS.find(({ flag }) => flag === args[at - 1]);
    return !arg.startsWith('-') && !(before && 'value' in before);
  });

/** commander's complaint as a failure: exit 2, its suggestion as the hint. */
const asUsage = async (error: CommanderError, args: readonly string[]): Promise<Failure> => {
  const { mistakeIn } = await import('./parse-mistake.ts');
  const { message, hint, errors } = mistakeIn(error, args, await leafFor(args));
  return new Failure('usage', message, {
    hint: usageHint(args, hint),
    errors,
    next: await helpFor(args),
    cause: error,
  });
};

/** A first word alone: its commands are named. */
const notWhole = async (args: readonly string[]): Promise<Failure> => {
  const [area] = wordsOf(args);
  if (area === undefined) return new Failure('usage', 'no command was given', { next: nextStep('help') });
  const commands = (await AREAS.find(({ name }) => name === area)?.load()) ?? [];
  return new Failure('usage', `"${area}" is not a whole command`, {
    hint: `Its commands are ${commands.map(({ words }) => words[1]).join(', ')}.`,
    next: nextStep('help', area),
  });
};

/** The command that is meant, where the words of one are there. */
const leafFor = async (args: readonly string[]): Promise<Command | undefined> => {
  const [name, verb] = wordsOf(args);
  const commands = await AREAS.find((area) => area.name === name)?.load();
  return commands?.find(({ words }) => words[1] === undefined || words[1] === verb);
};

/** Help for as much of the command as there is. */
const helpFor = async (args: readonly string[]): Promise<NextStep> => {
  const [name, verb] = wordsOf(args);
  const commands = await AREAS.find((area) => area.name === name)?.load();
  if (!commands) return nextStep('help');
  const command = commands.find(({ words }) => words[1] !== undefined && words[1] === verb);
  return nextStep('help', ...(command?.words ?? [name ?? '']));
};

/** The words that help is asked about by the word `help`: before them, or after those of an area as in `pay help run`. */
const askedAbout = (args: readonly string[], error: CommanderError): readonly string[] | undefined => {
  const [area = '', help, ...rest] = wordsOf(args);
  return error.code === 'commander.unknownCommand' && help === 'help' ? [area, ...rest] : undefined;
};

/**
 * Does what a command line asks for, whatever its words. Resolves with the words of the command that help was asked for,
 * where it was. Throws `usage`.
 */
export const parseAndRun = async (io: Io, version: string): Promise<readonly string[] | undefined> => {
  let helped: readonly string[] | undefined;
  let shown = '';
  const { args } = io;
  const [word, ...about] = wordsOf(args);
  if (word === 'help') return about;
  const program = buildProgram(io, version, {
    out: (text) => {
      shown += text;
    },
    help: (words) => {
      helped = words;
    },
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.help') throw await notWhole(args);
    if (error.code === 'commander.helpDisplayed') return helped;
    const words = askedAbout(args, error);
    if (words) return words;
    if (error.code !== 'commander.version') throw await asUsage(error, args);
    await io.stdout.write(shown);
  }
  return undefined;
};
