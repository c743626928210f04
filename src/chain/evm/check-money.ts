import { inSentence, isSameText } from '../../core/text.ts';
import { type Check, pass, refuse } from '../review/check.ts';
import { type RemainingApproval, unknownApproval } from '../review/policy.ts';
import type { Move } from '../review/review.ts';
import { normaliseEvmAddress } from './address.ts';
import { isCertain, UNLIMITED } from './check-calls.ts';
import { allowBlindly, checkPrice, newPermissionsIn, shownSimulationOf } from './check-simulation.ts';
import {
  type Context,
  expectedInWords,
  isDecoded,
  type Outlay,
  outlaysOf,
  type SingleCall,
  singleCallsOf,
  sourceInWords,
} from './context.ts';
import {
  amountText,
  assetAt,
  assetNamed,
  type Chain,
  coinOf,
  inWords,
  isSameAsset,
  isSplitterOf,
  type KnownAsset,
  nameOfAsset,
  unitsOf,
} from './network.ts';

/** The transaction pays in the requested token, compared by contract and not by name. */
export const checkToken = (context: Context, { asset }: Outlay): Check => {
  const { chain, expected } = context;
  const symbol = expected.tokenSymbol;
  if (symbol === undefined) {
    if (asset.kind !== 'unknown') return pass('token', `Token: ${asset.symbol}.`);
    const message = `Token: ${asset.address}, a contract that is not a known token of ${chain.name}.`;
    return allowBlindly(context, 'token', message);
  }
  const requested = assetNamed(chain, symbol);
  if (requested === undefined && asset.kind === 'unknown') {
    const message = `the contract of ${inSentence(symbol)} on ${chain.name} is unknown`;
    return allowBlindly(context, 'token', `Token: ${asset.address}; ${message}.`);
  }
  if (requested !== undefined && isSameAsset(requested, asset)) {
    return pass('token', `Token: ${inSentence(symbol)}, ${sourceInWords(expected, 'token')}.`);
  }
  return refuse('token', `Token: ${nameOfAsset(asset)}; ${expectedInWords(expected, 'token', symbol)}.`);
};

const compareAmount = ({ expected }: Context, asset: KnownAsset, total: bigint, amount: string): Check => {
  const requested = unitsOf(asset, amount);
  const message = `Amount: ${inWords(asset, total)}`;
  const other = expectedInWords(expected, 'amount', amount);
  if (requested === undefined) return refuse('amount', `${message}; ${other}, which is no amount of ${asset.symbol}.`);
  return requested === total
    ? pass('amount', `${message}, ${sourceInWords(expected, 'amount')}.`)
    : refuse('amount', `${message}; ${other}.`);
};

/** The sum of all payments is the requested amount, or within the maximum for a price in another currency. */
export const checkAmount = (context: Context, outlay: Outlay): readonly Check[] => {
  const { asset, total } = outlay;
  const { amount, price } = context.expected;
  if (price !== undefined) return [checkPrice(context, outlay, price)];
  if (amount === undefined) return [];
  if (asset.kind !== 'unknown') return [compareAmount(context, asset, total, amount)];
  const message = `Amount: ${inWords(asset, total)}. The decimals of that token are not known, so it cannot be compared with`;
  return [allowBlindly(context, 'amount', `${message} ${inSentence(amount)}.`)];
};

/** The name of an address in the chain's table; `undefined` for an unknown address. */
const nameOnChain = (chain: Chain, address: string): string | undefined => {
  if (isSplitterOf(chain, address)) return `the splitter of ${chain.name}`;
  if (chain.bridge !== undefined && isSameText(chain.bridge, address)) return "the sandbox's bridge";
  const token = Object.entries(chain.tokens).find(([, each]) => isSameText(each.address, address));
  return token && `the contract of ${token[0]}`;
};

const approvalOf = ({ chain }: Context, address: string, message: string): RemainingApproval => {
  const who = normaliseEvmAddress(address);
  const who_name = nameOnChain(chain, who);
  return { who, ...(who_name !== undefined && { who_name }), message };
};

const approvalsByCall = (context: Context, { call }: SingleCall): readonly RemainingApproval[] => {
  switch (call.kind) {
    case 'allowance': {
      const asset = assetAt(context.chain, call.token);
      if (call.units === 0n) return [approvalOf(context, call.spender, `may no longer take ${nameOfAsset(asset)}`)];
      const what = call.units >= UNLIMITED ? `all ${nameOfAsset(asset)}` : inWords(asset, call.units);
      return [approvalOf(context, call.spender, `may take ${what} at any time`)];
    }
    case 'dangerous':
      return [unknownApproval(`the transaction calls ${call.name}`)];
    case 'coin':
    case 'token':
    case 'malformed':
    case 'unknown':
      return [];
    default:
      return call satisfies never;
  }
};

/** Rights over the payer's money after the transaction, by the bytes and by the simulation. */
export const remainingApprovalsOf = (context: Context): readonly RemainingApproval[] => {
  const { unsigned, call, chain } = context;
  const granted = singleCallsOf(unsigned.to, call).flatMap((each) => approvalsByCall(context, each));
  if (isCertain(context)) return granted;
  const shown = shownSimulationOf(context);
  if (shown === undefined) {
    return granted.length > 0 ? granted : [unknownApproval('the call cannot be decoded, and there is no simulation')];
  }
  const simulated = newPermissionsIn(context, shown).map(({ token, spender }) =>
    approvalOf(context, spender, `may take ${nameOfAsset(assetAt(chain, token))} later`),
  );
  return [...granted, ...simulated];
};

const moveTo = ({ chain }: Context, move: Move, label: string | undefined): Move => {
  const to_name = nameOnChain(chain, move.to);
  return { ...move, ...(to_name !== undefined && { to_name }), ...(label !== undefined && { label }) };
};

const labelOf = ({ expected }: Context, { kind, asset }: Outlay, to: string): string | undefined => {
  if (kind === 'allows') return 'may take it later';
  const own = (expected.receivers ?? []).filter(({ wallet }) => isSameText(wallet, to));
  const share = own.map(({ percent }) => `${percent} %`).join(' + ');
  if (asset.kind === 'unknown') return share ? `${share}, in smallest units` : 'in smallest units';
  return share || undefined;
};

const movesIn = (context: Context, outlay: Outlay): readonly Move[] =>
  outlay.payments.map(({ to, units }) => {
    const isAll = outlay.kind === 'allows' && units >= UNLIMITED;
    const amount = isAll ? 'all' : amountText(outlay.asset, units);
    return moveTo(context, { token: nameOfAsset(outlay.asset), amount, to }, labelOf(context, outlay, to));
  });

/** Receivers of the payer's tokens by the simulation, for a call that is not decoded. */
const simulatedMoves = (context: Context): readonly Move[] => {
  const shown = isCertain(context) ? undefined : shownSimulationOf(context);
  const lost = (shown?.changes ?? []).filter(({ of, units }) => of !== 'coin' && units < 0n);
  return lost.flatMap((loss) => {
    const asset = assetAt(context.chain, loss.of);
    const unit = asset.kind === 'unknown' ? 'in smallest units, ' : '';
    const move = (to: string, units: bigint, source: string): Move => {
      const moved = { token: nameOfAsset(asset), amount: amountText(asset, units), to: normaliseEvmAddress(to) };
      return moveTo(context, moved, `${unit}${source}by the simulation`);
    };
    const gains = shown?.gains.filter(({ of }) => isSameText(of, loss.of)) ?? [];
    if (gains.length === 0) return [move(context.unsigned.to, -loss.units, 'taken by the call, ')];
    return gains.map(({ to, units }) => move(to, units, ''));
  });
};

/** What leaves the payer besides the fee: by the bytes, or by the simulation of a call that is not decoded. */
export const movesOf = (context: Context): readonly Move[] => {
  const { unsigned, chain } = context;
  const simulated = simulatedMoves(context);
  const decoded = outlaysOf(context).filter(({ kind }) => simulated.length === 0 || kind === 'allows');
  const moves = [...decoded.flatMap((outlay) => movesIn(context, outlay)), ...simulated];
  if (isDecoded(context) || unsigned.value === 0n) return moves;
  const amount = amountText(coinOf(chain), unsigned.value);
  return [...moves, moveTo(context, { token: chain.coin, amount, to: unsigned.to }, 'sent with the call')];
};
