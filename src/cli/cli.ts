import type { Client } from '../client/call.ts';
import type { Service } from '../client/service.ts';
import { Failure } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { palette, wantsColour } from '../output/colour.ts';
import { render } from '../output/render.ts';
import { selectFields } from '../output/select.ts';
import type { TableStyle } from '../output/table.ts';
import { type Given, isOn, textOf } from './command.ts';
import { chooseService } from './service.ts';

/** What a command works with: the world, the wishes of the command line, and a service when it needs one. */
export type Cli = {
  readonly io: Io;
  readonly globals: Globals;
  /** The service of this command; starts the sandbox when that is the one. Chosen once. */
  readonly service: () => Promise<Service>;
  readonly client: () => Promise<Client>;
  /** The answer, on stdout. `rows` names what a table shows of it, where that is only a part. */
  readonly answer: (value: unknown, rows?: unknown) => Promise<void>;
  /** A line of conversation, on stderr. */
  readonly say: (line: string) => Promise<void>;
  /** How a table on stderr looks. */
  readonly talkStyle: TableStyle;
  /** Throws `confirmation_needed` where nobody can be asked and --yes is not given; `false` is a no. */
  readonly confirm: (question: string) => Promise<boolean>;
};

export type Globals = {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly json: boolean;
  readonly envelope: boolean;
  readonly fields: readonly string[] | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly dryRun: boolean;
  readonly curl: boolean;
  readonly timeoutMs: number;
  readonly yes: boolean;
  readonly noColour: boolean;
};

const DEFAULT_TIMEOUT_S = '120';

const timeoutOf = (text: string): number => {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400) {
    throw new Failure('usage', `--timeout: "${text}" is not a number of seconds between 0 and 86400`);
  }
  return seconds * 1000;
};

/** Reads the global options of a command line. */
export const globalsFrom = (given: Given): Globals => ({
  profile: textOf(given, 'profile'),
  baseUrl: textOf(given, 'base-url'),
  json: isOn(given, 'json') || isOn(given, 'envelope'),
  envelope: isOn(given, 'envelope'),
  fields: textOf(given, 'fields')
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean),
  quiet: isOn(given, 'quiet'),
  verbose: isOn(given, 'verbose'),
  debug: isOn(given, 'debug'),
  dryRun: isOn(given, 'dry-run'),
  curl: isOn(given, 'curl'),
  timeoutMs: timeoutOf(textOf(given, 'timeout') ?? DEFAULT_TIMEOUT_S),
  yes: isOn(given, 'yes'),
  noColour: isOn(given, 'no-color'),
});

const canUnicode = (env: Io['env']): boolean => {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
};

const styleOf = (io: Io, stream: Io['stdout'], noColour: boolean): TableStyle => ({
  columns: stream.columns,
  colour: palette(wantsColour(io.env, stream, noColour)),
  unicode: canUnicode(io.env),
});

const confirmWith =
  (io: Io, yes: boolean) =>
  async (question: string): Promise<boolean> => {
    if (yes) return true;
    if (io.prompt.isPossible) return io.prompt.confirm(question);
    throw new Failure('confirmation_needed', `nobody can be asked: ${question}`, {
      next: 'Add --yes to go on without asking.',
    });
  };

/** Puts a command's context together. Nothing is built or started until it is used. */
export const openCli = (io: Io, globals: Globals): Cli => {
  const deadline = io.clock.monotonic() + globals.timeoutMs;
  const say = async (line: string) => (globals.quiet ? undefined : io.stderr.write(`${line}\n`));
  let chosen: Promise<Service> | undefined;
  const service = () => {
    chosen ??= chooseService(io, globals, say);
    return chosen;
  };
  return {
    io,
    globals,
    service,
    client: async () => ({ io, service: await service(), deadline }),
    answer: async (value, rows = value) => {
      const { json, fields } = globals;
      const shown = fields ? selectFields(json && !Array.isArray(rows) ? value : rows, fields) : undefined;
      if (json) return io.stdout.write(`${printJson(shown ?? value, 2)}\n`);
      const style = io.stdout.isTerminal ? styleOf(io, io.stdout, globals.noColour) : undefined;
      return io.stdout.write(render(shown ?? rows, style));
    },
    say,
    talkStyle: styleOf(io, io.stderr, globals.noColour),
    confirm: confirmWith(io, globals.yes),
  };
};
