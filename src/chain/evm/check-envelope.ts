import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Context, type NodeFacts, wasSaid } from './context.ts';

/** The node is one of the transaction's chain: facts of another would mean nothing. */
const checkNodeChain = ({ unsigned, chain }: Context, { chainId }: NodeFacts): Check =>
  chainId === BigInt(unsigned.chainId)
    ? pass('chain', `The node is one of ${chain.name}.`)
    : refuse('chain', `The node is one of chain ${chainId}, and the transaction is for chain ${unsigned.chainId}.`);

/** Whether every nonce from the node's next one on is that of a transaction that was sent from here. */
const isGapOurs = ({ nonces, unsigned }: Context, next: bigint): boolean => {
  const sent = new Set(nonces?.sent ?? []);
  if (BigInt(unsigned.nonce) - next > BigInt(sent.size)) return false;
  for (let nonce = Number(next); nonce < unsigned.nonce; nonce += 1) if (!sent.has(nonce)) return false;
  return true;
};

/** The nonce against the payer's next one, those that wait counted (eth_getTransactionCount, pending). */
const checkNodeNonce = (context: Context, { minedNonce, pendingNonce }: NodeFacts): Check => {
  const nonce = BigInt(context.unsigned.nonce);
  const next = `and the node's next one of the payer is ${pendingNonce}`;
  if (nonce < minedNonce) return refuse('nonce', `Its nonce is ${nonce}, ${next}: it is stale and can never be mined.`);
  if (nonce < pendingNonce) {
    return refuse('nonce', `Its nonce is ${nonce}, ${next}: another transaction with that nonce waits to be mined.`);
  }
  if (nonce === pendingNonce) return pass('nonce', `The node has its nonce ${nonce} as the next one of the payer.`);
  return isGapOurs(context, pendingNonce)
    ? pass('nonce', `Its nonce is ${nonce}, ${next}: those between were sent from here.`)
    : refuse('nonce', `Its nonce is ${nonce}, ${next}: it cannot be mined before those between.`);
};

/** So far above the last nonce that is known no wallet gets by payments that were made elsewhere meanwhile. */
const FAR = 1000;

/** Without a node only the journal says anything of a nonce. */
const checkUncheckedNonce = ({ unsigned: { nonce, chainName }, nonces, expected }: Context): readonly Check[] => {
  if (expected.nonce !== undefined) return [];
  const last = nonces?.last;
  if (last === undefined || nonce <= last + FAR) return [pass('nonce', `nonce ${nonce}, not checked: no node`)];
  const known = `the last one of this wallet on ${chainName} by the journal is ${last}`;
  return [confirm('nonce', `Its nonce is ${nonce}, and ${known}. --rpc-url has a node check it.`)];
};

/** What a node says of chain and nonce; without one, what the journal says of the nonce. */
export const checkNode = (context: Context): readonly Check[] => {
  const { node } = context;
  if (node === undefined) return checkUncheckedNonce(context);
  const chain = checkNodeChain(context, node);
  return chain.verdict === 'refuse' ? [chain] : [chain, checkNodeNonce(context, node)];
};

/** The chain is the one asked for, and its id is that chain's. */
export const checkChain = ({ unsigned, chain, isKnownChain, expected }: Context): Check => {
  const { chainName, chainId } = unsigned;
  const asked = expected.chainName;
  if (asked !== undefined && asked.toLowerCase() !== chainName.toLowerCase()) {
    return refuse('chain', `It is for ${inSentence(chainName)}, and ${wasSaid(expected, 'chain', asked)}.`);
  }
  if (!isKnownChain) {
    return refuse(
      'chain',
      `The chain ${inSentence(chainName)} is not known here, so its id ${chainId} cannot be checked.`,
    );
  }
  if (chainId !== chain.id) {
    return refuse(
      'chain',
      `It names ${chainName} but is valid on chain ${chainId}; ${chainName} is chain ${chain.id}.`,
    );
  }
  return pass('chain', `It is valid on ${chain.name} (chain ${chain.id}) and nowhere else.`);
};

/** The payer of the transaction is the address that signs. */
export const checkSigner = ({ unsigned, signer }: Context): readonly Check[] => {
  if (signer === undefined) return [];
  if (signer.toLowerCase() !== unsigned.from.toLowerCase()) {
    return [refuse('signer', `It is to be signed by ${unsigned.from}, and the key is that of ${signer}.`)];
  }
  return [pass('signer', `It is to be signed by ${unsigned.from}, the address of the key.`)];
};

/** Of two transactions with one nonce a chain takes only one: both can never be paid, so it is no reason to ask. */
const checkUsed = ({ unsigned, nonceUsedBy }: Context): readonly Check[] => {
  if (nonceUsedBy === undefined) return [];
  const message = `The transaction ${nonceUsedBy} of another payment has its nonce ${unsigned.nonce} and may be sent too`;
  return [pass('nonce', `${message}: the chain takes one of the two.`)];
};

/** The nonce is the payer's next one, where that is known, and no other transaction that may be on its way has it. */
export const checkNonce = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  if (expected.nonce === undefined) return checkUsed(context);
  if (expected.nonce !== unsigned.nonce) {
    return [refuse('nonce', `Its nonce is ${unsigned.nonce}, and the next one of the payer is ${expected.nonce}.`)];
  }
  return [pass('nonce', `Its nonce ${unsigned.nonce} is the next one of the payer.`), ...checkUsed(context)];
};
