import { COIN_DECIMALS, kindOfChainId } from '../../contract/chains.ts';
import { fromUnits, largerOf } from '../../core/decimal.ts';
import { isSameText } from '../../core/text.ts';
import { ALLOW_BLIND, type Check } from '../review/check.ts';
import type { CalledProgram, Footprint, Policy, Spend, UndecodedPart } from '../review/policy.ts';
import { normaliseEvmAddress } from './address.ts';
import { isCertain } from './check-calls.ts';
import { mostFee } from './check-envelope.ts';
import { type Debit, debitOf, lossesOf, requestedDebit, shownSimulationOf } from './check-simulation.ts';
import { type Context, outlaysOf } from './context.ts';
import { type Call, decodeCall } from './decode.ts';
import {
  type Asset,
  amountText,
  assetAt,
  type Chain,
  coinOf,
  isSameAsset,
  nameOfAsset,
  networkFor,
} from './network.ts';

/** Debits by the bytes. */
const debitsInBytes = (context: Context): readonly Debit[] => {
  const { unsigned, chain } = context;
  const debits = outlaysOf(context).map((outlay) => debitOf(context, outlay));
  return isCertain(context) ? debits : [...debits, { asset: coinOf(chain), units: unsigned.value }];
};

/** Debits of a call that is not decoded: by the simulation, or by the request. */
const debitsNotInBytes = (context: Context): readonly Debit[] => {
  if (isCertain(context)) return [];
  const shown = shownSimulationOf(context);
  return shown === undefined ? [requestedDebit(context) ?? []].flat() : lossesOf(context, shown);
};

const sumOf = (debits: readonly Debit[], asset: Asset): bigint =>
  debits.reduce((sum, each) => (isSameAsset(each.asset, asset) ? sum + each.units : sum), 0n);

const spendOf = (asset: Asset, units: bigint): Spend => ({
  token: nameOfAsset(asset),
  amount: amountText(asset, units),
  ...(asset.kind === 'coin' ? {} : { address: asset.address }),
  isKnown: asset.kind !== 'unknown',
});

const spendsOf = (context: Context): readonly Spend[] => {
  const [decoded, other] = [debitsInBytes(context), debitsNotInBytes(context)];
  const assets = [...decoded, ...other].map(({ asset }) => asset);
  const distinct = assets.filter((asset, at) => assets.findIndex((other) => isSameAsset(asset, other)) === at);
  return distinct.flatMap((asset) => {
    const units = largerOf(sumOf(decoded, asset), sumOf(other, asset));
    return units === 0n ? [] : [spendOf(asset, units)];
  });
};

/** Receivers of the payer's assets that only a simulation shows. */
const gainersOf = (context: Context): readonly string[] => {
  const shown = shownSimulationOf(context);
  if (isCertain(context) || shown === undefined) return [];
  const lost = shown.changes.filter(({ units }) => units < 0n).map(({ of }) => of.toLowerCase());
  return shown.gains.filter(({ of }) => lost.includes(of.toLowerCase())).map(({ to }) => normaliseEvmAddress(to));
};

const recipientsOf = (context: Context): readonly (readonly string[])[] => {
  const { expected, unsigned } = context;
  const paid = outlaysOf(context).flatMap(({ payments }) => payments.map(({ to }) => to));
  const requested = (expected.receivers ?? []).map(({ wallet }) => wallet);
  const all = [...paid, ...gainersOf(context), ...requested].filter((address) => !isSameText(address, unsigned.from));
  return all.filter((one, at) => all.findIndex((other) => isSameText(one, other)) === at).map((address) => [address]);
};

/** Every contract that a call reaches, those of batches among them. */
const contractsOf = (context: Context, to: string, call: Call): readonly CalledProgram[] => {
  switch (call.kind) {
    case 'coin':
      return to === context.unsigned.to && context.unsigned.data === '0x' ? [] : [{ address: to, is: 'contract' }];
    case 'token':
    case 'allowance': {
      if (!isSameText(call.token, to)) return [{ address: to, is: 'contract' }];
      const isKnown = assetAt(context.chain, to).kind === 'token';
      return [{ address: to, is: 'contract', moves: isKnown ? 'its known token' : 'its unknown token' }];
    }
    case 'batch':
      return [
        { address: to, is: 'contract' },
        ...call.steps.flatMap((step) => contractsOf(context, step.to, step.call)),
      ];
    case 'dangerous':
    case 'malformed':
    case 'unknown':
      return [{ address: to, is: 'contract' }];
    default:
      return call satisfies never;
  }
};

const calledBy = (context: Context): readonly CalledProgram[] => {
  const all = contractsOf(context, context.unsigned.to, context.call);
  return all.filter(
    (one, at) => all.findIndex((other) => isSameText(one.address, other.address) && one.moves === other.moves) === at,
  );
};

/** The option itself counts too: a policy that forbids blind signing forbids its habitual use. */
const blindIn = ({ allowBlind }: Context, checks: readonly Check[]): readonly UndecodedPart[] => [
  ...(allowBlind ? [{ message: `${ALLOW_BLIND} was given` }] : []),
  ...checks.filter(({ allow_with }) => allow_with === ALLOW_BLIND).map(({ message }) => ({ message })),
];

/** The footprint of a transaction. `checks` are those of its review. */
export const footprintOf = (context: Context, checks: readonly Check[]): Footprint => ({
  chain: context.chain.name,
  spends: spendsOf(context),
  isIncomplete: !isCertain(context) && shownSimulationOf(context) === undefined,
  recipients: recipientsOf(context),
  called: calledBy(context),
  blind: blindIn(context, checks),
  fee: { at_most: fromUnits(mostFee(context.unsigned), COIN_DECIMALS), coin: context.chain.coin },
});

/** An unknown chain, and its coin, are named by the chain id (CAIP-2). */
const byId = (id: number): Chain => ({ name: `eip155:${id}`, id, coin: `eip155:${id}/coin`, tokens: {} });

/** The chain of bursar's own table. A splitter from a profile counts only if the policy lists it. */
const builtIn = ({ chain, unsigned }: Context, { contracts = [] }: Policy): Chain => {
  const known = networkFor(kindOfChainId(unsigned.chainId)).chains.find(({ id }) => id === unsigned.chainId);
  const { splitter } = chain;
  const isListed = splitter !== undefined && contracts.some((each) => isSameText(each, splitter));
  return { ...(known ?? byId(unsigned.chainId)), ...(isListed ? { splitter } : {}) };
};

/**
 * The footprint by bursar's own tables of chains and tokens. The policy of a key uses it, so that a profile cannot rename
 * a token or change its decimals.
 */
export const strictFootprintOf = (context: Context, checks: readonly Check[], policy: Policy): Footprint => {
  const chain = builtIn(context, policy);
  const footprint = footprintOf({ ...context, chain, call: decodeCall(context.unsigned, chain) }, checks);
  const isUnnamedCoin = (token: string) => token === byId(chain.id).coin;
  const spends = footprint.spends.map((spend) =>
    isUnnamedCoin(spend.token) ? { ...spend, address: spend.token, isKnown: false } : spend,
  );
  return { ...footprint, spends };
};
