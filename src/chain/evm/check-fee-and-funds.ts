import { COIN_DECIMALS, usualFeeOf } from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { type Check, FEE_AT_MOST, pass, refuse } from '../review/check.ts';
import { feeVerdict } from '../review/fee.ts';
import { FUNDS } from '../review/funds.ts';
import { type Asset, coinOf, inWords, isSameAsset } from './asset.ts';
import { type Debit, debitOf, requestedDebit } from './check-simulation.ts';
import { type Context, isDecoded, outlaysOf } from './context.ts';
import type { EvmFields } from './transaction.ts';

/** Tokens that leave the payer: by the bytes, and where they are not understood, by what was asked. */
const tokensNeeded = (context: Context): readonly Debit[] => {
  const paid = outlaysOf(context).filter(({ kind }) => kind === 'pays');
  const debits = paid.map((outlay) => debitOf(context, outlay));
  const asked = isDecoded(context) ? undefined : requestedDebit(context);
  const all =
    asked === undefined || debits.some(({ asset }) => isSameAsset(asset, asked.asset)) ? debits : [...debits, asked];
  return all.filter(({ asset, units }) => asset.kind !== 'coin' && units > 0n);
};

/** What an address has of an asset, as far as the node could read it. */
const heldOf = ({ node }: Context, asset: Asset): bigint | undefined =>
  asset.kind === 'coin' ? node?.coin : node?.tokens.get(asset.address.toLowerCase());

/**
 * Whether the payer has what the transaction pays, and the coin for its value and its whole fee, as a node of the chain
 * shows it. Says nothing without a node, or with one of another chain.
 */
export const checkFunds = (context: Context): readonly Check[] => {
  const { node, unsigned, chain, payerName } = context;
  if (node?.chainId !== BigInt(unsigned.chainId)) return [];
  const needed = [...tokensNeeded(context), { asset: coinOf(chain), units: unsigned.value + mostFee(unsigned) }];
  const read = needed.flatMap(({ asset, units }) => {
    const has = heldOf(context, asset);
    return has === undefined ? [] : [{ asset, units, has }];
  });
  const who = payerName ?? unsigned.from;
  const short = read.filter(({ units, has }) => has < units);
  if (short.length === 0) {
    const holds = read.map(({ asset, has }) => inWords(asset, has)).join(' and ');
    return [pass(FUNDS, `${who} has ${holds} on ${chain.name}: enough.`)];
  }
  return short.map(({ asset, units, has }) => {
    const missing = has === 0n ? '' : ` (${inWords(asset, units - has)} missing)`;
    return refuse(
      FUNDS,
      `${who} has ${inWords(asset, has)} on ${chain.name}; this needs ${inWords(asset, units)}${missing}.`,
    );
  });
};

/** No chain that bursar knows mines more in one transaction. */
const MAX_GAS = 30_000_000n;

/** What the plainest transaction uses (Ethereum yellow paper, G_transaction). */
const MIN_GAS = 21_000n;

const GWEI_DECIMALS = 9;
const WEI_IN_GWEI = 10n ** BigInt(GWEI_DECIMALS);

/** The most that the transaction can cost beside what it pays, in wei (EIP-1559). */
export const mostFee = ({ gasLimit, maxFeePerGas }: EvmFields): bigint => gasLimit * maxFeePerGas;

const checkTotal = ({ unsigned, chain, feeCap }: Context): Check => {
  const inCoin = (wei: bigint) => `${fromUnits(wei, COIN_DECIMALS)} ${chain.coin}`;
  const fee = mostFee(unsigned);
  const cap = feeCap ?? toUnits(usualFeeOf(chain.name).total, COIN_DECIMALS);
  if (fee <= cap) return pass('fee', `The fee costs at most ${inCoin(fee)}.`);
  const found = `The fee may cost ${inCoin(fee)}`;
  if (feeCap !== undefined) return refuse('fee', `${found}, and ${FEE_AT_MOST} allows ${inCoin(cap)}.`);
  return feeVerdict(found, { units: fee, usual: cap, usualText: `${inCoin(cap)} on ${chain.name}` });
};

/** The tip for each unit of gas. A stated maximum of the whole fee bounds the tip too. */
const checkTip = ({ unsigned, chain, feeCap }: Context): readonly Check[] => {
  const { tipGwei } = usualFeeOf(chain.name);
  const tip = unsigned.maxPriorityFeePerGas;
  if (tipGwei === undefined || feeCap !== undefined || tip <= tipGwei * WEI_IN_GWEI) return [];
  const cost = `${fromUnits(unsigned.gasLimit * tip, COIN_DECIMALS)} ${chain.coin}`;
  const found = `Its tip is ${fromUnits(tip, GWEI_DECIMALS)} gwei, up to ${cost} in all`;
  const usual = tipGwei * WEI_IN_GWEI;
  return [feeVerdict(found, { units: tip, usual, usualText: `${tipGwei} gwei on ${chain.name}` })];
};

/**
 * Gas limit, whole fee and tip. Above the usual fee of the chain the user decides; above ten times that, or above the
 * maximum that the user stated, the transaction is refused.
 */
export const checkFee = (context: Context): readonly Check[] => {
  const { gasLimit } = context.unsigned;
  if (gasLimit > MAX_GAS) return [refuse('fee', `Its gas limit ${gasLimit} is above ${MAX_GAS}.`)];
  if (gasLimit < MIN_GAS) {
    return [refuse('fee', `Its gas limit ${gasLimit} is below ${MIN_GAS}: it cannot be mined.`)];
  }
  return [checkTotal(context), ...checkTip(context)];
};
