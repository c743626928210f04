import type { Verdict } from '../../chain/review/check.ts';
import type { RemainingApproval } from '../../chain/review/policy.ts';
import { type Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { commandLine, type NextStep } from '../../core/next.ts';
import { wrap } from '../../core/screen.ts';
import { escapeText, inSentence, isSameAddress } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import { keysForNames } from '../../keystore/keystore.ts';
import { toneOf } from '../../output/render.ts';
import type { CommandContext } from '../command/command.ts';
import { SANDBOX_BY_DEFAULT } from '../context/service.ts';
import { kindOf, nameOf } from '../profiles/selection.ts';
import { serviceInWords } from '../prompt/confirming.ts';
import { completeNext } from './next-command.ts';
import type { View } from './print-result.ts';
import { fitLine, mark, marked, reviewLines, type ShownReview } from './show-review.ts';

const milliseconds = (elapsedMs: number): string =>
  elapsedMs < 1000 ? `${Math.round(elapsedMs)} ms` : `${(elapsedMs / 1000).toFixed(1)} s`;

/**
 * The line of a finished step: its name, a detail, its time in milliseconds, and the sign of its verdict.
 */
export const step = (
  cli: CommandContext,
  name: string,
  detail: string,
  elapsedMs?: number,
  verdict: Verdict = 'pass',
): string => {
  const time = elapsedMs === undefined ? '' : `  ${milliseconds(elapsedMs)}`;
  const sign = `${mark(cli, verdict)} `;
  return sign + fitLine(cli, name.padEnd(10), escapeText(detail), time, cli.talkStyle.unicode ? 2 : 3);
};

/** The line of a new state. A state that ends badly has the sign of a refusal. */
export const stateStep = (cli: CommandContext, name: string, state: string, elapsedMs?: number): string =>
  step(cli, name, inSentence(state), elapsedMs, toneOf(state) === 'bad' ? 'refuse' : 'pass');

/** The line before the same bytes are sent again. */
export const sentAgain = (cli: CommandContext): string =>
  marked(cli, 'pass', 'The same signed transaction is sent again: it cannot pay twice.');

/** Prints why an answer of the user was refused, before it is asked for again. `advice` is a row of its own. */
export const printRefusal = (cli: CommandContext, { sentence, details: { status } }: Failure, advice = '') => {
  const message = status ? `${inSentence(status)}: ${sentence}` : sentence;
  const row = advice && `${wrap(escapeText(`  ${advice}`), cli.talkStyle.columns, '  ', cli.talkStyle.unicode)}\n`;
  return cli.io.stderr.write(`${marked(cli, 'refuse', message)}\n${row}`);
};

/** Whether steps are printed: on a terminal or with --verbose, and not with --quiet. */
export const printsSteps = (cli: CommandContext): boolean =>
  (cli.io.stderr.isTerminal || cli.globals.verbose) && !cli.globals.quiet;

/**
 * Returns a function that prints each step on stderr. `lineOf` gets the time since the previous step. A step that
 * `isTrouble` selects is printed even if steps are not, except with --json: it may explain a refusal.
 */
export const stepPrinter = <E>(
  cli: CommandContext,
  lineOf: (cli: CommandContext, event: E, elapsed: number) => string | Promise<string>,
  isTrouble: (event: E) => boolean = () => false,
  isAlways = false,
) => {
  const { clock, prompt, stderr } = cli.io;
  // The time that the user spends in a prompt does not count.
  const now = () => clock.monotonic() - prompt.waitedMs();
  let last = now();
  return async (event: E): Promise<void> => {
    const elapsed = now() - last;
    last += elapsed;
    const text = await lineOf(cli, event, elapsed);
    const isPrinted = printsSteps(cli) || (isTrouble(event) && !cli.globals.json) || (isAlways && !cli.globals.quiet);
    if (isPrinted) await stderr.write(`${text}\n`);
  };
};

/** The label of the spinner during a wait. */
export const WAITING_LABEL = 'Waiting (Ctrl-C stops only the wait)';

/**
 * Returns a function that prints each new state on stderr: with --json as a line of JSON (NDJSON), otherwise by `asText`.
 * stdout keeps one document, because the number of states varies between runs.
 */
export const statePrinter =
  <T>(cli: CommandContext, asDocument: (value: T) => object, asText: (value: T) => Promise<void>) =>
  async (value: T): Promise<void> => {
    const { io, globals } = cli;
    if (!globals.json) return asText(value);
    const at = new Date(io.clock.now()).toISOString();
    if (!globals.quiet) await io.stderr.write(`${printJson({ ...asDocument(value), at })}\n`);
  };

/** Prints the result of a wait. If the wait fails, prints the last state; with --json the failure's document has it. */
export const printWaitResult = async (
  cli: CommandContext,
  work: Promise<unknown>,
  summaryOf: (value: unknown) => ReturnType<NonNullable<View['summary']>>,
  ...ends: readonly FailureCode[]
): Promise<void> => {
  const print = (value: unknown, isFollowed = false) => {
    // A failure has its own next command, and one is enough.
    const summary = async () => {
      const found = await summaryOf(value);
      return found && isFollowed ? { ...found, next: undefined } : found;
    };
    return cli.printResult(value, value, { summary });
  };
  try {
    await print(await work);
  } catch (error) {
    const isEnd = isFailure(error) && ends.includes(error.code) && error.details.data !== undefined;
    if (isEnd && !cli.globals.failsAsJson) await print(error.details.data, error.details.next !== undefined);
    throw error;
  }
};

/** The mint and the token program of a token account. With an owner they determine the account's address. */
type TokenAccountFacts = { readonly mint: string; readonly program: string };

/** Finds the user's key name for an address or a token account; `undefined` if there is none. */
type NameOf = (address: string, tokenAccount?: TokenAccountFacts) => string | undefined;

/** Reads the names of the user's keys. An unreadable keystore gives no names and no failure. */
export const ownNames = async (io: Io): Promise<NameOf> => {
  const keys = await keysForNames(io);
  const ofSolana = keys.filter(({ chain }) => chain === 'solana');
  const accountOf = ofSolana.length > 0 ? (await import('../../chain/solana/address.ts')).tokenAccountOf : undefined;
  return (address, tokenAccount) => {
    const own = keys.find((key) => isSameAddress(key.address, address));
    if (own || !tokenAccount) return own?.name;
    const { mint, program } = tokenAccount;
    const owner = ofSolana.find((key) => accountOf?.(key.address, mint, program) === address);
    return owner && `the token account of ${owner.name}`;
  };
};

/** Looks up the user's key name for one address. */
export const nameIn =
  ({ io }: { readonly io: Io }) =>
  async (address: string): Promise<string | undefined> =>
    (await ownNames(io))(address);

const named = <K extends string>(field: K, name: string | undefined) =>
  (name === undefined ? {} : { [field]: name }) as { readonly [_ in K]?: string };

/** Adds the user's key names to a review. They take precedence over bursar's own names. */
export const withNames = <R extends ShownReview>(review: R, nameOf: NameOf): R & { readonly from_name?: string } => ({
  ...review,
  ...named('from_name', nameOf(review.from)),
  moves: review.moves.map((move) => ({
    ...move,
    ...named('to_name', nameOf(move.to, 'token_account' in move ? move.token_account : undefined)),
  })),
  remainingApprovals: review.remainingApprovals.map(
    (one): RemainingApproval => ({ ...one, ...(one.who === undefined ? {} : named('who_name', nameOf(one.who))) }),
  ),
});

type Reviewed = Pick<ShownReview, 'checks' | 'verdict'>;

/** The step line of a review. Its checks follow, except those of a review that passes: only --verbose shows them. */
export const reviewHead = (cli: CommandContext, { checks, verdict }: Reviewed, elapsed: number): string =>
  step(cli, 'reviewed', `${checks.length} checks${verdict === 'pass' ? ' pass' : ''}`, elapsed, verdict);

/** The step line of a review, followed by the lines of the review. */
export const reviewedStep = async (cli: CommandContext, review: ShownReview, elapsed: number): Promise<string> => {
  const named = withNames(review, await ownNames(cli.io));
  return `${reviewHead(cli, review, elapsed)}\n${reviewLines(cli, named, !cli.globals.verbose)}`.trimEnd();
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Prints the service of a command on a terminal, once, before the first question. */
export const printTargetService = async (cli: CommandContext): Promise<void> => {
  if (!cli.io.stderr.isTerminal) return;
  const selection = await cli.selection();
  if (selection.as === 'sandbox' && selection.profile.from === 'default') {
    cli.impliedOptions.set('--profile', selection.profile.value);
    await cli.printNoteOnce(SANDBOX_BY_DEFAULT);
  }
  if (selection.as !== 'named' && selection.as !== 'unnamed') return;
  const service = serviceInWords({ profile: nameOf(selection), kind: kindOf(selection) });
  await cli.printNoteOnce(escapeText(`Service: ${service}, at ${hostOf(selection.baseUrl.value)}`));
};

/** Prints a command below its title, such as the one that needs no questions. */
export const printTitled = ({ talkStyle, printNote }: CommandContext, title: string, line: string): Promise<void> =>
  printNote(`${talkStyle.colour.dim(`${title}:`)}\n  ${line}`);

/** The line of a next command. */
export const nextLine = ({ talkStyle }: CommandContext, step: NextStep): string =>
  `${talkStyle.colour.dim('next:')} ${escapeText(commandLine(step))}`;

/** Prints the next command after a success. Only a terminal gets it: the output of a script has its documented lines. */
export const printNext = async (cli: CommandContext, step: NextStep): Promise<void> => {
  const { io, globals, typed } = cli;
  if (!io.stdout.isTerminal || !io.stderr.isTerminal || globals.json) return;
  await cli.printNote(nextLine(cli, completeNext(typed, step)));
};
