import { COIN_DECIMALS } from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass, refuse } from '../verdict.ts';
import { type Context, wasSaid } from './context.ts';
import type { EvmFields } from './transaction.ts';

/** No chain that bursar knows mines more in one transaction. */
const MOST_GAS = 30_000_000n;

/** What the plainest transaction uses (Ethereum yellow paper, G_transaction). */
const LEAST_GAS = 21_000n;

/**
 * The most that a fee may cost where nothing else was asked, in the chain's coin. Generous: a split to several
 * receivers, about 300,000 gas, at prices seen only in the worst hours of these chains.
 */
const FEE_CAPS: Readonly<Record<string, string>> = {
  ethereum: '0.5',
  polygon: '20',
  bsc: '0.05',
  base: '0.02',
  arbitrum: '0.02',
};

/** The cap for a chain that the table does not name. */
const OTHER_FEE_CAP = '0.5';

/** Up to so many times the cap a person may say yes, for there are such hours; above it is a mistake or a theft. */
const ABSURD = 10n;

/** The part of the cap that may be a tip: of the rest only what the block asks is paid, of a tip all (EIP-1559). */
const TIP_PART = 10n;

/** The most that the transaction can cost beside what it pays, in wei. */
export const mostFee = ({ gasLimit, maxFeePerGas }: EvmFields): bigint => gasLimit * maxFeePerGas;

/** The fee cap of a chain where nothing else was asked, in wei. */
const defaultFeeCap = (chain: string): bigint =>
  toUnits((Object.hasOwn(FEE_CAPS, chain) ? FEE_CAPS[chain] : undefined) ?? OTHER_FEE_CAP, COIN_DECIMALS);

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
  const says = `The transaction ${nonceUsedBy} of another payment has its nonce ${unsigned.nonce} and may be sent too`;
  return [pass('nonce', `${says}: the chain takes one of the two.`)];
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

const checkTip = ({ unsigned, chain, expected }: Context, cap: bigint): readonly Check[] => {
  const tip = unsigned.gasLimit * unsigned.maxPriorityFeePerGas;
  if (expected.feeCapWei !== undefined || tip <= cap / TIP_PART) return [];
  const inCoin = (wei: bigint) => `${fromUnits(wei, COIN_DECIMALS)} ${chain.coin}`;
  const says = `Of its fee up to ${inCoin(tip)} are a tip, which is paid whatever the block asks`;
  return [confirm('fee', `${says}; the most that is usual is ${inCoin(cap / TIP_PART)}.`)];
};

/**
 * Gas and fee stay under their caps (EIP-1559: the fee is at most gasLimit times maxFeePerGas). A cap that was asked
 * for is a contradiction to pass; the usual one of the chain a person may pass, up to ten times.
 */
export const checkFee = (context: Context): readonly Check[] => {
  const { unsigned, chain, expected } = context;
  const { gasLimit } = unsigned;
  if (gasLimit > MOST_GAS) return [refuse('fee', `Its gas limit ${gasLimit} is above ${MOST_GAS}.`)];
  if (gasLimit < LEAST_GAS)
    return [refuse('fee', `Its gas limit ${gasLimit} is below ${LEAST_GAS}: it cannot be mined.`)];
  const cap = expected.feeCapWei ?? defaultFeeCap(chain.name);
  const fee = mostFee(unsigned);
  const cost = `${fromUnits(fee, COIN_DECIMALS)} ${chain.coin}`;
  if (fee <= cap) return [pass('fee', `The fee costs at most ${cost}.`), ...checkTip(context, cap)];
  const says = `The fee may cost ${cost}, and the most that is usual is ${fromUnits(cap, COIN_DECIMALS)}.`;
  if (expected.feeCapWei === undefined && fee <= cap * ABSURD) return [confirm('fee', says)];
  return [refuse('fee', says)];
};
