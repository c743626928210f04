import { EXIT, type ExitCode } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { CommandLine } from './argv/command-line.ts';

const OF_HELP: readonly string[] = ['--help', '-h', '--no-color'];

/** The name of the page that a command line of words and options of help asks for; `undefined` for any other line. */
const namedPage = (line: CommandLine): string | undefined => {
  const [words, parts] = [line.words([]), line.parts([])];
  if (parts.length === 0) return '';
  if (parts.some((part) => part.kind === 'end' || (part.kind === 'option' && !OF_HELP.includes(part.flag))))
    return undefined;
  const isHelp = words[0] === 'help' || line.has('--help') || line.has('-h');
  const about = words[0] === 'help' ? words.slice(1) : words;
  return isHelp ? about.join(' ') || 'help' : undefined;
};

/** Most pages of help are made by the build: they need no command and no other part of the program. */
const printPrepared = async (io: Io, line: CommandLine): Promise<boolean> => {
  const name = namedPage(line);
  const page = name === undefined ? undefined : await (await import('./help/prepared.ts')).preparedPage(name);
  if (page === undefined) return false;
  const { layOut, lookOf } = await import('./help/lay-out.ts');
  await io.stdout.write(layOut(page, lookOf(io, line.has('--no-color'))));
  return true;
};

/** What a plain request for help is about, word by word; `undefined` where the command line has to be parsed first. */
const plainHelp = (line: CommandLine): readonly string[] | undefined => {
  const [words, { length }] = [line.words([]), line.parts([])];
  if (words[0] === 'help' && words.length === length) return words.slice(1);
  return length === 0 || (length === 1 && (line.has('--help') || line.has('-h'))) ? [] : undefined;
};

const runLine = async (io: Io, line: CommandLine, version: string): Promise<void> => {
  if (await printPrepared(io, line)) return;
  const words = plainHelp(line) ?? (await (await import('./argv/parse.ts')).parseAndRun(io, line, version));
  if (!words) return;
  const { firstPage, pageOf, shown } = await import('./help/show.ts');
  const page = line.parts([]).length === 0 ? firstPage() : await pageOf(words);
  await io.stdout.write(shown(io, page, line.has('--no-color')));
};

/** Runs one command line from its words to its exit code. Never throws. */
export const run = async (io: Io, line: CommandLine, version: string): Promise<ExitCode> => {
  try {
    await runLine(io, line, version);
    return EXIT.done;
  } catch (error) {
    return (await import('./print/exit.ts')).reportFailure(io, line, error);
  }
};
