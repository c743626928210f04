import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Context, expectedInWords, type NodeFacts } from './context.ts';

/** The chain is the requested one, and the chain id belongs to it. */
export const checkChain = ({ unsigned, chain, isKnownChain, expected }: Context): Check => {
  const { chainName, chainId } = unsigned;
  const requested = expected.chainName;
  if (requested !== undefined && requested.toLowerCase() !== chainName.toLowerCase()) {
    const other = expectedInWords(expected, 'chain', requested);
    return refuse('chain', `Chain: the transaction is for ${inSentence(chainName)}; ${other}.`);
  }
  if (!isKnownChain) {
    return refuse(
      'chain',
      `Chain: bursar does not know ${inSentence(chainName)}, so it cannot check the chain id ${chainId}.`,
    );
  }
  if (chainId !== chain.id) {
    return refuse(
      'chain',
      `Chain: the transaction names ${chainName} (id ${chain.id}) but is valid on chain ${chainId}.`,
    );
  }
  return pass('chain', `Chain: ${chain.name} (id ${chain.id}). The transaction is valid on no other chain.`);
};

/** The payer of the transaction is the address that signs. */
export const checkSigner = ({ unsigned, signer }: Context): readonly Check[] => {
  if (signer === undefined) return [];
  if (signer.toLowerCase() !== unsigned.from.toLowerCase()) {
    return [refuse('signer', `Payer: ${unsigned.from}; the key has the address ${signer}.`)];
  }
  return [pass('signer', `Payer: ${unsigned.from}, the address of the key.`)];
};

/** A chain accepts one transaction for each nonce, so an equal nonce cannot pay twice and needs no confirmation. */
const checkUsed = ({ unsigned, nonceUsedBy }: Context): readonly Check[] => {
  if (nonceUsedBy === undefined) return [];
  const message = `The transaction ${nonceUsedBy} of another payment also has the nonce ${unsigned.nonce}`;
  return [pass('nonce', `${message} and may still be sent. The chain accepts only one of the two.`)];
};

/** The nonce is the expected one, where one is given; another transaction with the same nonce is named. */
export const checkNonce = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  if (expected.nonce === undefined) return checkUsed(context);
  if (expected.nonce !== unsigned.nonce) {
    return [refuse('nonce', `Nonce: ${unsigned.nonce}; the payer's next nonce is ${expected.nonce}.`)];
  }
  return [pass('nonce', `Nonce: ${unsigned.nonce}, the payer's next.`), ...checkUsed(context)];
};

/** Facts from a node of another chain are useless. */
const checkNodeChain = ({ unsigned, chain }: Context, { chainId }: NodeFacts): Check =>
  chainId === BigInt(unsigned.chainId)
    ? pass('chain', `The node serves ${chain.name}.`)
    : refuse('chain', `The node serves chain ${chainId}; the transaction is for chain ${unsigned.chainId}.`);

/** Whether this machine sent a transaction for every nonce from `next` up to the one in review. */
const isGapOurs = ({ nonces, unsigned }: Context, next: bigint): boolean => {
  const sent = new Set(nonces?.sent ?? []);
  if (BigInt(unsigned.nonce) - next > BigInt(sent.size)) return false;
  for (let nonce = Number(next); nonce < unsigned.nonce; nonce += 1) if (!sent.has(nonce)) return false;
  return true;
};

/** Compares the nonce with the payer's next one, waiting transactions included (eth_getTransactionCount, pending). */
const checkNodeNonce = (context: Context, { minedNonce, pendingNonce }: NodeFacts): Check => {
  const nonce = BigInt(context.unsigned.nonce);
  const message = `Nonce: ${nonce}; the payer's next by the node is ${pendingNonce}`;
  if (nonce < minedNonce) return refuse('nonce', `${message}. The nonce is used up, so it can never be mined.`);
  if (nonce < pendingNonce) {
    return refuse('nonce', `${message}. Another transaction with nonce ${nonce} is waiting to be mined.`);
  }
  if (nonce === pendingNonce) return pass('nonce', `Nonce: ${nonce}, the payer's next by the node.`);
  return isGapOurs(context, pendingNonce)
    ? pass('nonce', `${message}. This machine sent the transactions in between.`)
    : refuse('nonce', `${message}. It cannot be mined before the nonces in between.`);
};

/** Payments from other machines hardly advance a nonce by more than this. */
const MAX_NONCE_GAP = 1000;

/** Without a node, only the journal has facts about the nonce. */
const checkUncheckedNonce = ({ unsigned: { nonce, chainName }, nonces, expected }: Context): readonly Check[] => {
  if (expected.nonce !== undefined) return [];
  const last = nonces?.last;
  if (last === undefined || nonce <= last + MAX_NONCE_GAP) {
    return [pass('nonce', `nonce ${nonce}, not checked: no node`)];
  }
  const known = `the last one of this wallet on ${chainName} in the journal is ${last}`;
  return [confirm('nonce', `Nonce: ${nonce}; ${known}. A node can check it: --rpc-url.`)];
};

/** Chain and nonce by a node; without a node, the nonce by the journal. */
export const checkNode = (context: Context): readonly Check[] => {
  const { node } = context;
  if (node === undefined) return checkUncheckedNonce(context);
  const chain = checkNodeChain(context, node);
  return chain.verdict === 'refuse' ? [chain] : [chain, checkNodeNonce(context, node)];
};
