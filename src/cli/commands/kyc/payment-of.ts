import type { Client } from '../../../client/call.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import { isSameText } from '../../../core/same-text.ts';
import { textAt } from '../../../core/text-at.ts';
import { readVerification, kycStatusOf as standingOfUser } from '../../../flows/kyc/status.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { statusOf } from '../../../journal/status.ts';
import type { CommandContext } from '../../context/context.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';
import { statesOf } from '../../operations/rows.ts';
import { isOfService } from '../../operations/same-service.ts';
import { PAYMENTS } from '../pay/journal.ts';
import type { Who } from './who.ts';

/** A payment that waits for the identity of its payer, and by what it names the payer. */
type Waiting = { readonly id: string; readonly email: string | undefined; readonly wallet: string | undefined };

const waitingPayments = async (cli: CommandContext, { service }: Client): Promise<readonly Waiting[]> => {
  const waiting: Waiting[] = [];
  for await (const state of statesOf(cli, PAYMENTS)) {
    if (statusOf(state) !== 'needs_identity' || !isOfService(state, service)) continue;
    const inputs = await readInputs(cli.io, state.id);
    const [email, wallet] = ['payer_email', 'payer_wallet'].map((field) => textAt(inputs, 'transaction', field));
    waiting.push({ id: state.id, email, wallet });
  }
  return waiting;
};

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && isSameText(one, other);

const isPayer = (who: Who, { email, wallet }: Waiting): boolean =>
  who.by === 'email'
    ? isSame(who.email, email)
    : isSame(who.proof.address, wallet) || isSame(who.proof.email || undefined, email);

/** The e-mail address of the payment that is still to be verified, where the wallet alone was. */
const emailToVerify = async (client: Client, who: Who, { email }: Waiting): Promise<string | undefined> => {
  if (who.by === 'email' || email === undefined) return undefined;
  const known = await undefinedOnFailure(readVerification(client, { email }));
  return known && standingOfUser(known) === 'approved' ? undefined : email;
};

/**
 * The command that goes on with the payment that waits for this user, who is approved now; for several payments their
 * list. A payment that names an e-mail address beside the wallet waits for both.
 */
export const paymentOf = async (cli: CommandContext, client: Client, who: Who): Promise<NextStep | undefined> => {
  const [payment, ...others] = (await waitingPayments(cli, client)).filter((each) => isPayer(who, each));
  if (payment === undefined) return undefined;
  if (others.length > 0) return nextStep('operation.list.open', 'pay');
  const email = await emailToVerify(client, who, payment);
  return email === undefined ? nextStep('pay.resume', payment.id) : nextStep('kyc.start', { email });
};
