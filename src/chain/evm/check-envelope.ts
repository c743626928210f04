import { COIN_DECIMALS, usualFeeOf } from '../../contract/chains.ts';
import { fromUnits } from '../../core/decimal.ts';
import { inSentence } from '../../core/text.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { checkAboveUsual, checkFeeTotal, checkNeeds } from '../review/check-limits.ts';
import { type Debit, paidDebits, requestedDebit } from './check-simulation.ts';
import { type Context, expectedInWords, isDecoded, type NodeFacts } from './context.ts';
import { amountText, coinOf, isSameAsset } from './network.ts';
import type { EvmFields } from './transaction.ts';

/** The chain is the requested one, and the chain id belongs to it. */
export const checkChain = ({ unsigned, chain, isKnownChain, expected }: Context): Check => {
  const { chainName, chainId } = unsigned;
  const requested = expected.chainName;
  if (requested !== undefined && requested.toLowerCase() !== chainName.toLowerCase()) {
    const other = expectedInWords(expected, 'chain', requested);
    return refuse('chain', `Chain: the transaction is for ${inSentence(chainName)}; ${other}.`);
  }
  if (!isKnownChain) {
    const message = `Chain: bursar does not know ${inSentence(chainName)}`;
    return refuse('chain', `${message}, so it cannot check the chain id ${chainId}.`);
  }
  if (chainId !== chain.id) {
    const message = `Chain: the transaction names ${chainName} (id ${chain.id})`;
    return refuse('chain', `${message} but is valid on chain ${chainId}.`);
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
    return [{ ...pass('nonce', `nonce ${nonce}, not checked: no node`), unchecked: true }];
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

/** No chain of bursar's table mines more gas in one transaction. */
const MAX_GAS = 30_000_000n;

/** The gas of the simplest transaction (Ethereum yellow paper, G_transaction). */
const MIN_GAS = 21_000n;

const GWEI_DECIMALS = 9;
const WEI_IN_GWEI = 10n ** BigInt(GWEI_DECIMALS);

/** The maximum fee of a transaction, in wei (EIP-1559). */
export const mostFee = ({ gasLimit, maxFeePerGas }: EvmFields): bigint => gasLimit * maxFeePerGas;

/** The tip for each unit of gas. A stated maximum of the whole fee limits the tip too. */
const checkTip = ({ unsigned, chain, overrides }: Context): readonly Check[] => {
  const { tipGwei } = usualFeeOf(chain.name);
  const tip = unsigned.maxPriorityFeePerGas;
  if (tipGwei === undefined || overrides?.feeAtMost !== undefined || tip <= tipGwei * WEI_IN_GWEI) return [];
  const total = `${fromUnits(unsigned.gasLimit * tip, COIN_DECIMALS)} ${chain.coin}`;
  const fact = `Tip: ${fromUnits(tip, GWEI_DECIMALS)} gwei, at most ${total} in total`;
  const usual = tipGwei * WEI_IN_GWEI;
  return [checkAboveUsual(fact, { units: tip, usual, usualText: `${tipGwei} gwei on ${chain.name}` })];
};

/**
 * Gas limit, whole fee and tip. The user may confirm a fee above the usual maximum of the chain. A fee above ten times
 * that, or above the stated maximum, is refused.
 */
export const checkFee = (context: Context): readonly Check[] => {
  const { unsigned, chain, overrides } = context;
  const { gasLimit } = unsigned;
  if (gasLimit > MAX_GAS) return [refuse('fee', `Gas limit: ${gasLimit}, above the maximum of ${MAX_GAS}.`)];
  if (gasLimit < MIN_GAS) {
    return [refuse('fee', `Gas limit: ${gasLimit}, below the minimum of ${MIN_GAS}: it cannot be mined.`)];
  }
  const stated = overrides?.feeAtMost;
  const total = checkFeeTotal(chain.name, { fee: mostFee(unsigned), stated, coin: coinOf(chain) });
  return [total, ...checkTip(context)];
};

/** Tokens that leave the payer: by the bytes, and for bytes that are not decoded by the request. */
const tokensNeeded = (context: Context): readonly Debit[] => {
  const debits = paidDebits(context);
  const requested = isDecoded(context) ? undefined : requestedDebit(context);
  const isNamed = requested !== undefined && debits.some(({ asset }) => isSameAsset(asset, requested.asset));
  const all = requested === undefined || isNamed ? debits : [...debits, requested];
  return all.filter(({ asset, units }) => asset.kind !== 'coin' && units > 0n);
};

/**
 * Whether the payer has the tokens of the transaction, and the coin for its value and whole fee, by a node of the chain.
 * Empty without a node, and with a node of another chain.
 */
export const checkFunds = (context: Context): readonly Check[] => {
  const { node, unsigned, chain, payerName } = context;
  if (node?.chainId !== BigInt(unsigned.chainId)) return [];
  const needed = [...tokensNeeded(context), { asset: coinOf(chain), units: unsigned.value + mostFee(unsigned) }];
  const needs = needed.flatMap(({ asset, units }) => {
    const held = asset.kind === 'coin' ? node.coin : node.tokens.get(asset.address.toLowerCase());
    if (held === undefined) return [];
    const token = asset.kind === 'unknown' ? `smallest units of ${asset.address}` : asset.symbol;
    const amountOf = (each: bigint) => amountText(asset, each);
    return [{ needed: units, held, token, kind: asset.kind, amountOf }];
  });
  return checkNeeds(payerName ?? unsigned.from, chain.name, needs);
};
