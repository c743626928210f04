import { isDecimal, sumDecimals } from '../../core/decimal.ts';
import { inSentence } from '../../core/remote-text.ts';

/** An amount of a token that goes to one receiver. */
type Part = { readonly amount: string; readonly token: string };

const ofToken = (token: string, amounts: readonly string[]): string => {
  if (amounts.length === 1 || !amounts.every(isDecimal))
    return amounts.map((each) => `${inSentence(each)} ${inSentence(token)}`).join(' + ');
  return `${sumDecimals(amounts)} ${inSentence(token)} (${amounts.join(' + ')})`;
};

/** What leaves in all, token by token, with its parts where there are several: "10 USDT (7 + 3)". */
export const amountsInWords = (parts: readonly Part[]): string =>
  [...new Set(parts.map(({ token }) => token))]
    .map((token) =>
      ofToken(
        token,
        parts.filter((part) => part.token === token).map(({ amount }) => amount),
      ),
    )
    .join(' and ');
