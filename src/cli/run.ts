import { EXIT, type ExitCode } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { CommandLine, Part } from './argv/command-line.ts';
import type { Page } from './help/page.ts';

const OF_HELP: readonly string[] = ['--help', '-h', '--no-color'];

/** The words that a line asks help about, if it has no other options; `undefined` for any other line. */
const askedHelp = (line: CommandLine): readonly string[] | undefined => {
  const [words, parts] = [line.words([]), line.parts([])];
  const isOther = (part: Part) => part.kind === 'end' || (part.kind === 'option' && !OF_HELP.includes(part.flag));
  if (parts.some(isOther)) return undefined;
  if (words[0] === 'help') return words.slice(1);
  return parts.length === 0 || line.has('--help') || line.has('-h') ? words : undefined;
};

/**
 * The page of help that a line asks for; runs the command of any other line. Most pages are made by the build, and need
 * no other part of the program.
 */
const pageOrRun = async (io: Io, line: CommandLine, version: string): Promise<Page | undefined> => {
  const isShort = line.parts([]).length === 0 || (line.has('-h') && !line.has('--help'));
  const length = isShort ? 'short' : 'whole';
  const asked = askedHelp(line);
  const { preparedPage } = await import('./help/prepared.ts');
  const prepared = asked && (await preparedPage(asked, length));
  if (prepared) return prepared;
  // Words before --help may be arguments of a command, or an alias, which only the whole line shows.
  const about = asked?.length === 0 ? asked : await (await import('./argv/parse.ts')).parseAndRun(io, line, version);
  if (!about) return undefined;
  return (await preparedPage(about, length)) ?? (await import('./help/show.ts')).pageOf(about, length);
};

const runLine = async (io: Io, line: CommandLine, version: string): Promise<void> => {
  const page = await pageOrRun(io, line, version);
  if (!page) return;
  const { layOut, lookOf } = await import('./help/lay-out.ts');
  await io.stdout.write(layOut(page, lookOf(io, line.has('--no-color'))));
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
