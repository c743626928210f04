import { allClosest } from '../../core/closest.ts';
import { escapeText, inChoice, isSameText } from '../../core/text.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { type Command, type CommandContext, isNameList, type NameList } from '../command/command.ts';
import { eitherOf, type ParsedArgs, stringArg } from '../command/options.ts';
import { KNOWN } from '../completion/known.ts';
import { OFFERS } from '../completion/offers.ts';
import type { Answer } from './answers.ts';

/** The names that no request is needed for. A service may know others, so they are never refused. */
const LISTS: Readonly<Record<NameList, readonly string[]>> = {
  'evm-chains': KNOWN.evmChains,
  'yield-chains': KNOWN.yieldChains,
  providers: KNOWN.providers,
};

/** A typed value that is close to known names, and is none of them. */
type NearMiss = { readonly flag: string; readonly value: string; readonly meant: readonly string[] };

/** The typed options whose value is probably a mistyped name. */
const nearMisses = async ({ io, typed }: CommandContext, { options = [] }: Command, given: ParsedArgs) => {
  const found: NearMiss[] = [];
  for (const { flag, completes: list } of options) {
    const value = stringArg(given, flag.slice(2));
    if (!isNameList(list) || value === undefined) continue;
    const isIn = (names: readonly string[]) => names.some((name) => isSameText(name, value));
    // Most values are in the list, and need no read of the service's own names.
    if (isIn(LISTS[list])) continue;
    const offered = (await OFFERS[list](io, typed.argv)).filter((name) => typeof name === 'string');
    const meant = isIn(offered) ? [] : allClosest(value, offered);
    if (meant.length > 0) found.push({ flag, value, meant });
  }
  return found;
};

const didYouMean = ({ flag, value, meant }: NearMiss): string =>
  `${flag}: ${value} is not a known name. Did you mean ${eitherOf(meant)}?`;

const warnOf = (cli: CommandContext, miss: NearMiss): Promise<void> =>
  cli.warn(escapeText(`${didYouMean(miss)} It is sent as typed.`));

/** Warns of mistyped names, which are sent: a service may know them. */
export const warnOfNames = async (cli: CommandContext, command: Command, given: ParsedArgs): Promise<void> => {
  for (const miss of await nearMisses(cli, command, given)) await warnOf(cli, miss);
};

/** Asks which name is meant. `undefined` keeps the typed value. */
const askMeant = async (cli: CommandContext, miss: NearMiss): Promise<Answer | undefined> => {
  const { printTargetService } = await import('../print/steps.ts');
  await printTargetService(cli);
  const choices: readonly Choice<string>[] = [
    ...miss.meant.map((value) => ({ name: inChoice(value), value })),
    { name: `${inChoice(miss.value)}, as typed`, value: miss.value },
  ];
  const value = await cli.io.prompt.select(escapeText(didYouMean(miss)), choices);
  return value === miss.value ? undefined : { flag: miss.flag, name: miss.flag.slice(2), value };
};

/**
 * The corrections of mistyped names, before anything is sent. A terminal asks, except with --yes. Elsewhere a warning names
 * the value, which is sent: a service may know it.
 */
export const correctedNames = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (const miss of await nearMisses(cli, command, given)) {
    if (cli.io.prompt.isPossible && !cli.globals.yes) {
      const answer = await askMeant(cli, miss);
      if (answer) answers.push(answer);
    } else await warnOf(cli, miss);
  }
  return answers;
};
