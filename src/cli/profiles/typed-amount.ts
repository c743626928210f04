import type { Leaving } from '../../chain/policy/footprint.ts';
import { isOfToken } from '../../chain/policy/names.ts';
import { limitsSomething } from '../../chain/policy/policy.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure } from '../../core/failure.ts';
import type { Cli } from '../cli.ts';
import { askToType, serviceInWords } from '../confirming.ts';

/** Any token that has no amount of its own. */
const ANY = '*';

/** What a live profile without a policy wants typed: the amounts above its thresholds, by the name of the token. */
const thresholdsOf = async (cli: Cli): Promise<Readonly<Record<string, string>>> => {
  const { policy, type_amount_above: above = {} } = await cli.profile();
  if (limitsSomething(policy) || Object.keys(above).length === 0) return {};
  return (await cli.service()).kind === 'live' ? above : {};
};

/** An amount of a token that is not known is in units that nobody can compare: where any are typed, so is that. */
const isAbove = (thresholds: Readonly<Record<string, string>>, leaving: Leaving): boolean => {
  const own = Object.entries(thresholds).find(([name]) => isOfToken(name, leaving))?.[1];
  const threshold = own ?? thresholds[ANY];
  if (threshold === undefined) return false;
  return leaving.token === leaving.address || compareDecimals(leaving.amount, threshold) > 0;
};

/** Those of the amounts that leave which a person must type before anything is signed. */
export const amountsToType = async (cli: Cli, leaves: readonly Leaving[]): Promise<readonly Leaving[]> => {
  const thresholds = await thresholdsOf(cli);
  return leaves.filter((leaving) => isAbove(thresholds, leaving));
};

const isSameAmount = (typed: string, amount: string): boolean =>
  isDecimal(typed) && compareDecimals(typed, amount) === 0;

/**
 * Has the user type each amount: 1000.00 is 1000, and nothing else is. `doubt` is what is said before, `chain` where it
 * leaves. Throws `refused_by_review` for another amount, `confirmation_needed` where nobody can be asked and --yes is
 * not given.
 */
export const typeAmounts = async (
  cli: Cli,
  { doubt, chain }: { readonly doubt: string; readonly chain: string },
  amounts: readonly Leaving[],
): Promise<void> => {
  const service = await cli.service();
  for (const { amount, token } of amounts) {
    const what = escapeText(`${doubt}${amount} ${token} on ${chain} (${serviceInWords(service)})`);
    const typed = await askToType(cli, `${what} will leave.`, `Type the amount of ${escapeText(token)} to sign it:`);
    if (typed === undefined || isSameAmount(typed.trim(), amount)) continue;
    throw new Failure('refused_by_review', `the amount is ${amount} ${token}, and "${typed.trim()}" was typed`, {
      errors: [{ field: 'typed_amount', message: `expected ${amount}, found ${typed.trim()}` }],
      hint: 'Nothing was signed or sent.',
      isDeclined: true,
    });
  }
};
