import type { PublicKey } from '@solana/web3.js';
import { MAX_TRANSACTION_BYTES } from '../../contract/solana.ts';
import { buildTransaction } from '../solana/message.ts';
import type { Solana } from '../solana/solana.ts';
import type { Vault } from '../solana/tokens.ts';
import { type Leg, priceReports } from './legs.ts';

/**
 * A transaction of these legs as base64: unsigned by its owner, signed by the vaults. `undefined` when it does not
 * fit a packet. `markets` are those whose price reports it carries, if they want any.
 */
export const buildOperation = (
  { chain, nextUnitPrice }: Solana,
  payer: PublicKey,
  legs: readonly Leg[],
  markets: readonly Vault[],
): string | undefined => {
  const slot = chain.slots.now();
  const built = buildTransaction({
    payer,
    blockhash: chain.slots.blockhashOf(slot),
    instructions: [...priceReports(markets, slot), ...legs.flatMap(({ instructions }) => instructions)],
    signers: [...new Set(legs.map(({ vault }) => vault.authority))],
    unitPrice: nextUnitPrice(),
  });
  if (!built || built.size > MAX_TRANSACTION_BYTES) return undefined;
  return Buffer.from(built.bytes).toString('base64');
};
