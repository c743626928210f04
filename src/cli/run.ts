import { EXIT, type ExitCode } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { reportFailure } from './print/exit.ts';

/** What a plain wish for help is about, word by word; `undefined` where the command line has to be parsed first. */
const plainHelp = (args: readonly string[]): readonly string[] | undefined => {
  const [first] = args;
  if (first === 'help' && !args.some((word) => word.startsWith('-'))) return args.slice(1);
  return args.length === 0 || (args.length === 1 && (first === '--help' || first === '-h')) ? [] : undefined;
};

const runArgs = async (io: Io, version: string): Promise<void> => {
  const words = plainHelp(io.args) ?? (await (await import('./argv/parse.ts')).parseAndRun(io, version));
  if (!words) return;
  const { pageOf, shown } = await import('./help/show.ts');
  const page = io.args.length === 0 ? (await import('./help/first-page.ts')).firstPage() : await pageOf(words);
  await io.stdout.write(shown(io, page));
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
