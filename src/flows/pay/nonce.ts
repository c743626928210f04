import { placeOf } from '../../chain/evm/signed.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import type { Io } from '../../io/io.ts';
import { sentFrom } from '../../journal/doubt.ts';

/**
 * The hash of a transaction of another payment that may have been sent with the same nonce on the same chain, by the
 * journal. A sandbox's chain begins anew when it is reset, so nothing follows from nonces there.
 */
export const nonceUsedBy = async (
  io: Io,
  { from, chainId, nonce }: UnsignedEvm,
  paymentId: string,
): Promise<string | undefined> => {
  if (kindOfChainId(chainId) === 'sandbox') return undefined;
  const others = (await sentFrom(io, from)).filter(({ payment_id }) => payment_id !== paymentId);
  return others.find(({ signed_transaction }) => {
    const place = placeOf(signed_transaction);
    return place.chainId === chainId && place.nonce === nonce;
  })?.hash;
};
