import { escapeText } from '../../core/escape.ts';
import { isCredential } from '../../core/redact.ts';
import type { Choice } from '../../io/io.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Check, Given } from '../options.ts';

/** What is asked for: in words, and the option that would have answered it. */
export type Asking = { readonly flag: string; readonly says: string; readonly check?: Check | undefined };

/** What can be chosen; `closed` when nothing else will do. */
export type Suggested = { readonly closed: boolean; readonly choices: readonly Choice<string>[] };

/** Where choices come from, for one option of a command. */
export type Source = (cli: Cli, leaf: Leaf, given: Given) => Promise<Suggested>;

const messageFor = ({ talkStyle }: Cli, { flag, says }: Asking): string => `${says} ${talkStyle.colour.dim(flag)}`;

/** A card is not shown while it is typed; a code that came by e-mail has to be seen. */
const isHidden = (flag: string): boolean =>
  isCredential(flag.replace(/^--/, '').replaceAll('-', '_')) && flag !== '--code';

const readOnce = (cli: Cli, asking: Asking, says: string): Promise<string> =>
  isHidden(asking.flag) ? cli.io.prompt.password(says) : cli.io.prompt.text(says);

const problemIn = ({ check }: Asking, text: string, isOptional: boolean): string | undefined => {
  if (text === '') return isOptional ? undefined : 'something is needed here; Ctrl-C ends';
  return check?.(text);
};

/** Asks until the contract has nothing against the answer: a bare newline is none. */
export const askText = async (cli: Cli, asking: Asking, isOptional = false): Promise<string> => {
  for (;;) {
    const text = (await readOnce(cli, asking, messageFor(cli, asking))).trim();
    const problem = problemIn(asking, text, isOptional);
    if (problem === undefined) return text;
    await cli.io.stderr.write(`  ${escapeText(problem)}\n`);
  }
};

/** Asks for one or more: a bare newline ends the list. */
export const askSeveral = async (cli: Cli, asking: Asking): Promise<readonly string[]> => {
  const found = [await askText(cli, asking)];
  for (;;) {
    const more = await askText(cli, { ...asking, says: 'Another? Enter alone ends the list:' }, true);
    if (more === '') return found;
    found.push(more);
  }
};

/** Has one of several chosen; where they are only suggestions something else can be typed. */
export const askChoice = async (cli: Cli, asking: Asking, { closed, choices }: Suggested): Promise<string> => {
  if (choices.length === 0) return askText(cli, asking);
  const other = closed ? [] : [{ name: 'something else', value: undefined }];
  const shown = choices.map(({ name, value }) => ({ name: escapeText(name), value }));
  const chosen = await cli.io.prompt.select<string | undefined>(messageFor(cli, asking), [...shown, ...other]);
  return chosen ?? askText(cli, asking);
};
