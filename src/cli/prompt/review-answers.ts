import { escapeText } from '../../core/escape.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import type { Command } from '../command/command.ts';
import { withoutNotes } from '../command/without-notes.ts';
import type { CommandContext } from '../context/context.ts';
import { isDryRun } from '../print/dry-run.ts';
import type { Asked } from './command-line.ts';
import { declaredIn } from './declared.ts';
import { wordsFor } from './words.ts';

/** As many answers as nobody has in view any more. */
const FORM = 4;

/**
 * Whether the answers are shown once more before anything is sent. What reads is repeated easily, and a command that
 * shows what it will change asks about that.
 */
export const isLookedOver = (cli: CommandContext, command: Command, asked: readonly Asked[]): boolean => {
  const { calls = [], answers, previewsChanges } = command;
  const changes = calls.length > 0 && answers !== undefined && !previewsChanges;
  return asked.length >= FORM && changes && !cli.globals.yes && !isDryRun(cli);
};

/** An answer as it is shown: a secret is not. */
export const shownAnswer = ({ value, isHidden }: Asked): string => {
  if (isHidden) return 'not shown';
  return typeof value === 'string' ? value : value === true ? 'yes' : [value].flat().join(', ');
};

const inWords = (command: Command, asked: Asked): string => {
  const [declared] = declaredIn(command, asked.flag);
  const words = wordsFor(command, asked.flag) ?? withoutNotes(declared?.description ?? asked.flag);
  return escapeText(`${words.replace(/\?$/, '')}: ${shownAnswer(asked)}`);
};

/** What a person wants once all is answered. */
export type NextAction =
  | { readonly as: 'go on' }
  | { readonly as: 'stop' }
  | { readonly as: 'change'; readonly it: Asked };

const changes = (command: Command, asked: readonly Asked[]): readonly Choice<NextAction>[] =>
  asked.map((it) => ({ name: inWords(command, it), value: { as: 'change', it }, alias: it.flag }));

const STOP: Choice<NextAction> = { name: 'Stop: nothing is sent', value: { as: 'stop' } };

/** Shows all answers: it goes on with them, or one is changed. */
export const lookOver = ({ io }: CommandContext, command: Command, asked: readonly Asked[]): Promise<NextAction> => {
  const proceed: Choice<NextAction> = { name: 'Go on', value: { as: 'go on' } };
  return io.prompt.select('Review your answers:', [proceed, ...changes(command, asked), STOP]);
};

/** After a no: nothing was sent, and it need not be said all over again. */
export const askAfterNo = ({ io }: CommandContext, command: Command, asked: readonly Asked[]): Promise<NextAction> =>
  io.prompt.select('Nothing was sent. Stop, or change an answer?', [STOP, ...changes(command, asked)]);

/** Answers that were asked for only because of another: they are asked for anew where they are still wanted. */
const FOLLOWING: Readonly<Record<string, RegExp | undefined>> = {
  '--transaction-type':
    /^--(?:payer-(?!email$)|card|address|phone|statement|session|installments|key$|chain-name$|allow$)/,
  '--payer-document-type': /^--payer-document$/,
};

/** The answers without what was asked for only because of the one that is to change. */
export const withoutFollowing = (asked: readonly Asked[], { flag }: Asked): readonly Asked[] =>
  asked.filter((one) => !FOLLOWING[flag]?.test(one.flag));
