import type { Network } from '../../../chain/evm/network.ts';
import { parseCryptoTx } from '../../../chain/evm/parse.ts';
import { reviewEvm } from '../../../chain/evm/review.ts';
import { isFailure } from '../../../core/failure.ts';
import type { Io } from '../../../io/io.ts';
import { stateOf } from '../../../journal/reduce.ts';
import { readOperation } from '../../../journal/wire.ts';
import { receiversIn } from './show.ts';

/** The receivers of the recorded transaction of an operation; `null` without a readable transaction. */
export const signedReceivers = async (io: Io, network: Network, id: string) => {
  const recorded = await readOperation(io, id);
  try {
    const unsigned = recorded && parseCryptoTx(stateOf(recorded).crypto_tx);
    return unsigned ? receiversIn(reviewEvm({ unsigned, network })) : null;
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
};
