import type { FieldError } from '../../core/failure.ts';
import { CARD_CUSTOM } from '../command/card-options.ts';

/** What a payment is, as a person thinks of it: how much, of what, how it is paid, by whom. */
const FIRST: readonly string[] = [
  'PAYMENT_ID',
  '--amount-from',
  '--from-currency-symbol',
  '--transaction-type',
  '--key',
  '--payer-email',
  '--payer-cpf',
  '--payer-name',
  // The type says what a number of it looks like.
  '--payer-document-type',
  '--payer-document',
  ...CARD_CUSTOM.options.map(({ flag }) => flag),
];

/** What only a machine wants to know. */
const LAST: readonly string[] = [
  '--to-currency-symbol',
  // The chain says what the address of a receiver looks like.
  '--to-chain',
  '--split',
  '--public-client-id',
  '--webhook-url',
];

const rankOf = (named: string): number => {
  const [flag = named] = named.split(' ');
  if (FIRST.includes(flag)) return FIRST.indexOf(flag) - FIRST.length;
  return LAST.indexOf(flag) + 1;
};

/** What is missing or wrong, as a person is asked for it. What has no place of its own stays where it is, in between. */
export const inOrder = (errors: readonly FieldError[]): readonly string[] =>
  [...new Set(errors.map(({ option, field }) => option ?? field))].toSorted(
    (one, other) => rankOf(one) - rankOf(other),
  );
