import { actingIn, escapeText, inChoice, inSentence, isSameText } from '../../core/text.ts';
import { BACK } from '../../io/prompt/prompt.ts';
import type { PromptContext, Question, Suggestions } from '../command/options.ts';
import { kindOf } from '../profiles/selection.ts';

/** The error for an empty answer. */
export const NEEDED = 'Required. Ctrl-C to quit.';

/**
 * Asks a question, then those that follow from its answer. Esc at the first of these asks the question again; `before` is
 * then its earlier answer.
 */
export const askThen = async <A, B>(
  { io: { prompt } }: Pick<PromptContext, 'io'>,
  ask: (before: A | undefined) => Promise<A>,
  follow: (answer: A) => Promise<B>,
): Promise<B> => {
  let before: A | undefined;
  for (;;) {
    const answer = await ask(before);
    const found = await prompt.untilBack(() => follow(answer));
    if (found !== BACK) return found;
    before = answer;
  }
};

const messageFor = ({ talkStyle }: PromptContext, { flag, description }: Question, beside = ''): string =>
  `${escapeText(description + beside)} ${talkStyle.colour.dim(flag)}`;

const exampleBeside = ({ example, initial }: Question): string =>
  example === undefined || initial !== undefined ? '' : `, such as ${example}`;

const problemIn =
  (question: Question, isOptional = false) =>
  async (answer: string): Promise<string | undefined> => {
    const text = answer.trim();
    if (text === '') return isOptional ? undefined : NEEDED;
    const problem = await question.problemIn?.(text);
    return problem === undefined ? undefined : escapeText(problem);
  };

/** Asks until the answer is valid. An empty answer is invalid unless the question has a default. */
export const askText = async (cli: PromptContext, question: Question, isOptional = false): Promise<string> => {
  const { prompt } = cli.io;
  const wanted = { problemIn: problemIn(question, isOptional), initial: question.initial, room: question.room };
  const ask = question.isHidden ? prompt.password : prompt.text;
  return (await ask(messageFor(cli, question, exampleBeside(question)), wanted)).trim();
};

/** Asks whether a switch applies. Enter alone is a yes in the sandbox only. */
export const askYesNo = async ({ io, selection }: PromptContext, { description }: Question): Promise<boolean> =>
  io.prompt.confirm(description, kindOf(await selection()) === 'sandbox');

/** Asks for one or more values. An empty answer ends the list. */
export const askSeveral = (cli: PromptContext, question: Question): Promise<readonly string[]> => {
  const another = { ...question, description: 'Another value (press Enter to finish)', example: undefined };
  const askFrom = (found: readonly string[]): Promise<readonly string[]> => {
    const isFirst = found.length === 0;
    const next = isFirst ? question : { ...another, initial: undefined };
    return askThen<string, readonly string[]>(
      cli,
      (before) => askText(cli, { ...next, initial: before || next.initial }, !isFirst),
      async (text) => (text === '' ? found : askFrom([...found, text])),
    );
  };
  return askFrom([]);
};

const ELSE = 'something else';

/** Whether the user means a value that is not among the usual ones: it may be a typing error. */
const confirmUnusual = async (
  { io }: PromptContext,
  chosen: string,
  choices: Suggestions['choices'],
): Promise<boolean> => {
  const values = choices.map(({ value }) => value).filter((value) => !value.includes('\n') && !actingIn(value));
  if (values.some((value) => isSameText(value, chosen))) return true;
  return io.prompt.confirm(
    `${escapeText(chosen)} is not in the list: ${values.map(inSentence).join(', ')}. Use it all the same?`,
  );
};

/** The earlier answer, if it was typed because no choice was meant: after Esc it can be taken again. */
const typedBefore = ({ initial, isHidden }: Question, { others, choices }: Suggestions): Suggestions['choices'] =>
  initial === undefined || isHidden || others === 'refused' || choices.some(({ value }) => value === initial)
    ? []
    : [{ name: initial, value: initial }];

/** Asks for one of several choices. If they are only suggestions, the user can type another value. */
export const askChoice = async (cli: PromptContext, question: Question, { others, choices }: Suggestions) => {
  if (choices.length === 0) return askText(cli, question);
  const other = others === 'refused' ? [] : [{ name: ELSE, value: undefined }];
  // A value with control characters is never offered.
  const shown = [...typedBefore(question, { others, choices }), ...choices].flatMap((choice) =>
    actingIn(choice.value) === undefined
      ? [{ ...choice, name: inChoice(choice.name), isCurrent: choice.value === question.initial }]
      : [],
  );
  // What is typed into a list is shown.
  const typed =
    others === 'refused' || question.isHidden
      ? undefined
      : { valueOf: (text: string) => text, problemIn: problemIn(question) };
  const message = messageFor(cli, question);
  const choose = () => cli.io.prompt.select<string | undefined>(message, [...shown, ...other], typed);
  for (;;) {
    const chosen = await askThen(cli, choose, async (selected) => {
      const value = selected ?? (await askText(cli, question));
      return others !== 'confirmed' || (await confirmUnusual(cli, value, choices)) ? value : undefined;
    });
    if (chosen !== undefined) return chosen;
  }
};

/** Asks for one or more of several choices. */
export const askChoices = (cli: PromptContext, question: Question, suggested: Suggestions) => {
  const another = { ...question, description: 'Another one?' };
  const askFrom = (found: readonly string[]): Promise<readonly string[]> => {
    const left = suggested.choices.filter(({ value }) => !found.includes(value));
    if (found.length > 0 && left.length === 0) return Promise.resolve(found);
    const next = { others: 'refused', choices: [{ name: 'No other', value: '' }, ...left] } as const;
    return askThen<string, readonly string[]>(
      cli,
      (initial = '') =>
        found.length === 0 ? askChoice(cli, question, suggested) : askChoice(cli, { ...another, initial }, next),
      async (chosen) => (chosen === '' ? found : askFrom([...found, chosen])),
    );
  };
  return askFrom([]);
};
