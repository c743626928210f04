import type { Client, Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { isJsonObject } from '../../../core/json.ts';
import { walletOf } from '../../../flows/pay/nonce.ts';
import { createOnce, withFreshNonce } from '../../../flows/pay/prepare.ts';
import { askedOfRegistered } from '../../../flows/pay/review.ts';
import { receiversOf } from '../../../flows/pay/status.ts';
import { withTurn } from '../../../flows/turn.ts';
import type { CommandContext } from '../../context/context.ts';
import { networkOf } from '../../profiles/gate.ts';
import type { Step } from './step.ts';

const textIn = (input: unknown, name: string): string => {
  const value = isJsonObject(input) ? input[name] : undefined;
  return typeof value === 'string' ? value : '';
};

/** Whether a payment allows crypto only. A policy has no rules for cards and Pix. */
const isCryptoOnly = (input: Input): boolean => {
  const allowed = isJsonObject(input['payment_method_allowed']) ? input['payment_method_allowed'] : {};
  return Object.entries(allowed).every(([method, isAllowed]) => isAllowed === (method === 'crypto'));
};

/** The step of `pay register`. */
export const registered = (input: Input): Step => {
  const intent = {
    operation: 'register',
    amount: textIn(input, 'amount_from'),
    currency: textIn(input, 'from_currency_symbol'),
    receivers: receiversOf(input['split_payment_config']),
    to_currency: textIn(input, 'to_currency_symbol') || undefined,
    to_chain: textIn(input, 'to_chain') || undefined,
  } as const;
  return {
    intent,
    asked: isCryptoOnly(input) ? askedOfRegistered(intent) : undefined,
    before: { step: 'registering' },
    after: ({ data }) => ({ step: 'registered', payment_id: textIn(data, 'payment_id') }),
  };
};

/** Creates a transaction in the turn of the payer's wallet, so that no other operation uses its nonce. */
export const createInTurn = async (cli: CommandContext, client: Client, input: Input): Promise<Envelope> => {
  const paymentId = textIn(input, 'payment_id');
  const [chain, payer] = [textIn(input, 'chain_name'), textIn(input, 'payer_wallet')];
  const wallet = walletOf({ network: await networkOf(cli, client.service.kind) }, { chain, payer });
  return withTurn({ client, wallet }, () =>
    withFreshNonce(client, paymentId, async () => {
      const made = await createOnce(client, input);
      return { made, cryptoTx: isJsonObject(made.data) ? made.data['crypto_tx'] : undefined };
    }),
  );
};

/** The step of `pay transaction`. */
export const created = (input: Input): Step => {
  const payment_id = textIn(input, 'payment_id');
  return {
    intent: {
      operation: 'transaction',
      chain: textIn(input, 'chain_name'),
      token: textIn(input, 'payer_token_symbol'),
      payer: textIn(input, 'payer_wallet'),
    },
    before: { step: 'creating', payment_id },
    after: ({ data }) => ({
      step: 'created',
      payment_id,
      crypto_tx: isJsonObject(data) ? data['crypto_tx'] : undefined,
    }),
  };
};
