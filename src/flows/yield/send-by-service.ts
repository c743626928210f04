import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { type Client, call, dataOf } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { broadcast } from '../../contract/yield/broadcast.ts';
import { Failure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { asFailure, isForeignLimit } from '../read-back.ts';
import { isUnclear, limitedOutcome, refusedLive, type Task, unknownOutcome } from './unclear.ts';

/** Document, POST /yield/broadcast: 1 means success on Solana. Any other leaves the outcome open. */
const SUCCEEDED = 1;

const relay = async (client: Client, { chain }: Task, signed: SignedSolana): Promise<Envelope> => {
  const input = { chain_name: chain, op_signed: signed.signed_transaction };
  const envelope = await call(client, broadcast, input);
  const data = dataOf(broadcast, 'broadcast_operation_yield_strategy_ok', envelope);
  if (data.status !== SUCCEEDED) {
    throw new Failure('outcome_unknown', `the broadcast answered with status ${printJson(data.status)}, not 1`);
  }
  // The hash is known before sending: a response with another hash is not about these bytes.
  if (data.transactionHash && data.transactionHash !== signed.hash) {
    const message = `the service answered with the hash ${data.transactionHash}, and ${signed.hash} was sent`;
    throw new Failure('outcome_unknown', message);
  }
  return envelope;
};

/** Sends signed bytes through the service, once. Throws `outcome_unknown` if the response does not show the outcome. */
export const sendByService = async (client: Client, task: Task, signed: SignedSolana): Promise<Envelope> => {
  try {
    return await relay(client, task, signed);
  } catch (error) {
    const failure = asFailure(error);
    if (isForeignLimit(failure)) throw limitedOutcome(failure, task, signed.hash);
    if (isUnclear(failure, signed.hash)) throw unknownOutcome(failure, task, signed.hash);
    throw failure.details.isUnsent ? failure : refusedLive(failure, task, signed.hash);
  }
};
