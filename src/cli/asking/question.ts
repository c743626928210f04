import type { FieldError } from '../../core/failure.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Argument, Given, Option } from '../options.ts';
import { askChoice, askSeveral, askText } from './ask.ts';
import type { Asked } from './command-line.ts';
import { suggestionsFor } from './suggestions.ts';

/** One question, and what it answers. */
export type Question = { readonly ask: (cli: Cli) => Promise<readonly Asked[]> };

/** Something that can be given: an option, or an argument. */
type Declared = { readonly flag: string; readonly name: string } & Pick<
  Option,
  'says' | 'choices' | 'isRepeatable' | 'check' | 'value'
>;

const ofOption = (option: Option): Declared => ({ ...option, name: option.flag.slice(2) });

const ofArgument = ({ name, ...argument }: Argument): Declared => ({
  ...argument,
  flag: name,
  name: name.toLowerCase(),
  value: name,
});

/** What an error names: one option or argument, or several of which one will do. */
const declaredIn = (leaf: Leaf, named: string): readonly Declared[] => {
  const options = (leaf.options ?? []).map(ofOption);
  const all = [...options, ...(leaf.arguments ?? []).map(ofArgument)];
  const whole = all.find(({ flag }) => flag === named);
  if (whole) return [whole];
  const flags = named.match(/--[a-z][a-z0-9-]*|\b[A-Z][A-Z_]+\b/g) ?? [];
  return flags.flatMap((flag) => all.find((one) => one.flag === flag) ?? []);
};

/** What the help says, without its notes: whoever is asked needs no "required". */
const inWords = ({ says }: Declared): string => says.replace(/ \((?:required|repeatable|default\b[^)]*)\)/g, '');

const questionOf = async (cli: Cli, leaf: Leaf, given: Given, declared: Declared): Promise<Question | undefined> => {
  const { flag, name, choices, isRepeatable, value, check } = declared;
  const says = inWords(declared);
  const asking = { flag, says, check };
  const answer = (found: Asked['value']): readonly Asked[] => [{ flag, name, value: found }];
  if (value === undefined) return { ask: async () => answer(true) };
  const suggested = choices
    ? { closed: true, choices: choices.map((one) => ({ name: one, value: one })) }
    : await suggestionsFor(cli, leaf, given, flag);
  if (!suggested) {
    if (!isRepeatable) return { ask: async (on) => answer(await askText(on, asking)) };
    return { ask: async (on) => answer(await askSeveral(on, asking)) };
  }
  if (suggested.choices.length === 0 && suggested.closed) return undefined;
  return {
    ask: async (on) => {
      const chosen = await askChoice(on, asking, suggested);
      return answer(isRepeatable ? [chosen] : chosen);
    },
  };
};

/** Of several that would do, the user says which. */
const oneOf = async (
  cli: Cli,
  leaf: Leaf,
  given: Given,
  all: readonly Declared[],
  says: string,
): Promise<Question | undefined> => {
  const found = await Promise.all(all.map((one) => questionOf(cli, leaf, given, one)));
  const open = all.flatMap((declared, at) => {
    const question = found[at];
    return question ? [{ name: `${inWords(declared)} (${declared.flag})`, value: question }] : [];
  });
  const [only, ...others] = open;
  if (only === undefined || others.length === 0) return only?.value;
  return { ask: async (on) => (await on.io.prompt.select(says, open)).ask(on) };
};

/**
 * The questions that answer what is missing or wrong, in the order of the command's options; `undefined` where one of
 * it cannot be asked for.
 */
export const questionsFor = async (
  cli: Cli,
  leaf: Leaf,
  given: Given,
  errors: readonly FieldError[],
): Promise<readonly Question[] | undefined> => {
  const questions: Question[] = [];
  for (const named of new Set(errors.map(({ option, field }) => option ?? field))) {
    const all = declaredIn(leaf, named);
    const question = await oneOf(cli, leaf, given, all, 'Which of these do you have?');
    if (!question) return undefined;
    questions.push(question);
  }
  return questions;
};
