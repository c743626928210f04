import { type Kind, kindOfChainId } from '../../contract/chains.ts';
import { digitsOf } from '../../core/json.ts';

/** The chain that a `crypto_tx` names, where it names one. */
export const chainNameOf = (cryptoTx: unknown): string => {
  const { chainName } = (cryptoTx ?? {}) as { chainName?: unknown };
  return typeof chainName === 'string' ? chainName : '';
};

/** A file says nothing of the service it came from: the chain id tells a sandbox's chain from a real one. */
export const kindOfCryptoTx = (cryptoTx: unknown): Kind => {
  const { transactionRequest } = (cryptoTx ?? {}) as { transactionRequest?: { chainId?: unknown } };
  return kindOfChainId(Number(digitsOf(transactionRequest?.chainId)));
};
