import { escapeText } from '../../core/escape.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Given } from '../options.ts';
import { withoutNotes } from '../without-notes.ts';
import { type Asking, askChoice, askSeveral, askText } from './ask.ts';
import type { Asked } from './command-line.ts';
import { type Declared, declaredIn } from './declared.ts';
import { exampleOf, initialOf } from './examples.ts';
import { judgeAnswer } from './judge-answer.ts';
import { suggestionsFor } from './suggestions.ts';
import { wholeSplit } from './whole-split.ts';

/** One question, and what it answers. */
export type Question = { readonly ask: (cli: Cli) => Promise<readonly Asked[]> };

/** What is asked about, and what it is now where it is there already. */
type About = { readonly leaf: Leaf; readonly given: Given; readonly now: Readonly<Record<string, string>> };

/** What is asked of one option. What is typed has what it is now, or an example, or what Enter alone takes. */
const askingOf = async (
  cli: Cli,
  { leaf, given, now }: About,
  { flag, says: help, check }: Declared,
  isTyped: boolean,
): Promise<Asking> => {
  const says = withoutNotes(help);
  const present = now[flag];
  const initial = present === undefined ? await initialOf(cli, flag) : undefined;
  const wants = isTyped && present === undefined && initial === undefined && !says.includes('such as');
  const example = wants ? await exampleOf(leaf, flag) : undefined;
  const more = present === undefined ? example && `, such as ${example}` : `, now ${present}`;
  return {
    flag,
    says: `${says}${more ?? ''}`,
    initial,
    room: (initial ?? example)?.length,
    problemIn: async (text) => check?.(text) ?? judgeAnswer(flag, text, leaf, given),
  };
};

const choicesFor = async (cli: Cli, leaf: Leaf, given: Given, declared: Declared) => {
  const { choices } = declared;
  return (
    (await suggestionsFor(cli, leaf, given, declared)) ??
    (choices && { closed: true, choices: choices.map((one) => ({ name: one, value: one })) })
  );
};

/** `undefined` where it cannot be asked for. */
const questionOf = async (cli: Cli, about: About, declared: Declared): Promise<Question | undefined> => {
  const { leaf, given } = about;
  const { flag, name, isRepeatable, value } = declared;
  const answer = (found: Asked['value']): readonly Asked[] => [{ flag, name, value: found }];
  if (value === undefined) return { ask: async () => answer(true) };
  const suggested = await choicesFor(cli, leaf, given, declared);
  if (suggested?.closed && suggested.choices.length === 0) return undefined;
  return {
    ask: async (on) => {
      const asking = await askingOf(on, about, declared, suggested === undefined);
      if (suggested) {
        const chosen = await askChoice(on, asking, suggested);
        return answer(isRepeatable ? [chosen] : chosen);
      }
      if (!isRepeatable) return answer(await askText(on, asking));
      return answer(await askSeveral(on, asking, flag === '--split' ? wholeSplit : undefined));
    },
  };
};

/**
 * The question for one option or argument. Of several that would do, the user says which. `undefined` where none of them
 * can be asked for.
 */
export const questionFor = async (cli: Cli, leaf: Leaf, given: Given, named: string): Promise<Question | undefined> => {
  const all = declaredIn(leaf, named);
  const now = all.length > 1 ? ((await leaf.present?.(cli, given)) ?? {}) : {};
  const found = await Promise.all(all.map((one) => questionOf(cli, { leaf, given, now }, one)));
  const open = all.flatMap((declared, at) => {
    const question = found[at];
    const present = now[declared.flag];
    const name = `${withoutNotes(declared.says)}${present === undefined ? '' : `, now ${present}`} (${declared.flag})`;
    return question ? [{ name: escapeText(name), value: question }] : [];
  });
  const [only, ...others] = open;
  if (only === undefined || others.length === 0) return only?.value;
  const says = leaf.present ? 'What is to change?' : 'Which of these do you have?';
  return { ask: async (on) => (await on.io.prompt.select(says, open)).ask(on) };
};
