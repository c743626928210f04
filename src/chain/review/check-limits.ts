import { type Kind, SOLANA, usualFeeOf } from '../../contract/chains.ts';
import { compareDecimals, fromUnits, sumDecimals, toUnits } from '../../core/decimal.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { type Check, confirm, FEE_AT_MOST, pass, refuse, type Shortfall } from './check.ts';
import {
  type AppliedPolicy,
  amountsFor,
  confirmByPolicy,
  type Footprint,
  isOfToken,
  namesOne,
  type Outflow,
  refuseByPolicy,
  type Spend,
} from './policy.ts';

const isSameToken = (a: Outflow, b: Outflow): boolean => isOfToken(a.token, b) || isOfToken(b.token, a);

const totalOf = (all: readonly Outflow[], token: Outflow): string =>
  sumDecimals(all.filter((each) => isSameToken(each, token)).map(({ amount }) => amount));

/** The amount of a token, by its name in a policy, in some outflows. */
export const amountCounted = (moved: readonly Outflow[], name: string): string =>
  sumDecimals(moved.filter((each) => isOfToken(name, each)).map(({ amount }) => amount));

/** Outflows summed by token. */
export const totals = (all: readonly Outflow[]): readonly Outflow[] =>
  all
    .filter((one, at) => all.findIndex((other) => isSameToken(one, other)) === at)
    .map((one) => ({ ...one, amount: totalOf(all, one) }));

/** For transactions that exclude each other: the largest outflow of each token. */
export const largestOf = (alternatives: readonly (readonly Outflow[])[]): readonly Outflow[] => {
  const all = alternatives.flatMap(totals).toSorted((one, other) => compareDecimals(other.amount, one.amount));
  return all.filter((one, at) => all.findIndex((other) => isSameToken(one, other)) === at);
};

/** Adds the outflows that an earlier review of the same bytes recorded: of each token the larger amount counts. */
export const withRecorded = (footprint: Footprint, recorded: readonly Spend[]): Footprint => {
  const { spends } = footprint;
  const isLarger = (one: Spend, all: readonly Spend[]) =>
    all.every((other) => !isSameToken(one, other) || compareDecimals(one.amount, other.amount) > 0);
  const added = recorded.filter((each) => isLarger(each, spends));
  const kept = spends.filter((each) => !added.some((other) => isSameToken(each, other)));
  return { ...footprint, spends: [...kept, ...added], isCounted: true };
};

/** Checks one outflow against `most_per_transaction`. */
export const checkTransaction = (applied: AppliedPolicy, outflow: Outflow): readonly Check[] =>
  amountsFor(applied.policy.most_per_transaction, outflow)
    .filter((most) => compareDecimals(outflow.amount, most) > 0)
    .map((most) => {
      const { token, amount } = outflow;
      const fact = `One transaction moves ${amount} ${token}`;
      return refuseByPolicy('most_per_transaction', applied, fact, `at most ${most} ${token}`);
    });

/** Checks the outflows, together with those of the last 24 hours, against `most_per_day`. */
export const checkDay = (applied: AppliedPolicy, all: readonly Outflow[]): readonly Check[] =>
  totals(all).flatMap((outflow) => {
    const before = totalOf(applied.moved, outflow);
    const replaced = totalOf(applied.replaced ?? [], outflow);
    const isReplacedLarger = compareDecimals(replaced, outflow.amount) > 0;
    const sum = sumDecimals([before, isReplacedLarger ? replaced : outflow.amount]);
    return amountsFor(applied.policy.most_per_day, outflow)
      .filter((most) => compareDecimals(sum, most) > 0)
      .map((most) => {
        const { token, amount } = outflow;
        const earlier = isReplacedLarger ? `, or an earlier one with the same nonce moves ${replaced} ${token}` : '';
        const fact = `This transaction moves ${amount} ${token}${earlier}. In the last 24 hours ${before} ${token} left or may have left`;
        return refuseByPolicy('most_per_day', applied, fact, `at most ${most} ${token} in 24 hours`);
      });
  });

/** Checks one outflow against `ask_above`: the user must confirm a larger amount at a terminal. */
export const checkAskAbove = (applied: AppliedPolicy, outflow: Outflow): readonly Check[] =>
  amountsFor(applied.policy.ask_above, outflow)
    .filter((above) => compareDecimals(outflow.amount, above) > 0)
    .map((above) => {
      const { token, amount } = outflow;
      const fact = `One transaction moves ${amount} ${token}`;
      const allowed = `more than ${above} ${token} only if you confirm at a terminal`;
      return confirmByPolicy('ask_above', applied, fact, allowed);
    });

const COMPARED = ['most_per_transaction', 'most_per_day', 'ask_above'] as const;

/** An unknown token may be a known one by another name, and its decimals are not known. */
const checkUnknown = (applied: AppliedPolicy, spend: Spend): readonly Check[] => {
  const { policy } = applied;
  const parts = COMPARED.filter((part) => Object.keys(policy[part] ?? {}).length > 0);
  const isLimited = parts.some((part) => amountsFor(policy[part], spend).length > 0);
  if (spend.isKnown || (namesOne(policy.tokens ?? [], spend.address) && !isLimited)) return [];
  const fact = `The transaction moves the token ${spend.token}, which bursar does not know`;
  const allowed = 'only amounts that bursar can compare';
  return parts.map((part) => (part === 'ask_above' ? confirmByPolicy : refuseByPolicy)(part, applied, fact, allowed));
};

/** Checks all outflows of one transaction against the amounts of a policy. */
export const checkLimits = (applied: AppliedPolicy, spends: readonly Spend[]): readonly Check[] => {
  const known = spends.filter(({ isKnown }) => isKnown);
  return [
    ...spends.flatMap((spend) => checkUnknown(applied, spend)),
    ...totals(known).flatMap((outflow) => [...checkTransaction(applied, outflow), ...checkAskAbove(applied, outflow)]),
    ...checkDay(applied, known),
  ];
};

/** The id of the check of the payer's funds. */
export const FUNDS = 'funds';

/** What a transaction needs of one asset, and what the payer has of it, both in smallest units. */
type AssetNeed = Pick<Shortfall, 'token' | 'kind'> & {
  readonly needed: bigint;
  readonly held: bigint;
  /** Units of the asset as a decimal. */
  readonly amountOf: (units: bigint) => string;
};

/** Compares what a payer has on a chain with what a transaction needs. `payer` is a key's name or an address. */
export const checkNeeds = (payer: string, chain: string, needs: readonly AssetNeed[]): readonly Check[] => {
  const short = needs.filter(({ needed, held }) => held < needed);
  if (short.length === 0) {
    const holdings = needs.map(({ held, token, amountOf }) => `${amountOf(held)} ${token}`).join(' and ');
    return [pass(FUNDS, `${payer} has ${holdings} on ${chain}, which is enough.`)];
  }
  return short.map(({ needed, held, token, kind, amountOf }) => {
    const inWords = (units: bigint) => `${amountOf(units)} ${token}`;
    const missing = held === 0n ? '' : ` (${inWords(needed - held)} missing)`;
    const message = `${payer} has ${inWords(held)} on ${chain}; the transaction needs ${inWords(needed)}`;
    return {
      ...refuse(FUNDS, `${message}${missing}.`),
      lacks: { amount: amountOf(needed - held), token, chain, kind },
    };
  });
};

/** Whether a review found that the payer lacks funds for the transaction. */
export const lacksFunds = (checks: readonly Check[]): boolean =>
  checks.some(({ id, verdict }) => id === FUNDS && verdict === 'refuse');

/** What a wallet lacks by a review, as the start of a sentence; `undefined` if it lacks nothing. */
export const fundingInWords = (checks: readonly Check[], address: string): string | undefined => {
  const all = checks.flatMap(({ lacks }) => lacks ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const amounts = new Set(all.map(({ amount, token }) => `${amount} ${token}`));
  return `Fund the wallet ${address} with at least ${[...amounts].join(' and ')} on ${first.chain}`;
};

/** Whole coins: the fee may rise until the next try. */
const coinsFor = (amount: string): string => sumDecimals([amount.split('.')[0] ?? '0', '1']);

/** How a wallet that lacks funds is funded: in words, and in a sandbox by a command. */
export type Funding = { readonly inWords: string; readonly next: NextStep | undefined };

/** The funding of a wallet by a review; `undefined` if it lacks nothing. `name` is the name of its key, or its address. */
export const fundingOf = (checks: readonly Check[], kind: Kind, name: string, address: string): Funding | undefined => {
  const inWords = fundingInWords(checks, address);
  if (inWords === undefined) return undefined;
  const all = checks.flatMap(({ lacks }) => lacks ?? []);
  // A gift of a token has coins for fees as well.
  const gift = all.find((lacks) => lacks.kind === 'token') ?? all.find((lacks) => lacks.kind === 'coin');
  const given = gift && { ...gift, amount: gift.kind === 'coin' ? coinsFor(gift.amount) : gift.amount };
  return { inWords, next: kind === 'sandbox' ? nextStep('sandbox.fund', name, given) : undefined };
};

/** The user may confirm a fee up to so many times the usual maximum; a higher fee is refused. */
const MAX_TIMES = 10n;

/** A fee or tip and the usual maximum of its chain, in the same unit. */
type AboveUsual = { readonly units: bigint; readonly usual: bigint; readonly usualText: string };

/** The verdict on a fee or tip above the usual maximum. `fact` starts the sentence, such as "Fee: at most 6 POL". */
export const checkAboveUsual = (fact: string, { units, usual, usualText }: AboveUsual): Check => {
  const rest = `the usual maximum of ${usualText}. ${FEE_AT_MOST} sets another.`;
  if (units > usual * MAX_TIMES) return refuse('fee', `${fact}: more than ${MAX_TIMES} times ${rest}`);
  return confirm('fee', `${fact}, above ${rest}`);
};

/** The whole fee of a transaction, in smallest units of the chain's coin. */
type FeeLimits = {
  readonly fee: bigint;
  /** The user's maximum from --fee-at-most, as decimal text; it replaces the usual maximum. */
  readonly stated: string | undefined;
  readonly coin: { readonly symbol: string; readonly decimals: number };
};

/** Compares the whole fee with the maximum that the user stated, or with the usual one of the chain. */
export const checkFeeTotal = (chain: string, { fee, stated, coin: { symbol, decimals } }: FeeLimits): Check => {
  const inWords = (units: bigint) => `${fromUnits(units, decimals)} ${symbol}`;
  const most = toUnits(stated ?? usualFeeOf(chain).total, decimals);
  const fact = `Fee: at most ${inWords(fee)}`;
  if (fee <= most) return pass('fee', `${fact}.`);
  if (stated !== undefined) return refuse('fee', `${fact}, above the ${inWords(most)} that ${FEE_AT_MOST} allows.`);
  const place = chain === SOLANA ? '' : ` on ${chain}`;
  return checkAboveUsual(fact, { units: fee, usual: most, usualText: `${inWords(most)}${place}` });
};
