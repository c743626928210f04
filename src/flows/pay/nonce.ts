import type { KnownNonces } from '../../chain/evm/context.ts';
import type { NodeFacts } from '../../chain/evm/node-facts.ts';
import { placeOf } from '../../chain/evm/signed.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { isSameAddress } from '../../core/same-address.ts';
import { isSameText } from '../../core/same-text.ts';
import type { Io } from '../../io/io.ts';
import { sentFrom } from '../../journal/doubt.ts';
import type { PaymentIntent } from '../../journal/entry.ts';
import { isPaymentIntent } from '../../journal/intents.ts';
import type { SignedPart } from '../../journal/movement-state.ts';
import { allStates } from '../../journal/overview.ts';
import { readMovement } from '../../journal/read.ts';
import { stateOf } from '../../journal/state.ts';

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

const sameChain = (part: SignedPart, chainId: number): number | undefined => {
  const place = placeOf(part.signed_transaction);
  return place.chainId === chainId ? place.nonce : undefined;
};

/** The nonce of the newest transaction of this wallet and chain that a service took, by the journal. */
const lastNonce = async (io: Io, { from, chainId, chainName }: UnsignedEvm): Promise<number | undefined> => {
  for await (const { id, begun, signed } of allStates(io)) {
    const isHere = begun.kind === kindOfChainId(chainId) && isPaymentIntent(begun.intent);
    const isSame = isHere && isSameText((begun.intent as PaymentIntent).chain, chainName);
    if (!isSame || !signed.some((part) => part.sent === 'yes' && isSameAddress(part.from, from))) continue;
    // The bytes of what is over are in its file alone.
    const recorded = await readMovement(io, id);
    const parts = recorded ? stateOf(recorded).signed.filter(({ sent }) => sent === 'yes') : [];
    const nonce = parts.map((part) => sameChain(part, chainId)).findLast((each) => each !== undefined);
    if (nonce !== undefined) return nonce;
  }
  return undefined;
};

/**
 * What the journal knows of the nonces of a payer on one chain. With a node it is asked for the transactions that may
 * wait, where the nonce is above the node's next one; without one, for the newest that a service took.
 */
export const knownNonces = async (io: Io, unsigned: UnsignedEvm, node: NodeFacts | undefined): Promise<KnownNonces> => {
  const { from, chainId, nonce } = unsigned;
  if (node === undefined) return { sent: [], last: await lastNonce(io, unsigned) };
  // A sandbox mines at once, and its chain begins anew when it is reset: nothing that was sent waits there.
  if (BigInt(nonce) <= node.pendingNonce || kindOfChainId(chainId) === 'sandbox') return { sent: [], last: undefined };
  const sent = (await sentFrom(io, from)).map((part) => sameChain(part, chainId));
  return { sent: sent.filter((each) => each !== undefined), last: undefined };
};
