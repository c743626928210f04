import type { Service } from '../../../client/service.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import { isSameText } from '../../../core/same-text.ts';
import { textAt } from '../../../core/text-at.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { standingOf } from '../../../journal/standing.ts';
import type { Cli } from '../../cli.ts';
import { statesOf } from '../../movements/rows.ts';
import { isOfService } from '../../movements/same-service.ts';
import { PAYMENTS } from '../pay/journal.ts';
import type { Who } from './who.ts';

/** Whether the inputs of a payment name its payer by the e-mail address or the wallet of this user. */
const isPayer = (who: Who, inputs: unknown): boolean => {
  const named = who.by === 'email' ? [who.email] : [who.proof.email, who.proof.address];
  const payer = ['payer_email', 'payer_wallet'].map((field) => textAt(inputs, 'transaction', field));
  return named.some((one) => one && payer.some((other) => other && isSameText(one, other)));
};

/** The command that resumes the payment that waits for the identity of this user; for several payments their list. */
export const paymentOf = async (cli: Cli, service: Service, who: Who): Promise<NextStep | undefined> => {
  const waiting: string[] = [];
  for await (const state of statesOf(cli, PAYMENTS)) {
    if (standingOf(state) !== 'needs_identity' || !isOfService(state, service)) continue;
    if (isPayer(who, await readInputs(cli.io, state.id))) waiting.push(state.id);
  }
  const [id, ...others] = waiting;
  if (id === undefined) return undefined;
  return others.length === 0 ? nextStep('pay.resume', id) : nextStep('operation.list.open', 'pay');
};
