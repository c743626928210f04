import { type Kind, kindOfChainId } from '../../contract/chains.ts';
import { digitsOf } from '../../core/json.ts';

/** The kind of service that a `crypto_tx` is for. The file does not name its service, so the chain id decides. */
export const kindOfCryptoTx = (cryptoTx: unknown): Kind => {
  const { transactionRequest } = (cryptoTx ?? {}) as { transactionRequest?: { chainId?: unknown } };
  return kindOfChainId(Number(digitsOf(transactionRequest?.chainId)));
};
