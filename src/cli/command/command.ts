import type { Endpoint } from '../../contract/define.ts';
import type { FailureCode } from '../../core/failure.ts';
import type { DeclaredFields } from '../../output/fields.ts';
import type { CommandContext } from '../context/context.ts';
import type { Argument, Option, ParsedArgs } from './options.ts';

/** A command that does something: parse (the declarations), then act (`run`). */
export type Command = {
  /** The words that call it, such as `pay register`; one word is a command of its own. */
  readonly words: readonly [string] | readonly [string, string];
  readonly summary: string;
  /** More than the summary, where it is needed. */
  readonly about?: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** What the service asks of the fields together, one sentence each. */
  readonly rules?: readonly string[];
  /** Fields that no option sets: they come from --body. */
  readonly bodyOnly?: readonly { readonly name: string; readonly says: string }[];
  /** Endpoints of the service that it may call; none for what works on this machine alone. Help derives from it. */
  readonly calls?: readonly Endpoint['id'][];
  /** The call whose envelope --envelope prints; of several one is made. A command without refuses --envelope. */
  readonly envelopeOf?: readonly Endpoint['id'][];
  /** Options, without their dashes, with which it makes several calls or another: --envelope is refused beside them. */
  readonly noEnvelopeWith?: readonly string[];
  /** Failures of its own, beside those of its calls and those that every command has: its exit codes. */
  readonly fails?: readonly FailureCode[];
  /** Whole command lines, without the program's name. */
  readonly examples: readonly string[];
  /** Of a command that changes something: the fields of its answer, for a wrong --fields is to be found before. */
  readonly answers?: () => DeclaredFields | undefined;
  /** Whether it can show its request instead of sending it (--dry-run, --curl); others refuse these options. */
  readonly supportsDryRun?: true;
  /** It shows what it will change and asks about that, before it changes anything: a no leaves all as it was. */
  readonly previewsChanges?: true;
  /**
   * Its one call creates nothing where the service finds a field wrong: the answers can be corrected. Document:
   * `validation_error`, HTTP 400. A command that makes several calls may have made the first.
   */
  readonly isCorrectable?: true;
  /** What is changed as it is now, by option: told where a person is asked what to change. */
  readonly currentValues?: (cli: CommandContext, given: ParsedArgs) => Promise<Readonly<Record<string, string>>>;
  /** It runs also where others can write to the folders of bursar; every other command refuses to. */
  readonly allowsOpenHome?: true;
  /** How long an interrupt waits for the command to end in order; a moment where it is left out. */
  readonly interruptGraceMs?: number;
  readonly run: (cli: CommandContext, given: ParsedArgs) => Promise<void>;
};

/** What the commands of help stand under, in this order. */
export const GROUPS = ['Money', 'Identity', 'Keys and profiles', 'Sandbox', 'Others'] as const;

/** A heading of `bursar help`. */
export type Group = (typeof GROUPS)[number];

/** A first word of the command line. Its commands are loaded when it is used: start-up loads none. */
export type CommandGroup = {
  readonly name: string;
  /** Where help lists it. */
  readonly group: Group;
  readonly summary: string;
  /** With a verb an area may load its command alone. */
  readonly load: (verb?: string) => Promise<readonly Command[]>;
};
