import type { Client } from '../../client/call.ts';
import type { Service } from '../../client/service.ts';
import type { Trace } from '../../client/trace.ts';
import { isUnicodeLocale } from '../../core/ascii.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { once } from '../../core/once.ts';
import { isSwitchedOn } from '../../core/switched-on.ts';
import { fitted } from '../../core/wrap.ts';
import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';
import { wantsLinks } from '../../output/link.ts';
import type { TableStyle } from '../../output/table.ts';
import type { Globals } from '../argv/globals.ts';
import { NOTHING_TYPED, repeated, type Typed } from '../print/next-command.ts';
import { type Answer, answers } from '../print/print-result.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { Selection } from '../profiles/selection.ts';
import type { LastWord } from './interrupt.ts';
import { openService, selectService } from './service.ts';
import { serviceTime } from './service-time.ts';

/** What a command works with before its first effect: it may be run up to there once more, with answers to questions. */
export type ReadContext = {
  readonly io: Io;
  readonly globals: Globals;
  /** The command line as it was typed, without answers to questions. */
  readonly typed: Typed;
  /** bursar's own. */
  readonly version: string;
  /** The same world as `io`: the answers of that address say by what time the moments of an answer are told. */
  readonly withServerClock: (baseUrl: string) => Io;
  /** Which service this command is about, and what said so. Starts nothing and reads no key. */
  readonly selection: () => Promise<Selection>;
  /** What the profile of this command says beside its service; nothing where there is no profile. */
  readonly profile: () => Promise<ProfileSettings>;
  /** When the time given by --timeout is over, and where --debug tells of calls. */
  readonly deadline: number;
  readonly trace: Trace | undefined;
  /** A line of conversation, on stderr: what goes on, and what could be done. Nothing with --quiet. */
  readonly say: (line: string) => Promise<void>;
  /** The same, once in a command line, however often the command is run for it. */
  readonly sayOnce: (line: string) => Promise<void>;
  /** What nobody who moves money may miss, on stderr: said whatever --quiet, and once in a command line. */
  readonly warn: (text: string) => Promise<void>;
  /** How a table on stderr looks. */
  readonly talkStyle: TableStyle;
  /** How the operations of this command line end where an interrupt does not let them. */
  readonly interruptSummary: Set<LastWord>;
  /** The words of a command line that would have done the same, where a part of it was asked for: it is then shown what comes of it. */
  readonly equivalentArgs: readonly string[] | undefined;
};

/** The doors to effects: what is sent, confirmed or answered goes through one of them. */
export type EffectDoors = {
  /** The service of this command; starts the sandbox when that is the one. Chosen once. */
  readonly service: () => Promise<Service>;
  readonly client: () => Promise<Client>;
  readonly printResult: Answer;
  /** The answer of what moved money or changed something: it is told whatever happens to stdout. */
  readonly printCommitted: Answer;
  /** `false` is a no; a bare newline is one unless `isUsual`. Throws `confirmation_needed` where nobody can be asked without --yes. */
  readonly confirm: (question: string, isUsual?: boolean) => Promise<boolean>;
};

/** What a command works with: the world, the globals of the command line, and a service when it needs one. */
export type CommandContext = ReadContext & EffectDoors;

const wantsDebug = (io: Io, { debug }: Globals): boolean => debug || isSwitchedOn(io.env['BURSAR_DEBUG']);

const styleOf = (io: Io, stream: Io['stdout'], noColour: boolean, now: () => number): TableStyle => ({
  columns: stream.columns,
  colour: palette(wantsColour(io.env, stream, noColour)),
  unicode: isUnicodeLocale(io.env),
  links: wantsLinks(io.env, stream, noColour),
  // What the time is may be known only once the service has answered.
  get now() {
    return now();
  },
});

const confirmWith =
  (io: Io, yes: boolean, typed: Typed) =>
  async (question: string, isUsual?: boolean): Promise<boolean> => {
    if (yes) return true;
    if (io.prompt.isPossible) return io.prompt.confirm(question, isUsual);
    throw new Failure('confirmation_needed', `nobody can be asked: ${question}`, {
      next: nextStep('again.yes', repeated(typed)),
    });
  };

/** What all contexts of one command line share: what was said of its service and is not said again, and its last words. */
export type Shared = {
  readonly typed: Typed;
  readonly said: Set<string>;
  readonly interruptSummary: Set<LastWord>;
};

export const newShared = (typed: Typed = NOTHING_TYPED): Shared => ({
  typed,
  said: new Set(),
  interruptSummary: new Set(),
});

/** Puts a command's context together. Nothing is built or started until it is used. */
export const openCli = (
  io: Io,
  globals: Globals,
  version: string,
  { typed, said, interruptSummary } = newShared(),
): CommandContext => {
  const deadline = io.clock.monotonic() + globals.timeoutMs;
  const write = (line: string) => io.stderr.write(`${fitted(line, io.stderr)}\n`);
  const say = async (line: string) => (globals.quiet ? undefined : write(line));
  const trace = wantsDebug(io, globals) ? (line: string) => io.stderr.write(`${line}\n`) : undefined;
  const onceEach = (tell: typeof say) => async (line: string) => {
    if (said.has(line)) return;
    said.add(line);
    await tell(line);
  };
  const sayOnce = onceEach(say);
  const warnOnce = onceEach(write);
  const selection = once(() => selectService(io, globals, sayOnce));
  const service = once(async () => openService(io, await selection(), sayOnce));
  const time = serviceTime(io.clock);
  const styleFor = (stream: Io['stdout']) => styleOf(io, stream, globals.noColour, time.now);
  const tellsMore = trace !== undefined || (globals.verbose && !globals.quiet);
  const note = tellsMore ? (line: string) => io.stderr.write(`${line}\n`) : undefined;
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
    ...answers(io, typed, globals, io.stdout.isTerminal ? styleFor(io.stdout) : undefined, say),
    say,
    sayOnce,
    warn: (text) => warnOnce(`warning: ${text}`),
    talkStyle: styleFor(io.stderr),
    confirm: confirmWith(io, globals.yes, typed),
    interruptSummary,
    equivalentArgs: undefined,
  };
};
