import { type Check, withoutPlaceholder } from '../../chain/review/check.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { withoutMarks } from '../../core/text.ts';
import { type AnswerCheck, whyNotAsked } from '../../io/prompt/prompt.ts';
import type { CommandContext } from '../command/command.ts';
import { confirming, repeated, variableOf } from '../print/next-command.ts';
import { kindOf } from '../profiles/selection.ts';

/** Whether the user can confirm, or has confirmed by --yes. */
export const canConfirm = ({ globals, io }: CommandContext): boolean => globals.yes || io.prompt.isPossible;

/** Throws if a confirmation is impossible, before the operation starts. */
export const assertCanConfirm = (cli: CommandContext): void => {
  if (canConfirm(cli)) return;
  throw new Failure('confirmation_needed', `this moves money and needs a confirmation, but ${whyNotAsked(cli.io)}`, {
    hint: 'Nothing was sent.',
    next: nextStep('again.yes', repeated(cli.typed)),
  });
};

/** The option that states the fact of a check, without the placeholder of its value. */
const optionOf = ({ state_with: option }: Check): { readonly option?: string } =>
  option === undefined ? {} : { option: withoutPlaceholder(option) };

/** A script states what the user has confirmed. The value came from a service, so the command has a variable in its place. */
const implyStatement = ({ impliedOptions }: CommandContext, check: Check): void => {
  const { option: flag } = optionOf(check);
  if (flag !== undefined && check.verdict === 'confirm') impliedOptions.set(flag, variableOf(flag));
};

/** The hint for scripts: the options that state the missing facts, or name a node that shows them. */
const statingHint = (doubts: readonly Check[]): string => {
  const options = [...new Set(doubts.flatMap(({ state_with: option }) => option ?? []))];
  const stating = options.length === 0 ? '' : ` State what you know by options: ${options.join(' ')}.`;
  return doubts.some(({ id }) => id === 'nonce') ? `${stating} A node shows the next nonce: --rpc-url URL.` : stating;
};

/**
 * Asks to confirm doubtful checks. --yes does not confirm them. Without a terminal it throws `refused_by_review` with
 * the options that state the facts.
 */
export const askAboutDoubts = async (
  cli: CommandContext,
  checks: readonly Check[],
  question: string,
  isYesDefault = false,
): Promise<boolean> => {
  if (cli.io.prompt.isPossible) {
    // A script that states the facts needs the yes to the operation too.
    const isConfirmed = await confirming(cli.impliedOptions, () => cli.io.prompt.confirm(question, isYesDefault));
    if (isConfirmed) for (const check of checks) implyStatement(cli, check);
    return isConfirmed;
  }
  const doubts = checks.filter(({ verdict }) => verdict === 'confirm');
  const message = doubts.map((check) => check.message).join(' ');
  throw new Failure('refused_by_review', `this needs your confirmation: ${message}`, {
    namesErrors: true,
    errors: doubts.map((check) => ({ field: check.id, message: withoutMarks(check.message), ...optionOf(check) })),
    hint: `Nothing was signed or sent now. --yes does not confirm this.${statingHint(doubts)} At a terminal you can confirm it.`,
  });
};

/** Asks before money moves or the service changes. Enter confirms in the sandbox only. */
export const confirmMoving = async (cli: CommandContext, question: string): Promise<boolean> =>
  cli.confirm(question, kindOf(await cli.selection()) === 'sandbox');

/** Asks before a request is sent. Throws `declined` after a no, and `confirmation_needed` without a terminal. */
export const assertConfirmed = async (cli: CommandContext, question: string): Promise<void> => {
  if (!(await confirmMoving(cli, question))) throw new Failure('declined', 'not confirmed; nothing was sent');
};

/**
 * Asks the user to type a text, for dangerous actions. With --yes it returns `undefined`. An answer that `problemIn`
 * refuses is asked for again. Throws `confirmation_needed` without a terminal.
 */
export const askToType = async (cli: CommandContext, danger: string, request: string, problemIn?: AnswerCheck) => {
  if (cli.globals.yes) return undefined;
  if (cli.io.prompt.isPossible) return cli.io.prompt.text(`${danger} ${request}`, { problemIn });
  throw new Failure('confirmation_needed', `${danger} It needs a confirmation, but ${whyNotAsked(cli.io)}.`, {
    next: nextStep('again.yes', repeated(cli.typed)),
  });
};

type ServiceName = { readonly profile: string; readonly kind: string };

/** The service in a question about money. It shows whether the service is test or live. */
export const serviceInWords = ({ profile, kind }: ServiceName): string =>
  profile === kind ? kind : `${profile}, ${kind}`;

/** Adds the service to a question about money, before the question mark. */
export const ofService = (service: ServiceName, question: string): string =>
  `${question.slice(0, -1)} (${serviceInWords(service)})?`;
