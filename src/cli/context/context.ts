import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { once } from '../../core/once.ts';
import { fitToStream, isSwitchedOn, wantsLinks } from '../../core/screen.ts';
import { isUnicodeLocale } from '../../core/text.ts';
import type { Clock, Io } from '../../io/io.ts';
import { whyNotAsked } from '../../io/prompt/prompt.ts';
import { guardCalls } from '../../journal/call-guard.ts';
import { palette, wantsColour } from '../../output/colour.ts';
import type { TableStyle } from '../../output/table.ts';
import type { Globals } from '../argv/command-line.ts';
import type { CommandContext, InterruptSummary } from '../command/command.ts';
import { confirming, NOTHING_TYPED, repeated, type TypedLine } from '../print/next-command.ts';
import { resultPrinters } from '../print/print-result.ts';
import { undefinedOnFailure } from './failures.ts';
import { journalOf, openService, selectService } from './service.ts';

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

/**
 * Makes the clock for relative times of a service, such as "2 minutes ago". No deadline uses it. It has the machine's
 * time, adjusted by the service's answers: a sandbox's clock can be moved.
 */
const serviceTime = (clock: Clock) => {
  let skew = 0;
  const observe = (date: string, at: number): void => {
    const ahead = Date.parse(date) - at;
    skew = Math.abs(ahead) > MAX_SKEW_MS ? ahead : 0;
  };
  return {
    now: () => clock.now() + skew,
    /** `io` whose answers from that address set this clock. */
    withServerClock: (io: Io, baseUrl: string): Io => observeDates(io, observe, new URL(baseUrl).origin),
  };
};

const GRACE_MS = 700;

/** The most serious summary: an unknown outcome first, otherwise the operation that started last. */
const mostSerious = (summaries: Iterable<InterruptSummary>): Failure => {
  const all = Array.from(summaries, (summary) => summary());
  return (
    all.findLast(({ code }) => code === 'outcome_unknown') ?? all.at(-1) ?? new Failure('interrupted', 'interrupted')
  );
};

/** An interrupt after the result, while the command still recorded it. stdout gets no second document. */
const besideResult = (): Failure => new Failure('interrupted', 'interrupted', { isPrinted: true });

/**
 * Ends after an interrupt and a grace period in which the work can end by itself. A second interrupt ends it at once.
 * Waits for a result that is being printed. Resolves if it is that of a change, because the change has happened. Rejects
 * otherwise: beside the result of a read without another output.
 */
const whenInterrupted = (io: Io, shared: SharedState, graceMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      if (shared.printed === 'change') return resolve();
      shared.isGivenUp = true;
      reject(shared.printed === 'read' ? besideResult() : mostSerious(shared.interruptSummaries));
    };
    const end = () => {
      if (shared.printing === undefined || io.forceQuit.aborted) return stop();
      void shared.printing.then(stop, stop);
      io.forceQuit.addEventListener('abort', stop, { once: true });
    };
    const giveUp = () => void io.clock.sleep(graceMs, io.forceQuit).then(end, end);
    if (io.interrupted.aborted) giveUp();
    else io.interrupted.addEventListener('abort', giveUp, { once: true });
  });

/** Waits for work. Rejects with the interrupt summary if an interrupt comes and the work does not end in time. */
export const orInterrupted = (io: Io, work: Promise<void>, shared: SharedState, graceMs = GRACE_MS): Promise<void> =>
  Promise.race([work, whenInterrupted(io, shared, graceMs)]);

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
  (io: Io, yes: boolean, { typed, impliedOptions }: SharedState) =>
  async (question: string, isYesDefault?: boolean): Promise<boolean> => {
    if (yes) return true;
    if (io.prompt.isPossible) {
      return confirming(impliedOptions, () => io.prompt.confirm(question, isYesDefault));
    }
    throw new Failure('confirmation_needed', `this needs a confirmation, but ${whyNotAsked(io)}: ${question}`, {
      next: nextStep('again.yes', repeated(typed)),
    });
  };

/** The state that all contexts of one command line share. */
type SharedState = {
  readonly typed: TypedLine;
  /** The lines that are printed once. */
  readonly lines: Set<string>;
  readonly interruptSummaries: Set<InterruptSummary>;
  readonly impliedOptions: CommandContext['impliedOptions'];
  /** The output of the result, once it has started. */
  printing: Promise<void> | undefined;
  /** The result that is on stdout: of a change, or of a command that changes nothing. */
  printed: 'change' | 'read' | undefined;
  /** An interrupt has ended the command: its failure is the output, and nothing follows. */
  isGivenUp: boolean;
};

export const newShared = (typed: TypedLine = NOTHING_TYPED): SharedState => ({
  typed,
  lines: new Set(),
  interruptSummaries: new Set(),
  impliedOptions: new Map(),
  printing: undefined,
  printed: undefined,
  isGivenUp: false,
});

/** The end of --timeout. Questions take the time of the user, so it moves by theirs. */
const movingDeadline = ({ clock, prompt }: Io, { timeoutMs }: Globals): (() => number) => {
  const end = clock.monotonic() - prompt.waitedMs() + timeoutMs;
  return () => end + prompt.waitedMs();
};

const NEVER = new Promise<never>(() => undefined);

/** Builds the context of a command. Its parts are opened on first use. */
export const openCli = (given: Io, globals: Globals, version: string, shared = newShared()): CommandContext => {
  const deadline = movingDeadline(given, globals);
  const io = guardCalls({ ...given, deadline, journal: () => journalOfProfile() });
  const { typed, lines, interruptSummaries, impliedOptions } = shared;
  const write = (line: string) => io.stderr.write(`${fitToStream(line, io.stderr)}\n`);
  const printNote = async (line: string) => (globals.quiet ? undefined : write(line));
  const trace = wantsDebug(io, globals) ? (line: string) => io.stderr.write(`${line}\n`) : undefined;
  const onceEach = (print: typeof printNote) => async (line: string) => {
    if (lines.has(line)) return;
    lines.add(line);
    await print(line);
  };
  const printNoteOnce = onceEach(printNote);
  const warnOnce = onceEach(write);
  const selection = once(() => selectService(io, globals, printNoteOnce));
  const journalOfProfile = once(async () => {
    // A command that needs the service fails by itself. A list of the folder needs none.
    const selected = await undefinedOnFailure(selection());
    return selected && journalOf(selected);
  });
  const service = once(async () => {
    const selected = await selection();
    // A script has no sandbox by default.
    const isDefault = selected.as === 'sandbox' && selected.profile.from === 'default';
    if (isDefault) impliedOptions.set('--profile', selected.profile.value);
    return openService(io, selected, printNoteOnce);
  });
  const time = serviceTime(io.clock);
  const styleFor = (stream: Io['stdout']) => styleOf(io, stream, globals.noColour, time.now);
  const isVerbose = trace !== undefined || (globals.verbose && !globals.quiet);
  const note = isVerbose ? (line: string) => io.stderr.write(`${line}\n`) : undefined;
  const style = io.stdout.isTerminal ? styleFor(io.stdout) : undefined;
  const printers = resultPrinters(io, typed, globals, style, printNote);
  return {
    io,
    globals,
    typed,
    version,
    service,
    get deadline() {
      return deadline();
    },
    trace,
    selection,
    profile: async () => (await selection()).settings,
    client: async () => {
      const opened = await service();
      return {
        io: time.withServerClock(io, opened.baseUrl),
        service: opened,
        get deadline() {
          return deadline();
        },
        trace,
        note,
      };
    },
    withServerClock: (baseUrl) => time.withServerClock(io, baseUrl),
    printResult: (...result) => {
      if (shared.isGivenUp) return NEVER;
      shared.printing = printers.printResult(...result).then(() => {
        shared.printed ??= 'read';
      });
      return shared.printing;
    },
    printCommitted: (...result) => {
      if (shared.isGivenUp) return NEVER;
      shared.printing = printers.printCommitted(...result).then(() => {
        shared.printed = 'change';
      });
      return shared.printing;
    },
    printNote,
    printNoteOnce,
    warn: (text) => warnOnce(`warning: ${text}`),
    talkStyle: styleFor(io.stderr),
    confirm: confirmWith(io, globals.yes, shared),
    interruptSummaries,
    equivalentArgs: undefined,
    impliedOptions,
  };
};
