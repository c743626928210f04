import type { Check } from '../../chain/review/check.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { withoutMarks } from '../../core/remote-text.ts';
import type { AnswerCheck } from '../../io/prompt/prompt.ts';
import type { CommandContext } from '../context/context.ts';
import { repeated } from '../print/next-command.ts';
import { kindOf } from '../profiles/selection.ts';

/** Asking must be possible before anything is begun: a question nobody can answer would come too late. */
export const assertCanConfirm = (cli: CommandContext): void => {
  if (cli.globals.yes || cli.io.prompt.isPossible) return;
  throw new Failure('confirmation_needed', 'this moves money, and nobody can be asked to confirm it', {
    hint: 'Nothing was sent.',
    next: nextStep('again.yes', repeated(cli.typed)),
  });
};

/** The option of a check that states its fact, without the word for its value. */
const optionOf = ({ state_with: option }: Check): { readonly option?: string } =>
  option === undefined ? {} : { option: option.replace(/ .*$/, '') };

/** What a script can do about facts that nobody stated: the options that state them. */
const statingHint = (doubts: readonly Check[]): string => {
  const options = [...new Set(doubts.flatMap(({ state_with: option }) => option ?? []))];
  return options.length === 0 ? '' : ` State what you know by options: ${options.join(' ')}.`;
};

/**
 * A check that needs the user's confirmation is asked about at a terminal; --yes does not stand for it. Throws
 * `refused_by_review` where nobody can be asked, naming the options that state a fact.
 */
export const askAboutDoubts = async (
  cli: CommandContext,
  checks: readonly Check[],
  question: string,
): Promise<boolean> => {
  if (cli.io.prompt.isPossible) return cli.io.prompt.confirm(question);
  const doubts = checks.filter(({ verdict }) => verdict === 'confirm');
  const says = doubts.map((check) => check.message).join(' ');
  throw new Failure('refused_by_review', `this needs your confirmation: ${says}`, {
    namesErrors: true,
    errors: doubts.map((check) => ({ field: check.id, message: withoutMarks(check.message), ...optionOf(check) })),
    hint: `Nothing was signed or sent. --yes does not confirm this.${statingHint(doubts)} At a terminal you can confirm it.`,
  });
};

/** The last question before money moves. In the sandbox a bare newline is a yes; nowhere else. */
export const confirmMoving = async (cli: CommandContext, question: string): Promise<boolean> =>
  cli.confirm(question, kindOf(await cli.selection()) === 'sandbox');

/** Asks before something is sent. Throws `declined` for a no, and `confirmation_needed` where nobody can be asked. */
export const assertConfirmed = async (cli: CommandContext, question: string): Promise<void> => {
  if (!(await cli.confirm(question))) throw new Failure('declined', 'not confirmed; nothing was sent');
};

/**
 * Has the user type something out, for what a yes is too little. `undefined` where --yes stands for it. Throws
 * `confirmation_needed` where nobody can be asked. An answer that `problemIn` finds wrong is asked for again.
 */
export const askToType = async (
  cli: CommandContext,
  danger: string,
  request: string,
  problemIn?: AnswerCheck,
): Promise<string | undefined> => {
  if (cli.globals.yes) return undefined;
  if (cli.io.prompt.isPossible) return cli.io.prompt.text(`${danger} ${request}`, { problemIn });
  throw new Failure('confirmation_needed', `${danger} Nobody can be asked to confirm it.`, {
    next: nextStep('again.yes', repeated(cli.typed)),
  });
};

type Named = { readonly profile: string; readonly kind: string };

/** The service as a question about money names it: test and live must never be mistaken for each other. */
export const serviceInWords = ({ profile, kind }: Named): string => (profile === kind ? kind : `${profile}, ${kind}`);

/** A question about money, with the service that it is about before its question mark. */
export const ofService = (service: Named, question: string): string =>
  `${question.slice(0, -1)} (${serviceInWords(service)})?`;
