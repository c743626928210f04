import { escapeText } from '../../core/escape.ts';
import type { FieldError } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { assertKeyName } from '../../keystore/key-name.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { Command } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';
import { problemOf } from '../command/problem-of.ts';
import { withoutNotes } from '../command/without-notes.ts';
import type { CommandContext } from '../context/context.ts';
import { type Asking, askChoice, askChoices, askSeveral, askText } from './ask.ts';
import { askSetting } from './ask-setting.ts';
import type { Asked } from './command-line.ts';
import { type Declared, declaredIn } from './declared.ts';
import { exampleOf, initialOf } from './examples.ts';
import { judgeAnswer } from './judge-answer.ts';
import { shownAnswer } from './review-answers.ts';
import { canBeAsked, suggestionsFor } from './suggestions.ts';
import { problemInFile, typedPath } from './typed-path.ts';
import { leftOf, wholeSplit } from './whole-split.ts';
import { wordsFor } from './words.ts';

/** What is asked about, and what it is now where it is there already. */
type About = { readonly leaf: Command; readonly given: ParsedArgs; readonly now: Readonly<Record<string, string>> };

const STDIN = /[,;] (?:or )?- for stdin\b/;

/** What is asked for, in words: who is asked has the terminal for stdin. */
const inWords = (says: string): string => withoutNotes(says).replace(STDIN, '');

/** What is wrong with an answer that stands for stdin. */
const stdinProblem = (text: string, help: string): string | undefined =>
  text === '-' && STDIN.test(help) ? 'is the terminal here: give a file' : undefined;

/** No shell reads what is typed here: it means the same all the same. */
const answerOf =
  (cli: CommandContext, declared: Declared) =>
  (text: string): string =>
    isPath(declared) ? typedPath(cli.io, text) : text;

/** A question, with what is there already. */
const besideNow = (says: string, present: string): string =>
  says.endsWith('?') ? `${says.slice(0, -1)} (now ${present})?` : `${says}, now ${present}`;

/** What is asked of one option. What is typed has what it is now, or an example, or what Enter alone takes. */
const askingOf = async (
  cli: CommandContext,
  { leaf: command, given, now }: About,
  declared: Declared,
  isTyped: boolean,
): Promise<Asking> => {
  const { flag, description: help, check } = declared;
  const says = wordsFor(command, flag) ?? inWords(help);
  const read = answerOf(cli, declared);
  const present = now[flag];
  const initial = present === undefined ? await initialOf(cli, flag) : undefined;
  const wants = isTyped && present === undefined && initial === undefined && !says.includes('such as');
  const example = wants ? await exampleOf(command, flag, given) : undefined;
  return {
    flag,
    isHidden: declared.isHidden === true,
    description: present === undefined ? `${says}${example ? `, such as ${example}` : ''}` : besideNow(says, present),
    initial,
    room: (initial ?? example)?.length,
    problemIn: async (text) =>
      stdinProblem(text, help) ??
      check?.(read(text)) ??
      (await judgeAnswer(flag, text, command, given)) ??
      judgeLocal(cli, command, declared, read(text)),
  };
};

const choicesFor = async (cli: CommandContext, command: Command, given: ParsedArgs, declared: Declared) => {
  const { choices } = declared;
  return (
    (await suggestionsFor(cli, command, given, declared)) ??
    (choices && { closed: true, choices: choices.map((one) => ({ name: one, value: one })) })
  );
};

/** Asks for the value of one option or argument. */
const askFor = async (cli: CommandContext, about: About, declared: Declared): Promise<readonly Asked[]> => {
  const { leaf: command, given } = about;
  const { flag, name, isRepeatable, value } = declared;
  const answer = (found: Asked['value']): readonly Asked[] => [
    { flag, name, value: found, isHidden: declared.isHidden === true || declared.isSecret === true },
  ];
  if (value === undefined) return answer(true);
  if (flag === 'KEY=VALUE') return answer([await askSetting(cli, command, given)]);
  const suggested = await choicesFor(cli, command, given, declared);
  const asking = await askingOf(cli, about, declared, suggested === undefined);
  if (suggested) {
    return answer(await (isRepeatable ? askChoices : askChoice)(cli, asking, suggested));
  }
  if (!isRepeatable) return answer(answerOf(cli, declared)(await askText(cli, asking)));
  return answer(await (flag === '--split' ? askSplit : askSeveral)(cli, asking));
};

/** What an error names, as far as it can be asked for. */
const askableIn = async (cli: CommandContext, command: Command, named: string): Promise<readonly Declared[]> => {
  const all = declaredIn(command, named);
  const can = await Promise.all(all.map((one) => canBeAsked(cli, command, one)));
  return all.filter((_, at) => can[at]);
};

const NO_KEY = {
  message: 'required, and there is no key yet: bursar key new treasury --chain evm, or --chain solana',
  first: nextStep('key.new', 'treasury', 'evm'),
};

/** What an error says where nobody can be asked for what it names; `undefined` where somebody can. */
export const beyondAsking = async (
  cli: CommandContext,
  command: Command,
  error: FieldError,
): Promise<FieldError | undefined> => {
  const named = error.option ?? error.field;
  if ((await askableIn(cli, command, named)).length > 0) return undefined;
  const isBare = error.message === 'required' && declaredIn(command, named).length > 0;
  return isBare ? { ...error, ...NO_KEY } : error;
};

const asChoice = ({ now }: About, declared: Declared): Choice<Declared> => {
  const present = now[declared.flag];
  const name = `${inWords(declared.description)}${present === undefined ? '' : `, now ${present}`} (${declared.flag})`;
  return { name: escapeText(name), value: declared };
};

/** Asks what is to change, as often as there is more: all of it is then shown and sent at once. */
const askForChanges = async (
  cli: CommandContext,
  about: About,
  all: readonly Declared[],
): Promise<readonly Asked[]> => {
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
export const askAnew = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  asked: Asked,
): Promise<readonly Asked[]> => {
  const [declared] = await askableIn(cli, command, asked.flag);
  const now = { [asked.flag]: shownAnswer(asked) };
  return declared === undefined ? [asked] : askFor(cli, { leaf: command, given, now }, declared);
};

/** Asks for what an error names. Of several that would do, the user says which. */
export const askAbout = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  named: string,
): Promise<readonly Asked[]> => {
  const all = await askableIn(cli, command, named);
  const [only, ...others] = all;
  if (only === undefined) return [];
  const about: About = {
    leaf: command,
    given,
    now: others.length === 0 ? {} : ((await command.currentValues?.(cli, given)) ?? {}),
  };
  if (others.length === 0) return askFor(cli, about, only);
  if (command.currentValues) return askForChanges(cli, about, all);
  const choices = all.map((one) => asChoice(about, one));
  return askFor(cli, about, await cli.io.prompt.select('Which of these do you have?', choices));
};

/** Arguments that name a key to be. */
const NEW_KEYS: readonly string[] = ['key new NAME', 'key import NAME', 'key rename NEW_NAME'];

const problemInName = (cli: CommandContext, name: string) =>
  problemOf(async () => {
    assertKeyName(name);
    await openKeystore(cli.io).assertFree(name);
  });

/** Whether what is asked for is a path. */
const isPath = ({ value, completes }: Declared): boolean => value === 'FILE' || completes === 'files';

/** Holds an answer against what is on this machine: a file that is to be read, one to be made, the name of a key to be. */
const judgeLocal = async (
  cli: CommandContext,
  { words }: Command,
  declared: Declared,
  text: string,
): Promise<string | undefined> => {
  if (NEW_KEYS.includes(`${words.join(' ')} ${declared.flag}`)) return problemInName(cli, text);
  if (!isPath(declared) || text === '-') return undefined;
  if (declared.flag !== '--out') return problemInFile(cli.io, text);
  return (await cli.io.files.targetFacts(text)) ? 'is there already, and nothing is overwritten' : undefined;
};

const hasShare = (text: string): boolean => text.includes('=');

/** A wallet alone is judged with a share that it could have. */
const MIN = '0.000001';

/** What is wrong with a receiver and its share, beside those that are there. */
const problemWith =
  ({ problemIn }: Asking, found: readonly string[]) =>
  async (text: string): Promise<string | undefined> => {
    const whole = hasShare(text) ? text : `${text}=${MIN}`;
    return (await problemIn?.(whole)) ?? wholeSplit([...found, whole]).problem;
  };

/** Asks for the receivers of a payment until they have all of it. A wallet alone is asked for its share: all that is left, or less. */
const askSplit = async (cli: CommandContext, asking: Asking): Promise<readonly string[]> => {
  const found: string[] = [];
  for (;;) {
    const says = found.length === 0 ? asking.description : `Another receiver: ${wholeSplit(found).says}`;
    const problemIn = problemWith(asking, found);
    const typed = await askText(cli, { ...asking, description: says, problemIn });
    const share = hasShare(typed)
      ? undefined
      : await askText(cli, {
          flag: asking.flag,
          description: 'Its share of the 100 per cent',
          initial: leftOf(found),
          problemIn: (text) => problemIn(`${typed}=${text}`),
        });
    found.push(share === undefined ? typed : `${typed}=${share}`);
    if (wholeSplit(found).isWhole) return found;
  }
};
