import { EXIT, type ExitCode } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { CommandLine } from './argv/command-line.ts';
import { reportFailure } from './print/exit.ts';

/** What a plain request for help is about, word by word; `undefined` where the command line has to be parsed first. */
const plainHelp = (line: CommandLine): readonly string[] | undefined => {
  const [words, { length }] = [line.words([]), line.parts([])];
  if (words[0] === 'help' && words.length === length) return words.slice(1);
  return length === 0 || (length === 1 && (line.has('--help') || line.has('-h'))) ? [] : undefined;
};

const runLine = async (io: Io, line: CommandLine, version: string): Promise<void> => {
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
    return reportFailure(io, line, error);
  }
};
