import type { Endpoint } from '../../contract/define.ts';
import type { FailureCode } from '../../core/failure.ts';
import type { DeclaredFields } from '../../output/render.ts';
import type { CommandContext } from '../context/context.ts';
import type { Argument, Option, ParsedArgs } from './options.ts';

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
  /** The command also runs if other users can write to the folders of bursar. */
  readonly allowsOpenHome?: true;
  /** How long an interrupted command may take to stop, in milliseconds. */
  readonly interruptGraceMs?: number;
  readonly run: (cli: CommandContext, given: ParsedArgs) => Promise<void>;
};

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
