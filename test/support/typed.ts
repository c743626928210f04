import { GLOBAL_OPTIONS, readCommandLine } from '../../src/cli/argv/command-line.ts';
import type { Option, ParsedArgs } from '../../src/cli/command/options.ts';
import type { TypedLine } from '../../src/cli/print/next-command.ts';

/** The parse result of a command line, for a command with these options. */
export const typedAs = (argv: readonly string[], own: readonly Option[] = []): TypedLine => {
  const options = [...GLOBAL_OPTIONS, ...own];
  const parts = readCommandLine(argv).parts(options);
  const given: Record<string, ParsedArgs[string]> = {};
  for (const part of parts) if (part.kind === 'option') given[part.flag.slice(2)] = part.value ?? true;
  return { argv, given, parts, options };
};
