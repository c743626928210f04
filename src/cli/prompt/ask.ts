import { actingIn, escapeText } from '../../core/escape.ts';
import { inChoice } from '../../core/remote-text.ts';
import type { AnswerRules, Choice } from '../../io/prompt/prompt.ts';
import type { Command } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';

/** What is asked for: in words, and the option that would have answered it. */
export type Asking = AnswerRules & { readonly flag: string; readonly description: string; readonly isHidden?: boolean };

/** What can be chosen; `closed` when nothing else will do. */
export type Suggested = { readonly closed: boolean; readonly choices: readonly Choice<string>[] };

/** Where choices come from, for one option of a command. */
export type Source = (cli: CommandContext, command: Command, given: ParsedArgs) => Promise<Suggested>;

/** What an answer that is none is told. */
export const NEEDED = 'Required. Ctrl-C to quit.';

const messageFor = ({ talkStyle }: CommandContext, { flag, description }: Asking): string =>
  `${escapeText(description)} ${talkStyle.colour.dim(flag)}`;

const problemIn =
  (asking: Asking, isOptional = false) =>
  async (answer: string): Promise<string | undefined> => {
    const text = answer.trim();
    if (text === '') return isOptional ? undefined : NEEDED;
    const problem = await asking.problemIn?.(text);
    return problem === undefined ? undefined : escapeText(problem);
  };

/** Asks until nothing is wrong with the answer: a bare newline is none, where nothing stands for it. */
export const askText = async (cli: CommandContext, asking: Asking, isOptional = false): Promise<string> => {
  const { prompt } = cli.io;
  const wanted = { problemIn: problemIn(asking, isOptional), initial: asking.initial, room: asking.room };
  const ask = asking.isHidden ? prompt.password : prompt.text;
  return (await ask(messageFor(cli, asking), wanted)).trim();
};

/** Asks for one or more: a bare newline ends the list. */
export const askSeveral = async (cli: CommandContext, asking: Asking): Promise<readonly string[]> => {
  const found: string[] = [];
  for (;;) {
    const says = found.length === 0 ? asking.description : 'Another? Enter alone ends the list:';
    const text = await askText(cli, { ...asking, description: says }, found.length > 0);
    if (text === '') return found;
    found.push(text);
  }
};

const ELSE = 'something else';

/** Has one of several chosen; where they are only suggestions something else can be typed. */
export const askChoice = async (
  cli: CommandContext,
  asking: Asking,
  { closed, choices }: Suggested,
): Promise<string> => {
  if (choices.length === 0) return askText(cli, asking);
  const other = closed ? [] : [{ name: ELSE, value: undefined }];
  // What holds a character that acts was not made to be sent: nobody is offered it.
  const shown = choices.flatMap((choice) =>
    actingIn(choice.value) === undefined ? [{ ...choice, name: inChoice(choice.name) }] : [],
  );
  const typed = closed ? undefined : { valueOf: (text: string) => text, problemIn: problemIn(asking) };
  const message = messageFor(cli, asking);
  const chosen = await cli.io.prompt.select<string | undefined>(message, [...shown, ...other], typed);
  return chosen ?? askText(cli, asking);
};

/** Has one or more of several chosen, until that is enough. */
export const askChoices = async (
  cli: CommandContext,
  asking: Asking,
  suggested: Suggested,
): Promise<readonly string[]> => {
  const found = [await askChoice(cli, asking, suggested)];
  for (;;) {
    const left = suggested.choices.filter(({ value }) => !found.includes(value));
    if (left.length === 0) return found;
    const choices = [{ name: 'No other', value: '' }, ...left];
    const more = await askChoice(cli, { ...asking, description: 'Another one?' }, { closed: true, choices });
    if (more === '') return found;
    found.push(more);
  }
};
