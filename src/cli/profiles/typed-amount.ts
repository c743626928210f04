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

/** Any token that has no amount of its own. */
const ANY = '*';

type Thresholds = Readonly<Record<string, string>>;

/** Which of the profiles that hold says that amounts are typed. */
type Limits = Pick<Profile, 'policy' | 'type_amount_above'>;

const isLimited = ({ policy }: Limits): boolean => limitsSomething(policy);

/** The service that the amounts are of. Bytes that are signed without one are held to be for a live one. */
const serviceOfAmounts = async (cli: CommandContext): Promise<Pick<Service, 'profile' | 'kind'>> => {
  const selection = await cli.selection();
  return selection.as === 'nothing' ? serviceOf(selection, 'live') : cli.service();
};

/**
 * The amounts above which they are typed on a live service, by the name of the token: those of the profile in use, and
 * those of each profile that holds beside it. What `stands` in their place leaves those of its profile out.
 */
const thresholdsOf = async (
  cli: CommandContext,
  isReplaced: (limits: Limits) => boolean,
  isOffline?: boolean,
): Promise<readonly Thresholds[]> => {
  const beside = limitsBeside(await cli.selection(), isOffline);
  const all = [await cli.profile(), ...beside].filter((limits) => !isReplaced(limits));
  const some = all.flatMap(({ type_amount_above: above = {} }) => (Object.keys(above).length > 0 ? [above] : []));
  return some.length > 0 && (await serviceOfAmounts(cli)).kind === 'live' ? some : [];
};

/** An amount of a token that is not known is in units that nobody can compare: where any are typed, so is that. */
const isAboveOne = (thresholds: Thresholds, outflow: Outflow): boolean => {
  const own = Object.entries(thresholds).find(([name]) => isOfToken(name, outflow))?.[1];
  const threshold = own ?? thresholds[ANY];
  if (threshold === undefined) return false;
  return outflow.token === outflow.address || compareDecimals(outflow.amount, threshold) > 0;
};

const isAbove = (all: readonly Thresholds[], outflow: Outflow): boolean =>
  all.some((thresholds) => isAboveOne(thresholds, outflow));

/** Those of the amounts that leave which a person must type before anything is signed. A policy stands in their place. */
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

/** What is said of an amount before it is typed, and what it is typed for. */
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
    `the amount is ${amount} ${inSentence(token)}, and "${typed.trim()}" was typed`,
    {
      errors: [{ field: 'typed_amount', message: `expected ${amount}, found ${typed.trim()}` }],
      hint: undone,
      isDeclined: true,
    },
  );
};

/**
 * Has the user type each amount: 1000.00 is 1000, and nothing else is. `doubt` is what is said before, `chain` where it
 * leaves. Throws `refused_by_review` for another amount, `confirmation_needed` where nobody can be asked and --yes is
 * not given.
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
 * Has the amount of a card's charge typed where the profile wants that, with a policy too: it says nothing of cards.
 * `false` where a yes is enough. Throws as `typeAmounts`.
 */
export const typeCharge = async (cli: CommandContext, amount: string, currency: string): Promise<boolean> => {
  const outflow = { token: currency, amount };
  if (!isAbove(await thresholdsOf(cli, () => false), outflow)) return false;
  const danger = `${inSentence(amount)} ${inSentence(currency)} will be charged to the card (${serviceInWords(await cli.service())}).`;
  await typeAmount(cli, outflow, { danger, to: 'charge it', undone: 'Nothing was sent.' });
  return true;
};
