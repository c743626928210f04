import { escapeText } from '../../core/escape.ts';
import type { FieldError } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Choice } from '../../io/asked.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Given } from '../options.ts';
import { withoutNotes } from '../without-notes.ts';
import { type Asking, askChoice, askChoices, askSeveral, askText } from './ask.ts';
import { askSetting } from './ask-setting.ts';
import { askSplit } from './ask-split.ts';
import type { Asked } from './command-line.ts';
import { type Declared, declaredIn } from './declared.ts';
import { exampleOf, initialOf } from './examples.ts';
import { judgeAnswer } from './judge-answer.ts';
import { isPath, judgeLocal } from './judge-local.ts';
import { shownAnswer } from './look-over.ts';
import { canBeAsked, suggestionsFor } from './suggestions.ts';
import { typedPath } from './typed-path.ts';
import { wordsFor } from './words.ts';

/** What is asked about, and what it is now where it is there already. */
type About = { readonly leaf: Leaf; readonly given: Given; readonly now: Readonly<Record<string, string>> };

const STDIN = /[,;] (?:or )?- for stdin\b/;

/** What is asked for, in words: who is asked has the terminal for stdin. */
const inWords = (says: string): string => withoutNotes(says).replace(STDIN, '');

/** What is wrong with an answer that stands for stdin. */
const stdinProblem = (text: string, help: string): string | undefined =>
  text === '-' && STDIN.test(help) ? 'is the terminal here: give a file' : undefined;

/** No shell reads what is typed here: it means the same all the same. */
const answerOf =
  (cli: Cli, declared: Declared) =>
  (text: string): string =>
    isPath(declared) ? typedPath(cli.io, text) : text;

/** A question, with what is there already. */
const besideNow = (says: string, present: string): string =>
  says.endsWith('?') ? `${says.slice(0, -1)} (now ${present})?` : `${says}, now ${present}`;

/** What is asked of one option. What is typed has what it is now, or an example, or what Enter alone takes. */
const askingOf = async (
  cli: Cli,
  { leaf, given, now }: About,
  declared: Declared,
  isTyped: boolean,
): Promise<Asking> => {
  const { flag, says: help, check } = declared;
  const says = wordsFor(leaf, flag) ?? inWords(help);
  const read = answerOf(cli, declared);
  const present = now[flag];
  const initial = present === undefined ? await initialOf(cli, flag) : undefined;
  const wants = isTyped && present === undefined && initial === undefined && !says.includes('such as');
  const example = wants ? await exampleOf(leaf, flag, given) : undefined;
  return {
    flag,
    says: present === undefined ? `${says}${example ? `, such as ${example}` : ''}` : besideNow(says, present),
    initial,
    room: (initial ?? example)?.length,
    problemIn: async (text) =>
      stdinProblem(text, help) ??
      check?.(read(text)) ??
      (await judgeAnswer(flag, text, leaf, given)) ??
      judgeLocal(cli, leaf, declared, read(text)),
  };
};

const choicesFor = async (cli: Cli, leaf: Leaf, given: Given, declared: Declared) => {
  const { choices } = declared;
  return (
    (await suggestionsFor(cli, leaf, given, declared)) ??
    (choices && { closed: true, choices: choices.map((one) => ({ name: one, value: one })) })
  );
};

/** Asks for the value of one option or argument. */
const askFor = async (cli: Cli, about: About, declared: Declared): Promise<readonly Asked[]> => {
  const { leaf, given } = about;
  const { flag, name, isRepeatable, value } = declared;
  const answer = (found: Asked['value']): readonly Asked[] => [{ flag, name, value: found }];
  if (value === undefined) return answer(true);
  if (flag === 'KEY=VALUE') return answer([await askSetting(cli, leaf, given)]);
  const suggested = await choicesFor(cli, leaf, given, declared);
  const asking = await askingOf(cli, about, declared, suggested === undefined);
  if (suggested) {
    return answer(await (isRepeatable ? askChoices : askChoice)(cli, asking, suggested));
  }
  if (!isRepeatable) return answer(answerOf(cli, declared)(await askText(cli, asking)));
  return answer(await (flag === '--split' ? askSplit : askSeveral)(cli, asking));
};

/** What an error names, as far as it can be asked for. */
const askableIn = async (cli: Cli, leaf: Leaf, named: string): Promise<readonly Declared[]> => {
  const all = declaredIn(leaf, named);
  const can = await Promise.all(all.map((one) => canBeAsked(cli, leaf, one)));
  return all.filter((_, at) => can[at]);
};

const NO_KEY = {
  message: 'required, and there is no key yet: bursar key new treasury --chain evm, or --chain solana',
  first: nextStep('key.new', 'treasury', 'evm'),
};

/** What an error says where nobody can be asked for what it names; `undefined` where somebody can. */
export const beyondAsking = async (cli: Cli, leaf: Leaf, error: FieldError): Promise<FieldError | undefined> => {
  const named = error.option ?? error.field;
  if ((await askableIn(cli, leaf, named)).length > 0) return undefined;
  const isBare = error.message === 'required' && declaredIn(leaf, named).length > 0;
  return isBare ? { ...error, ...NO_KEY } : error;
};

const asChoice = ({ now }: About, declared: Declared): Choice<Declared> => {
  const present = now[declared.flag];
  const name = `${inWords(declared.says)}${present === undefined ? '' : `, now ${present}`} (${declared.flag})`;
  return { name: escapeText(name), value: declared };
};

/** Asks what is to change, as often as there is more: all of it is then shown and sent at once. */
const askForChanges = async (cli: Cli, about: About, all: readonly Declared[]): Promise<readonly Asked[]> => {
  const asked: Asked[] = [];
  for (;;) {
    const left = all.filter(({ name }) => !asked.some((one) => one.name === name));
    if (left.length === 0) return asked;
    const isFirst = asked.length === 0;
    const enough = isFirst ? [] : [{ name: 'Nothing else', value: undefined }];
    const choices: readonly Choice<Declared | undefined>[] = [...enough, ...left.map((one) => asChoice(about, one))];
    const says = isFirst ? 'What is to change?' : 'What else is to change?';
    const chosen = await cli.io.prompt.select<Declared | undefined>(says, choices);
    if (chosen === undefined) return asked;
    asked.push(...(await askFor(cli, about, chosen)));
  }
};

/** Asks once more for what was answered. */
export const askAnew = async (cli: Cli, leaf: Leaf, given: Given, asked: Asked): Promise<readonly Asked[]> => {
  const [declared] = await askableIn(cli, leaf, asked.flag);
  const now = { [asked.flag]: shownAnswer(asked) };
  return declared === undefined ? [asked] : askFor(cli, { leaf, given, now }, declared);
};

/** Asks for what an error names. Of several that would do, the user says which. */
export const askAbout = async (cli: Cli, leaf: Leaf, given: Given, named: string): Promise<readonly Asked[]> => {
  const all = await askableIn(cli, leaf, named);
  const [only, ...others] = all;
  if (only === undefined) return [];
  const about: About = { leaf, given, now: others.length === 0 ? {} : ((await leaf.present?.(cli, given)) ?? {}) };
  if (others.length === 0) return askFor(cli, about, only);
  if (leaf.present) return askForChanges(cli, about, all);
  const choices = all.map((one) => asChoice(about, one));
  return askFor(cli, about, await cli.io.prompt.select('Which of these do you have?', choices));
};
