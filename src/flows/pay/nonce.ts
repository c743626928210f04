import type { KnownNonces, NodeFacts } from '../../chain/evm/context.ts';
import { findChain } from '../../chain/evm/network.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { chainAndNonceOf, type UnsignedEvm } from '../../chain/evm/transaction.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { amended, Failure, undefinedOn, withDetails } from '../../core/failure.ts';
import { nextStep, type PayerFacts } from '../../core/next.ts';
import { isSameAddress, isSameText } from '../../core/text.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { Io } from '../../io/io.ts';
import { handedSince, type LiveBytes, liveOf, liveOfPayment, paidByThese } from '../../journal/doubt.ts';
import { isPaymentIntent, type PaymentIntent } from '../../journal/intents.ts';
import { type Deployment, walletKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import { storeOf } from '../../journal/open-store.ts';
import type { SignedPart } from '../../journal/operation-state.ts';
import { finalityOf } from '../node/finality.ts';
import { type Turn, type Wallet, withTurn } from '../turn.ts';
import type { PayContext } from './context.ts';

/** A nonce slot: chain, sender and nonce. Only one transaction of a slot can land. */
export type Place = Pick<UnsignedEvm, 'from' | 'chainId' | 'nonce'>;

const readPlace = (hex: string) => undefinedOn(() => chainAndNonceOf(hex));

/** Whether signed bytes use that slot. Unreadable bytes use none. */
export const holdsPlace = (
  { signed_transaction, from }: LiveBytes['part'],
  { from: sender, chainId, nonce }: Place,
): boolean => {
  const place = readPlace(signed_transaction);
  return place?.chainId === chainId && place.nonce === nonce && isSameAddress(from, sender);
};

const hashOfOther = (all: readonly LiveBytes[], place: Place, paymentId: string): string | undefined =>
  all.find(({ state, part }) => state.payment_id !== paymentId && holdsPlace(part, place))?.part.hash;

/**
 * The hash of a sent transaction of another payment with the same nonce slot, by the journal. Only one of the two can
 * land. Throws `journal_damaged`.
 */
export const nonceUsedBy = async (io: Io, place: Place, paymentId: string, deployment: Deployment) =>
  hashOfOther(await liveOf(io, place.from, deployment), place, paymentId);

/** The same, including transactions sent since a time whose operation has ended. */
export const nonceUsedSince = async (io: Io, place: Place, paymentId: string, since: number) =>
  hashOfOther(await handedSince(io, place.from, since), place, paymentId);

/** The nonce slot of a transaction of the service; `undefined` if it cannot be read. */
export const placeIn = (cryptoTx: unknown): Place | undefined => undefinedOn(() => parseCryptoTx(cryptoTx));

const nonceOn = ({ signed_transaction }: SignedPart, chainId: number): number | undefined => {
  const place = readPlace(signed_transaction);
  return place?.chainId === chainId ? place.nonce : undefined;
};

/** The highest nonce of this wallet and chain that a service accepted, by the journal. */
const lastNonce = async (io: Io, { from, chainId, chainName }: UnsignedEvm): Promise<number | undefined> => {
  for await (const { started, signed } of statesUnder(io, [walletKey(from, chainName)])) {
    const isHere = started.kind === kindOfChainId(chainId) && isPaymentIntent(started.intent);
    const isSame = isHere && isSameText((started.intent as PaymentIntent).chain, chainName);
    const parts = signed.filter(({ sent }) => sent === 'yes');
    if (!isSame || !parts.some((part) => isSameAddress(part.from, from))) continue;
    const nonce = parts.map((part) => nonceOn(part, chainId)).findLast((each) => each !== undefined);
    if (nonce !== undefined) return nonce;
  }
  return undefined;
};

/** How far a node may be behind the chain. */
const NODE_BEHIND_MS = 10 * 60_000;

/**
 * Nonce look-ups for a payer on one chain. With a node, a nonce above the next one leads to a check of waiting
 * transactions. Without a node, the newest accepted nonce is used.
 */
export const knownNonces = async (
  { io, deployment }: { readonly io: Io; readonly deployment?: Deployment | undefined },
  unsigned: UnsignedEvm,
  node: NodeFacts | undefined,
): Promise<KnownNonces> => {
  const { from, chainId, nonce } = unsigned;
  if (node === undefined) return { sent: [], last: await lastNonce(io, unsigned) };
  if (BigInt(nonce) <= node.pendingNonce || deployment === undefined) return { sent: [], last: undefined };
  // A node that is behind does not show yet what has ended a moment ago.
  const now = await (await storeOf(io)).now();
  const handed = [await liveOf(io, from, deployment), await handedSince(io, from, now - NODE_BEHIND_MS)];
  const sent = handed.flat().map(({ part }) => nonceOn(part, chainId));
  return { sent: [...new Set(sent.filter((each) => each !== undefined))], last: undefined };
};

/** The transaction to sign or send; it has a hash if it is already signed. */
export type Candidate = Place & { readonly hash?: string | undefined };

type NonceContext = Pick<PayContext, 'client' | 'node' | 'confirmDespiteDoubt'>;

/** Bytes that can never land according to a node, or that paid another payment. */
const isDead = async ({ client, node }: NonceContext, { state, part }: LiveBytes): Promise<boolean> => {
  if (await paidByThese(client.io, state, part.hash)) return true;
  const finality = await finalityOf(node, { ...part, begunAt: Date.parse(state.started_at) });
  return finality === 'dead' || finality === 'reverted';
};

const stillLive = (paymentId: string, { state, part }: LiveBytes): Failure =>
  new Failure('outcome_unknown', `another transaction of payment ${paymentId} may still be sent: ${part.hash}`, {
    data: { payment_id: paymentId, hash: part.hash, live: true, [WIRE_ID]: state.id },
    hint: 'Nothing was signed or sent now: both could pay. Another one with the same nonce may be signed, or any other when a node (--rpc-url) shows that the first can never land.',
    next: nextStep('operation.resume.earlier', 'pay', state.id),
  });

/**
 * Refuses another transaction while sent bytes of the payment may still land. Another one is allowed with the same
 * nonce, if a node shows the first cannot land, or if the user confirms. The same bytes may be sent again. Throws
 * `outcome_unknown`.
 */
export const assertNoOther = async (context: NonceContext, paymentId: string, candidate: Candidate): Promise<void> => {
  const live = await liveOfPayment(context.client.io, paymentId);
  const { hash } = candidate;
  if (hash !== undefined && live.some(({ part }) => isSameText(part.hash, hash))) return;
  for (const bytes of live) {
    if (holdsPlace(bytes.part, candidate) || (await isDead(context, bytes))) continue;
    const question = `The transaction ${bytes.part.hash} of payment ${paymentId} may still be sent, and both could pay. Sign another one?`;
    if (!(await context.confirmDespiteDoubt?.(question))) throw stillLive(paymentId, bytes);
  }
};

/** The payer fields of a payment. */
type PayerFields = { readonly chain: string; readonly payer: string };

/** The payer's wallet on its chain. */
export const walletOf = ({ network }: Pick<PayContext, 'network'>, { chain, payer }: PayerFields): Wallet => ({
  kind: network.kind,
  chain,
  chainId: findChain(network, chain)?.id,
  address: payer,
});

/** Time of the user's input must not block other operations of the wallet. */
const heldBy = (turn: Turn, context: PayContext): PayContext => {
  const { approve, confirmDespiteDoubt, identify } = context;
  return {
    ...context,
    turn,
    approve: (review) => turn.whileAsking(() => approve(review)),
    confirmDespiteDoubt: confirmDespiteDoubt && ((question) => turn.whileAsking(() => confirmDespiteDoubt(question))),
    identify: identify && ((asked) => turn.whileAsking(() => identify(asked))),
  };
};

/** Runs the steps that need the wallet's next nonce while no other operation of the wallet runs. */
export const inTurn = <T>(
  context: PayContext,
  paying: PayerFields,
  work: (held: PayContext) => Promise<T>,
): Promise<T> => {
  const { client, operation, isConfirmed = false } = context;
  const next = nextStep('pay.resume.turn', operation.id, isConfirmed);
  const wallet = walletOf(context, paying);
  const takeTurn = () => withTurn({ client, wallet, next }, (turn) => work(heldBy(turn, context)));
  return context.queue ? context.queue(wallet, operation, takeTurn) : takeTurn();
};

/**
 * For `catch`, where the service created the transaction earlier. Names the command that creates another one if the
 * review refuses only the nonce.
 */
export const namingNewTransaction = (paymentId: string, payer: PayerFacts) =>
  amended((failure) => {
    const { errors = [] } = failure.details;
    if (errors.length === 0 || errors.some(({ field }) => field !== 'nonce')) return failure;
    return withDetails(failure, {
      hint: 'Create the transaction of the payment again: it gets the next nonce.',
      next: nextStep('pay.transaction.crypto', paymentId, payer),
    });
  }, 'refused_by_review');
