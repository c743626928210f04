import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { placeOf } from '../../chain/evm/signed.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { isFailure } from '../../core/failure.ts';
import { isSameAddress } from '../../core/same-address.ts';
import type { Io } from '../../io/io.ts';
import { handedSince, type LiveBytes, liveOf } from '../../journal/doubt.ts';
import type { Deployment } from '../../journal/same-service.ts';

/** Chain, sender and nonce: of the transactions that hold one place a chain takes only one. */
export type Place = Pick<UnsignedEvm, 'from' | 'chainId' | 'nonce'>;

const readPlace = (hex: string): Omit<Place, 'from'> | undefined => {
  try {
    return placeOf(hex);
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
};

/** Whether signed bytes hold that place. Bytes that cannot be read hold none. */
export const holdsPlace = (
  { signed_transaction, from }: LiveBytes['part'],
  { from: sender, chainId, nonce }: Place,
): boolean => {
  const place = readPlace(signed_transaction);
  return place?.chainId === chainId && place.nonce === nonce && isSameAddress(from, sender);
};

const ofOthers = (all: readonly LiveBytes[], place: Place, paymentId: string): LiveBytes | undefined =>
  all.find(({ state, part }) => state.payment_id !== paymentId && holdsPlace(part, place));

/**
 * The hash of a transaction of another payment that was handed over and holds the same place, by the journal: only one
 * of the two can land. Throws `journal_damaged`.
 */
export const nonceUsedBy = async (
  io: Io,
  place: Place,
  paymentId: string,
  deployment: Deployment,
): Promise<string | undefined> => ofOthers(await liveOf(io, place.from, deployment), place, paymentId)?.part.hash;

/** The same, with what was handed over since then and has ended already. */
export const nonceUsedSince = async (
  io: Io,
  place: Place,
  paymentId: string,
  since: number,
): Promise<string | undefined> => ofOthers(await handedSince(io, place.from, since), place, paymentId)?.part.hash;

/** The place of a transaction as the service gave it; `undefined` where it cannot be read, which its review says. */
export const placeIn = (cryptoTx: unknown): Place | undefined => {
  try {
    return parseCryptoTx(cryptoTx);
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
};
