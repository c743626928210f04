import type { Client } from '../../client/call.ts';
import type { Service } from '../../client/service.ts';
import type { Trace } from '../../client/trace.ts';
import type { Endpoint } from '../../contract/define.ts';
import type { Failure, FailureCode } from '../../core/failure.ts';
import type { SigningKey, WalletQueue } from '../../flows/turn.ts';
import type { Io } from '../../io/io.ts';
import type { OperationStart } from '../../journal/operation.ts';
import type { DeclaredFields } from '../../output/render.ts';
import type { TableStyle } from '../../output/table.ts';
import type { Globals } from '../argv/command-line.ts';
import type { TypedLine } from '../print/next-command.ts';
import type { PrintResult } from '../print/print-result.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { Selection } from '../profiles/selection.ts';
import type { Argument, Option, ParsedArgs } from './options.ts';

/** The headings of commands in help, in this order. */
export const GROUPS = ['Money', 'Identity', 'Keys and profiles', 'Sandbox', 'Others'] as const;

/** A heading of `bursar help`. */
export type Group = (typeof GROUPS)[number];

/** A command group. `name` is the first word of its commands. They are loaded only when the group is used. */
export type CommandGroup = {
  readonly name: string;
  /** Where help lists it. */
  readonly group: Group;
  readonly summary: string;
  /** With a verb an area may load its command alone. */
  readonly load: (verb?: string) => Promise<readonly Command[]>;
};

/** Loads one command of a group, or all of them in the order of the help. Each loads its own part of the program. */
export const loadingEach =
  (commands: Readonly<Record<string, () => Promise<Command>>>) =>
  (verb = ''): Promise<readonly Command[]> => {
    const one = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
    return Promise.all((one ? [one] : Object.values(commands)).map((load) => load()));
  };

/** A command: its declarations, and `run`, which executes it. */
export type Command = {
  /** The words that call it, such as `pay register`. A group that is a command itself has one word. */
  readonly words: readonly [string] | readonly [string, string];
  readonly summary: string;
  /** More sentences for help, after the summary. */
  readonly about?: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Rules that the service applies to several fields together, one sentence each. */
  readonly rules?: readonly string[];
  /** Fields that only --body sets. */
  readonly bodyOnly?: readonly { readonly name: string; readonly description: string }[];
  /** The endpoints that the command may call. Help derives its sections from them. Local commands have none. */
  readonly calls?: readonly Endpoint['id'][];
  /**
   * The endpoints whose envelope --envelope prints. One run calls one of them. Without this list, --envelope is
   * refused.
   */
  readonly envelopeOf?: readonly Endpoint['id'][];
  /** Options, without dashes, that change the number of calls. --envelope is refused with them. */
  readonly noEnvelopeWith?: readonly string[];
  /** The failures of this command, besides those of its endpoints and of every command. */
  readonly fails?: readonly FailureCode[];
  /** Complete command lines, without the program's name. */
  readonly examples: readonly string[];
  /** The fields of the result of a command that changes something. A wrong --fields is found before the change. */
  readonly answers?: () => DeclaredFields | undefined;
  /** Whether the command supports --dry-run and --curl. Other commands refuse these options. */
  readonly supportsDryRun?: true;
  /** The command shows its changes and asks for a confirmation first. After a no, nothing has changed. */
  readonly previewsChanges?: true;
  /**
   * A refused call creates nothing, so that the user can correct the answers (`validation_error`, HTTP 400). Only for
   * commands with one call: an earlier call might have succeeded.
   */
  readonly isCorrectable?: true;
  /** The current values, by option. They are shown when the user chooses what to change. */
  readonly currentValues?: (cli: CommandContext, given: ParsedArgs) => Promise<Readonly<Record<string, string>>>;
  /** In JSON the output is one document a line, also that of a failure. */
  readonly isStream?: true;
  /** The command also runs if other users can write to the folders of bursar. */
  readonly allowsOpenHome?: true;
  /** How long an interrupted command may take to stop, in milliseconds. */
  readonly interruptGraceMs?: number;
  readonly run: (cli: CommandContext, given: ParsedArgs) => Promise<void>;
};

/** Verbs of other tools that work beside ours. */
const SHORT_VERBS: Readonly<Record<string, readonly string[]>> = { ls: ['list'], rm: ['remove', 'forget', 'delete'] };

/** The verbs of other tools that call a command too, such as `ls`. */
export const shortVerbsOf = ({ words: [, own = ''] }: Command): readonly string[] =>
  Object.keys(SHORT_VERBS).filter((verb) => SHORT_VERBS[verb]?.includes(own));

/** Whether a word calls a command of its group. */
export const isCalledBy = (command: Command, verb: string | undefined): boolean =>
  verb !== undefined && (command.words[1] === verb || shortVerbsOf(command).includes(verb));

/** The failure of one operation if an interrupt ends the command before the operation ends. */
export type InterruptSummary = () => Failure;

/**
 * The context of a command before its first effect. A command may run up to there again with the answers to questions, because
 * nothing in this context sends, confirms or prints a result.
 */
export type ReadContext = {
  readonly io: Io;
  readonly globals: Globals;
  /** The command line as typed, without answers to questions. */
  readonly typed: TypedLine;
  /** The version of bursar. */
  readonly version: string;
  /** `io` with an observer: the dates of answers from that address set the clock for relative times. */
  readonly withServerClock: (baseUrl: string) => Io;
  /** Selects the service of this command, with the source of the choice. Starts nothing and reads no key. */
  readonly selection: () => Promise<Selection>;
  /** The settings of this command's profile; empty without a profile. */
  readonly profile: () => Promise<ProfileSettings>;
  /** The `io.clock.monotonic()` at which --timeout ends the command; it moves by the time of questions. */
  readonly deadline: number;
  /** Prints calls, for --debug. */
  readonly trace: Trace | undefined;
  /** Prints a line of progress or advice on stderr, except with --quiet. */
  readonly printNote: (line: string) => Promise<void>;
  /** Prints a line as `printNote` does, but only once for a command line. */
  readonly printNoteOnce: (line: string) => Promise<void>;
  /** Prints a warning on stderr, once for a command line, even with --quiet. */
  readonly warn: (text: string) => Promise<void>;
  /** The style of tables on stderr. */
  readonly talkStyle: TableStyle;
  /** The summaries of the operations of this command line, for an interrupt that ends them. */
  readonly interruptSummaries: Set<InterruptSummary>;
  /** The command line with the user's answers as options; `undefined` if nothing was asked. */
  readonly equivalentArgs: readonly string[] | undefined;
  /**
   * The options that a script needs beside the command line and the answers, with their values. The command chose them, or
   * asked for them in questions of its own.
   */
  readonly impliedOptions: Map<string, string | undefined>;
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

/** What the operations of one command share. */
export type Batch = {
  /** The keys that the command has unlocked, by name. */
  readonly keys: ReadonlyMap<string, SigningKey>;
  readonly queue: WalletQueue;
  /** What the first record of this operation has beside its intent. */
  readonly others?: OperationStart['others'];
};

/** The context of a command: io, global options, the service on demand, and the printers. */
export type CommandContext = ReadContext &
  EffectDoors & {
    /** In a dialogue: reads the service, or prints that nothing is left to do, before the user reviews the answers. */
    readonly beforeReview?: Pick<EffectDoors, 'client' | 'printResult'>;
    /** Set for one operation of a command that makes many. */
    readonly batch?: Batch;
  };

/** The kinds of values whose names are known without a request. */
const NAME_LISTS = ['evm-chains', 'yield-chains', 'providers'] as const;

export type NameList = (typeof NAME_LISTS)[number];

export const isNameList = (completes: unknown): completes is NameList => NAME_LISTS.some((list) => list === completes);
