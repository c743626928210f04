import { type Kind, kindOfChainId } from '../contract/chains.ts';
import { digitsOf } from '../core/json.ts';

/** A file says nothing of the service it came from: the chain id tells a sandbox's chain from a real one. */
export const kindOfCryptoTx = (cryptoTx: unknown): Kind => {
  const { transactionRequest } = (cryptoTx ?? {}) as { transactionRequest?: { chainId?: unknown } };
  return kindOfChainId(Number(digitsOf(transactionRequest?.chainId)));
};
