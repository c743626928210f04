import { checkStated } from '../../../chain/review/check.ts';
import { deploymentOfService } from '../../../client/envelope.ts';
import { Failure } from '../../../core/failure.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import {
  assertShownAsStated,
  combine,
  PAYMENT_WORDS,
  statedBefore,
  uncovered,
  unstatedIn,
} from '../../../flows/statement.ts';
import { type Facts, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { askAboutDoubts, ofService } from '../../prompt/confirming.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Compares the amount and the currency that the service shows with the statements of the user, because a charge counts
 * as a signature. Statements come from this command, or from the registration on this machine. Asks about facts
 * without a statement. Returns the new statements for the journal.
 * Throws `refused_by_review`, and `invalid_input` if two statements of the user differ.
 */
export const stateCharge = async (cli: CommandContext, given: ParsedArgs, paymentId: string): Promise<Statement> => {
  const client = await cli.client();
  const payment = await readPayment(client, paymentId);
  const shown: Facts = { amount: text(payment['amount_from']), currency: text(payment['from_currency_symbol']) };
  const typed: Facts = {
    amount: stringArg(given, 'amount-from'),
    currency: stringArg(given, 'from-currency-symbol'),
  };
  const options = statementOf(typed, 'options');
  const before = await statedBefore(cli.io, { paymentId, deployment: deploymentOfService(client.service) });
  const statement = combine(options, before, PAYMENT_WORDS);
  assertShownAsStated(paymentId, shown, statement);
  const names = uncovered(shown, statement, before.confirmed);
  if (names.length === 0) return options;
  const checks = checkStated(unstatedIn(shown, names, PAYMENT_WORDS), false);
  const message = checks.map((check) => check.message).join(' ');
  const question = ofService(client.service, `${message} Charge the card?`);
  if (!(await askAboutDoubts(cli, checks, question))) {
    throw new Failure('declined', 'not confirmed; nothing was sent');
  }
  const confirmed = Object.fromEntries(names.map((name) => [name, shown[name]]));
  return withLater(options, statementOf(confirmed, 'confirmed'));
};
