import type { Outflow } from '../../chain/review/footprint.ts';
import { isOfToken, limitsSomething } from '../../chain/review/policy.ts';
import type { Service } from '../../client/service.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure } from '../../core/failure.ts';
import { inSentence } from '../../core/remote-text.ts';
import type { CommandContext } from '../context/context.ts';
import { askToType, serviceInWords } from '../prompt/confirming.ts';
import type { Profile } from './profile.ts';
import { limitsBeside, serviceOf } from './selection.ts';

/** The threshold of every token without its own. */
const ANY = '*';

type Thresholds = Readonly<Record<string, string>>;

/** The limits of a profile that applies. */
type Limits = Pick<Profile, 'policy' | 'type_amount_above'>;

const isLimited = ({ policy }: Limits): boolean => limitsSomething(policy);

/** The service of the amounts. Bytes that are signed without a service count as live. */
const serviceOfAmounts = async (cli: CommandContext): Promise<Pick<Service, 'profile' | 'kind'>> => {
  const selection = await cli.selection();
  return selection.as === 'nothing' ? serviceOf(selection, 'live') : cli.service();
};

/**
 * The thresholds for typed amounts on a live service, by token: those of the current profile and of each further profile
 * that applies. `isReplaced` leaves out the thresholds of a profile.
 */
const thresholdsOf = async (
  cli: CommandContext,
  isReplaced: (limits: Limits) => boolean,
  isOffline?: boolean,
): Promise<readonly Thresholds[]> => {
  const further = limitsBeside(await cli.selection(), isOffline);
  const all = [await cli.profile(), ...further].filter((limits) => !isReplaced(limits));
  const some = all.flatMap(({ type_amount_above: above = {} }) => (Object.keys(above).length > 0 ? [above] : []));
  return some.length > 0 && (await serviceOfAmounts(cli)).kind === 'live' ? some : [];
};

/** Whether an outflow exceeds a threshold. Amounts of an unknown token are not comparable and always exceed it. */
const isAboveOne = (thresholds: Thresholds, outflow: Outflow): boolean => {
  const own = Object.entries(thresholds).find(([name]) => isOfToken(name, outflow))?.[1];
  const threshold = own ?? thresholds[ANY];
  if (threshold === undefined) return false;
  return outflow.token === outflow.address || compareDecimals(outflow.amount, threshold) > 0;
};

const isAbove = (all: readonly Thresholds[], outflow: Outflow): boolean =>
  all.some((thresholds) => isAboveOne(thresholds, outflow));

/** The outflows whose amount the user must type before signing. A policy replaces the thresholds of its profile. */
export const amountsToType = async (
  cli: CommandContext,
  outflows: readonly Outflow[],
  isOffline?: boolean,
): Promise<readonly Outflow[]> => {
  const thresholds = await thresholdsOf(cli, isLimited, isOffline);
  return outflows.filter((outflow) => isAbove(thresholds, outflow));
};

const isSameAmount = (typed: string, amount: string): boolean =>
  isDecimal(typed) && compareDecimals(typed, amount) === 0;

/** The texts of a prompt for an amount: the warning before it, the action, and the hint after a wrong amount. */
type Wording = { readonly danger: string; readonly to: 'sign it' | 'charge it'; readonly undone: string };

const typeAmount = async (
  cli: CommandContext,
  { amount, token }: Outflow,
  { danger, to, undone }: Wording,
): Promise<void> => {
  const typed = await askToType(cli, escapeText(danger), `Type the amount of ${inSentence(token)} to ${to}:`);
  if (typed === undefined || isSameAmount(typed.trim(), amount)) return;
  throw new Failure(
    'refused_by_review',
    `the amount is ${amount} ${inSentence(token)}, but you typed "${typed.trim()}"`,
    {
      errors: [{ field: 'typed_amount', message: `expected ${amount}, found ${typed.trim()}` }],
      hint: undone,
      isDeclined: true,
    },
  );
};

/**
 * Prompts the user to type each amount; 1000.00 equals 1000. `doubt` starts the warning. Throws `refused_by_review` for
 * another amount, and `confirmation_needed` without a terminal and without --yes.
 */
export const typeAmounts = async (
  cli: CommandContext,
  { doubt, chain }: { readonly doubt: string; readonly chain: string },
  amounts: readonly Outflow[],
): Promise<void> => {
  const service = serviceInWords(await serviceOfAmounts(cli));
  for (const outflow of amounts) {
    const { amount, token } = outflow;
    const danger = `${doubt}${inSentence(amount)} ${inSentence(token)} on ${inSentence(chain)} (${service}) will leave.`;
    await typeAmount(cli, outflow, { danger, to: 'sign it', undone: 'Nothing was signed or sent.' });
  }
};

/**
 * Prompts the user to type the amount of a card charge above the profile's threshold. A policy does not replace it,
 * because policies do not cover cards. `false` if a yes is enough. Throws as `typeAmounts` does.
 */
export const typeCharge = async (cli: CommandContext, amount: string, currency: string): Promise<boolean> => {
  const outflow = { token: currency, amount };
  if (!isAbove(await thresholdsOf(cli, () => false), outflow)) return false;
  const danger = `${inSentence(amount)} ${inSentence(currency)} will be charged to the card (${serviceInWords(await cli.service())}).`;
  await typeAmount(cli, outflow, { danger, to: 'charge it', undone: 'Nothing was sent.' });
  return true;
};
