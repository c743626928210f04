import type { Client } from '../../client/call.ts';
import type { Service } from '../../client/envelope.ts';
import type { Trace } from '../../client/trace.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { once } from '../../core/once.ts';
import { fitToStream, isSwitchedOn, wantsLinks } from '../../core/screen.ts';
import { isUnicodeLocale } from '../../core/text.ts';
import type { Clock, Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/render.ts';
import type { TableStyle } from '../../output/table.ts';
import type { Globals } from '../argv/command-line.ts';
import { NOTHING_TYPED, repeated, type Typed } from '../print/next-command.ts';
import { type PrintResult, resultPrinters } from '../print/print-result.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { Selection } from '../profiles/selection.ts';
import { openService, selectService } from './service.ts';

/** A larger difference between two clocks is not the delay of an answer. */
const MAX_SKEW_MS = 60_000;

/** `io` with an observer of the `Date` header of each answer, from one origin or from all. `at` is the local time. */
export const observeDates = (io: Io, note: (date: string, at: number) => void, origin?: string): Io => ({
  ...io,
  http: {
    send: async (request) => {
      const answer = await io.http.send(request);
      const date = answer.kind === 'answer' ? answer.headers['date'] : undefined;
      const isSameOrigin = origin === undefined || new URL(request.url).origin === origin;
      if (date !== undefined && isSameOrigin) note(date, io.clock.now());
      return answer;
    },
  },
});

/** The clock for relative times of a service, such as "2 minutes ago". No deadline uses it. */
type ServiceTime = {
  readonly now: () => number;
  /** `io` whose answers from that address set this clock. */
  readonly withServerClock: (io: Io, baseUrl: string) => Io;
};

/** Makes a clock with the machine's time, adjusted by the service's answers: a sandbox's clock can be moved. */
const serviceTime = (clock: Clock): ServiceTime => {
  let skew = 0;
  const observe = (date: string, at: number): void => {
    const ahead = Date.parse(date) - at;
    skew = Math.abs(ahead) > MAX_SKEW_MS ? ahead : 0;
  };
  return {
    now: () => clock.now() + skew,
    withServerClock: (io, baseUrl) => observeDates(io, observe, new URL(baseUrl).origin),
  };
};

/** The failure of one operation if an interrupt ends the command before the operation ends. */
type InterruptSummary = () => Failure;

const GRACE_MS = 700;

/** The most serious summary: an unknown outcome first, otherwise the operation that started last. */
const mostSerious = (summaries: Iterable<InterruptSummary>): Failure => {
  const all = Array.from(summaries, (summary) => summary());
  return (
    all.findLast(({ code }) => code === 'outcome_unknown') ?? all.at(-1) ?? new Failure('interrupted', 'interrupted')
  );
};

/** Rejects after an interrupt and a grace period in which the work can end by itself. A second interrupt ends it at once. */
const whenInterrupted = (io: Io, summaries: Iterable<InterruptSummary>, graceMs: number): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(mostSerious(summaries));
    const giveUp = () => void io.clock.sleep(graceMs, io.forceQuit).then(end, end);
    if (io.interrupted.aborted) giveUp();
    else io.interrupted.addEventListener('abort', giveUp, { once: true });
  });

/** Waits for work. Rejects with the interrupt summary if an interrupt comes and the work does not end in time. */
export const orInterrupted = <T>(
  io: Io,
  work: Promise<T>,
  summaries: Iterable<InterruptSummary>,
  graceMs = GRACE_MS,
): Promise<T> => Promise.race([work, whenInterrupted(io, summaries, graceMs)]);

/**
 * The context of a command before its first effect. A command may run up to there again with the answers to questions, because
 * nothing in this context sends, confirms or prints a result.
 */
export type ReadContext = {
  readonly io: Io;
  readonly globals: Globals;
  /** The command line as typed, without answers to questions. */
  readonly typed: Typed;
  /** The version of bursar. */
  readonly version: string;
  /** `io` with an observer: the dates of answers from that address set the clock for relative times. */
  readonly withServerClock: (baseUrl: string) => Io;
  /** Selects the service of this command, with the source of the choice. Starts nothing and reads no key. */
  readonly selection: () => Promise<Selection>;
  /** The settings of this command's profile; empty without a profile. */
  readonly profile: () => Promise<ProfileSettings>;
  /** The `io.clock.monotonic()` at which --timeout ends the command. */
  readonly deadline: number;
  /** Prints calls, for --debug. */
  readonly trace: Trace | undefined;
  /** Prints a line of progress or advice on stderr, except with --quiet. */
  readonly say: (line: string) => Promise<void>;
  /** Prints a line as `say` does, but only once for a command line. */
  readonly sayOnce: (line: string) => Promise<void>;
  /** Prints a warning on stderr, once for a command line, even with --quiet. */
  readonly warn: (text: string) => Promise<void>;
  /** The style of tables on stderr. */
  readonly talkStyle: TableStyle;
  /** The summaries of the operations of this command line, for an interrupt that ends them. */
  readonly interruptSummaries: Set<InterruptSummary>;
  /** The command line with the user's answers as options; `undefined` if nothing was asked. */
  readonly equivalentArgs: readonly string[] | undefined;
};

/** Everything by which a command has an effect: calls, results and confirmations. */
export type EffectDoors = {
  /** Opens the service of this command, once. Starts the sandbox if it is the service. */
  readonly service: () => Promise<Service>;
  readonly client: () => Promise<Client>;
  readonly printResult: PrintResult;
  /** Prints the result of a command that moved money or changed something, even if stdout fails. */
  readonly printCommitted: PrintResult;
  /**
   * Asks for a yes or no; `isYesDefault`: Enter alone is a yes. Throws `confirmation_needed` without a terminal and without
   * --yes.
   */
  readonly confirm: (question: string, isYesDefault?: boolean) => Promise<boolean>;
};

/** The context of a command: io, global options, the service on demand, and the printers. */
export type CommandContext = ReadContext & EffectDoors;

const wantsDebug = (io: Io, { debug }: Globals): boolean => debug || isSwitchedOn(io.env['BURSAR_DEBUG']);

const styleOf = (io: Io, stream: Io['stdout'], noColour: boolean, now: () => number): TableStyle => ({
  columns: stream.columns,
  colour: palette(wantsColour(io.env, stream, noColour)),
  unicode: isUnicodeLocale(io.env),
  links: wantsLinks(io.env, stream, noColour),
  // A getter, because the first answer of the service can change the clock.
  get now() {
    return now();
  },
});

const confirmWith =
  (io: Io, yes: boolean, typed: Typed) =>
  async (question: string, isYesDefault?: boolean): Promise<boolean> => {
    if (yes) return true;
    if (io.prompt.isPossible) return io.prompt.confirm(question, isYesDefault);
    throw new Failure('confirmation_needed', `this needs a confirmation, but there is no terminal: ${question}`, {
      next: nextStep('again.yes', repeated(typed)),
    });
  };

/**
 * The state that all contexts of one command line share: the typed arguments, the lines printed once, and the interrupt
 * summaries.
 */
export const newShared = (typed: Typed = NOTHING_TYPED) => ({
  typed,
  printed: new Set<string>(),
  interruptSummaries: new Set<InterruptSummary>(),
});

/** Builds the context of a command. Its parts are opened on first use. */
export const openCli = (
  io: Io,
  globals: Globals,
  version: string,
  { typed, printed, interruptSummaries } = newShared(),
): CommandContext => {
  const deadline = io.clock.monotonic() + globals.timeoutMs;
  const write = (line: string) => io.stderr.write(`${fitToStream(line, io.stderr)}\n`);
  const say = async (line: string) => (globals.quiet ? undefined : write(line));
  const trace = wantsDebug(io, globals) ? (line: string) => io.stderr.write(`${line}\n`) : undefined;
  const onceEach = (print: typeof say) => async (line: string) => {
    if (printed.has(line)) return;
    printed.add(line);
    await print(line);
  };
  const sayOnce = onceEach(say);
  const warnOnce = onceEach(write);
  const selection = once(() => selectService(io, globals, sayOnce));
  const service = once(async () => openService(io, await selection(), sayOnce));
  const time = serviceTime(io.clock);
  const styleFor = (stream: Io['stdout']) => styleOf(io, stream, globals.noColour, time.now);
  const isVerbose = trace !== undefined || (globals.verbose && !globals.quiet);
  const note = isVerbose ? (line: string) => io.stderr.write(`${line}\n`) : undefined;
  return {
    io,
    globals,
    typed,
    version,
    service,
    deadline,
    trace,
    selection,
    profile: async () => (await selection()).settings,
    client: async () => {
      const opened = await service();
      return { io: time.withServerClock(io, opened.baseUrl), service: opened, deadline, trace, note };
    },
    withServerClock: (baseUrl) => time.withServerClock(io, baseUrl),
    ...resultPrinters(io, typed, globals, io.stdout.isTerminal ? styleFor(io.stdout) : undefined, say),
    say,
    sayOnce,
    warn: (text) => warnOnce(`warning: ${text}`),
    talkStyle: styleFor(io.stderr),
    confirm: confirmWith(io, globals.yes, typed),
    interruptSummaries,
    equivalentArgs: undefined,
  };
};
