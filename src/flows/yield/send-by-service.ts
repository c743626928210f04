import type { SignedSolana } from '../../chain/solana/sign.ts';
import { call, dataOf } from '../../client/call.ts';
import { broadcast } from '../../contract/yield/broadcast.ts';
import { Failure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import type { YieldIntent } from '../../journal/yield-entry.ts';
import { asFailure } from '../unclear.ts';
import type { MovingContext } from './context.ts';
import { isUnclear, unknownOutcome } from './unclear.ts';

/** Document, POST /yield/broadcast: 1 means success on Solana. Any other leaves the outcome open. */
const SUCCEEDED = 1;

const relay = async ({ client }: MovingContext, { chain }: YieldIntent, signed: SignedSolana): Promise<void> => {
  const input = { chain_name: chain, op_signed: signed.signed_transaction };
  const data = dataOf(broadcast, 'broadcast_operation_yield_strategy_ok', await call(client, broadcast, input));
  if (data.status !== SUCCEEDED) {
    throw new Failure('outcome_unknown', `the broadcast answered with status ${printJson(data.status)}, not 1`);
  }
  // The hash is known before the bytes are sent: an answer that names another is not about them.
  if (data.transactionHash && data.transactionHash !== signed.hash) {
    const says = `the service answered with the hash ${data.transactionHash}, and ${signed.hash} was sent`;
    throw new Failure('outcome_unknown', says);
  }
};

/** Sends signed bytes through the service, once. Throws `outcome_unknown` where its answer does not settle it. */
export const sendByService = async (
  context: MovingContext,
  intent: YieldIntent,
  signed: SignedSolana,
): Promise<void> => {
  try {
    await relay(context, intent, signed);
  } catch (error) {
    const failure = asFailure(error);
    throw isUnclear(failure, signed.hash) ? unknownOutcome(failure, intent, signed.hash) : failure;
  }
};
