import { escapeText } from '../../core/escape.ts';
import type { Choice } from '../../io/asked.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { isSecretFlag } from '../flag-field.ts';
import { onlyShows } from '../show-request.ts';
import { withoutNotes } from '../without-notes.ts';
import type { Asked } from './command-line.ts';
import { declaredIn } from './declared.ts';
import { wordsFor } from './words.ts';

/** As many answers as nobody has in view any more. */
const FORM = 4;

/**
 * Whether the answers are shown once more before anything is sent. What reads is repeated easily, and a command that
 * shows what it will change asks about that.
 */
export const isLookedOver = (cli: Cli, leaf: Leaf, asked: readonly Asked[]): boolean => {
  const { calls = [], answers, showsFirst } = leaf;
  const changes = calls.length > 0 && answers !== undefined && !showsFirst;
  return asked.length >= FORM && changes && !cli.globals.yes && !onlyShows(cli);
};

/** An answer as it is shown: a secret is not. */
export const shownAnswer = ({ flag, value }: Asked): string => {
  if (isSecretFlag(flag)) return 'not shown';
  return typeof value === 'string' ? value : value === true ? 'yes' : [value].flat().join(', ');
};

const inWords = (leaf: Leaf, asked: Asked): string => {
  const [declared] = declaredIn(leaf, asked.flag);
  const says = wordsFor(leaf, asked.flag) ?? withoutNotes(declared?.says ?? asked.flag);
  return escapeText(`${says.replace(/\?$/, '')}: ${shownAnswer(asked)}`);
};

/** What a person wants once all is answered. */
export type Wish = { readonly as: 'go on' } | { readonly as: 'stop' } | { readonly as: 'change'; readonly it: Asked };

const changes = (leaf: Leaf, asked: readonly Asked[]): readonly Choice<Wish>[] =>
  asked.map((it) => ({ name: inWords(leaf, it), value: { as: 'change', it }, also: it.flag }));

const STOP: Choice<Wish> = { name: 'Stop: nothing is sent', value: { as: 'stop' } };

/** Shows all answers: it goes on with them, or one is changed. */
export const lookOver = ({ io }: Cli, leaf: Leaf, asked: readonly Asked[]): Promise<Wish> => {
  const goOn: Choice<Wish> = { name: 'Go on', value: { as: 'go on' } };
  return io.prompt.select('Review your answers:', [goOn, ...changes(leaf, asked), STOP]);
};

/** After a no: nothing was sent, and it need not be said all over again. */
export const askAfterNo = ({ io }: Cli, leaf: Leaf, asked: readonly Asked[]): Promise<Wish> =>
  io.prompt.select('Nothing was sent. Stop, or change an answer?', [STOP, ...changes(leaf, asked)]);

/** Answers that were asked for only because of another: they are asked for anew where they are still wanted. */
const FOLLOWING: Readonly<Record<string, RegExp | undefined>> = {
  '--transaction-type':
    /^--(?:payer-(?!email$)|card|address|phone|statement|session|installments|key$|chain-name$|allow$)/,
  '--payer-document-type': /^--payer-document$/,
};

/** The answers without what was asked for only because of the one that is to change. */
export const withoutFollowing = (asked: readonly Asked[], { flag }: Asked): readonly Asked[] =>
  asked.filter((one) => !FOLLOWING[flag]?.test(one.flag));
