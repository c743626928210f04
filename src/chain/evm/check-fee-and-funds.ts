import { COIN_DECIMALS, usualFeeOf } from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { type Check, refuse } from '../review/check.ts';
import { checkAboveUsual, checkFeeTotal } from '../review/fee.ts';
import { checkNeeds } from '../review/funds.ts';
import { type Asset, coinOf, inWords, isSameAsset } from './asset.ts';
import { type Debit, debitOf, requestedDebit } from './check-simulation.ts';
import { type Context, isDecoded, outlaysOf } from './context.ts';
import type { EvmFields } from './transaction.ts';

/** No chain of bursar's table mines more gas in one transaction. */
const MAX_GAS = 30_000_000n;

/** The gas of the simplest transaction (Ethereum yellow paper, G_transaction). */
const MIN_GAS = 21_000n;

const GWEI_DECIMALS = 9;
const WEI_IN_GWEI = 10n ** BigInt(GWEI_DECIMALS);

/** The maximum fee of a transaction, in wei (EIP-1559). */
export const mostFee = ({ gasLimit, maxFeePerGas }: EvmFields): bigint => gasLimit * maxFeePerGas;

/** The tip for each unit of gas. A stated maximum of the whole fee limits the tip too. */
const checkTip = ({ unsigned, chain, feeCap }: Context): readonly Check[] => {
  const { tipGwei } = usualFeeOf(chain.name);
  const tip = unsigned.maxPriorityFeePerGas;
  if (tipGwei === undefined || feeCap !== undefined || tip <= tipGwei * WEI_IN_GWEI) return [];
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
  const { unsigned, chain, feeCap } = context;
  const { gasLimit } = unsigned;
  if (gasLimit > MAX_GAS) return [refuse('fee', `Gas limit: ${gasLimit}, above the maximum of ${MAX_GAS}.`)];
  if (gasLimit < MIN_GAS) {
    return [refuse('fee', `Gas limit: ${gasLimit}, below the minimum of ${MIN_GAS}: it cannot be mined.`)];
  }
  const total = checkFeeTotal({
    fee: mostFee(unsigned),
    stated: feeCap,
    usual: toUnits(usualFeeOf(chain.name).total, COIN_DECIMALS),
    place: ` on ${chain.name}`,
    inWords: (wei) => `${fromUnits(wei, COIN_DECIMALS)} ${chain.coin}`,
  });
  return [total, ...checkTip(context)];
};

/** Tokens that leave the payer: by the bytes, and for bytes that are not decoded by the request. */
const tokensNeeded = (context: Context): readonly Debit[] => {
  const paid = outlaysOf(context).filter(({ kind }) => kind === 'pays');
  const debits = paid.map((outlay) => debitOf(context, outlay));
  const requested = isDecoded(context) ? undefined : requestedDebit(context);
  const isNamed = requested !== undefined && debits.some(({ asset }) => isSameAsset(asset, requested.asset));
  const all = requested === undefined || isNamed ? debits : [...debits, requested];
  return all.filter(({ asset, units }) => asset.kind !== 'coin' && units > 0n);
};

/** The payer's balance of an asset, as far as the node could read it. */
const balanceOf = ({ node }: Context, asset: Asset): bigint | undefined =>
  asset.kind === 'coin' ? node?.coin : node?.tokens.get(asset.address.toLowerCase());

/**
 * Whether the payer has the tokens of the transaction, and the coin for its value and whole fee, by a node of the chain.
 * Empty without a node, and with a node of another chain.
 */
export const checkFunds = (context: Context): readonly Check[] => {
  const { node, unsigned, chain, payerName } = context;
  if (node?.chainId !== BigInt(unsigned.chainId)) return [];
  const needed = [...tokensNeeded(context), { asset: coinOf(chain), units: unsigned.value + mostFee(unsigned) }];
  const needs = needed.flatMap(({ asset, units }) => {
    const held = balanceOf(context, asset);
    return held === undefined ? [] : [{ needed: units, held, inWords: (each: bigint) => inWords(asset, each) }];
  });
  return checkNeeds(payerName ?? unsigned.from, chain.name, needs);
};
