import { usualFeeOf } from '../../contract/chains.ts';
import { SOL_DECIMALS, SOLANA } from '../../contract/solana.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { type Check, FEE_AT_MOST, pass, refuse } from '../review/check.ts';
import { feeVerdict } from '../review/fee.ts';
import { FUNDS } from '../review/funds.ts';
import { readTokenAccount } from './accounts.ts';
import type { Context } from './context.ts';
import { nameOfMint, totalOf, unitsInWords } from './flows.ts';
import { SOL, tokenOf } from './network.ts';
import type { Step } from './step.ts';

/** What the wallet has of a mint in the accounts that the transaction may change. */
const tokensHeld = ({ held = [], wallet }: Context, mint: string): bigint =>
  held.reduce((sum, { state }) => {
    const account = state && readTokenAccount(state);
    return account?.owner === wallet && account.mint === mint ? sum + account.units : sum;
  }, 0n);

/** Rent of the accounts that the wallet opens and that are not there yet. */
const rentNeeded = ({ steps, wallet, held = [] }: Context): bigint => {
  const opened = steps.flatMap((step) => (step.kind === 'opens' && step.payer === wallet ? [step.account] : []));
  const isThere = (address: string) => held.some((each) => each.address === address && each.state !== undefined);
  return TOKEN_ACCOUNT_RENT * BigInt([...new Set(opened)].filter((address) => !isThere(address)).length);
};

/** What leaves the wallet, by mint: by the instructions that are understood, fee and rent with the coin. */
const needed = (context: Context): readonly (readonly [string, bigint])[] => {
  const positions = context.steps.flatMap((step) => (step.kind === 'lends' ? [step.position] : []));
  // Shares that a position counts are in no account of the wallet.
  const flows = context.flows.filter(({ other }) => !positions.includes(other));
  const mints = new Set(flows.flatMap(({ direction, mint }) => (direction === 'out' && mint ? [mint] : [])));
  const tokens = [...mints]
    .filter((mint) => mint !== SOL.mint)
    .map((mint) => [mint, totalOf(flows, 'out', mint) - totalOf(flows, 'in', mint)] as const);
  const coin = totalOf(flows, 'out', SOL.mint) + mostFee(context) + rentNeeded(context);
  return [...tokens.filter(([, units]) => units > 0n), [SOL.mint, coin]];
};

/**
 * Whether the wallet has what leaves it, and the coin for fee and rent, as a node shows it before the transaction. Says
 * nothing without a node.
 */
export const checkFunds = (context: Context): readonly Check[] => {
  const { held, wallet, network, payerName } = context;
  if (held === undefined) return [];
  const lamports = held.find(({ address }) => address === wallet)?.state?.lamports ?? 0n;
  const read = needed(context).map(([mint, units]) => {
    const decimals = tokenOf(network, mint)?.decimals ?? 0;
    const inWords = (amount: bigint) => `${fromUnits(amount, decimals)} ${nameOfMint(network, mint)}`;
    return { units, has: mint === SOL.mint ? lamports : tokensHeld(context, mint), inWords };
  });
  const who = payerName ?? wallet;
  const short = read.filter(({ units, has }) => has < units);
  if (short.length === 0) {
    return [pass(FUNDS, `${who} has ${read.map(({ has, inWords }) => inWords(has)).join(' and ')} on solana: enough.`)];
  }
  return short.map(({ units, has, inWords }) => {
    const missing = has === 0n ? '' : ` (${inWords(units - has)} missing)`;
    return refuse(FUNDS, `${who} has ${inWords(has)} on solana; this needs ${inWords(units)}${missing}.`);
  });
};

/** What each signature costs, in lamports. */
const SIGNATURE_FEE = 5000n;

/** No transaction gets more units of computation; also what is counted where none are named, for that is the most. */
const MAX_UNITS = 1_400_000n;

/** The price of a unit is in millionths of a lamport. */
const MICRO = 1_000_000n;

/** What an account of 165 bytes must hold to stay: 2 years at 3,480 lamports for each byte and 128 more. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;

/** Nobody needs more accounts than this at once, and each costs the wallet its rent. */
const MAX_RENT = 8n * TOKEN_ACCOUNT_RENT;

const budgetOf = (steps: readonly Step[], what: string): bigint | undefined =>
  steps.flatMap((step) => (step.kind === 'budget' && step.what === what ? [step.value] : []))[0];

/** The most that the transaction costs beside what it moves, in lamports: every signature and the priority fee. */
export const mostFee = ({ unsigned, steps }: Pick<Context, 'unsigned' | 'steps'>): bigint => {
  const limit = budgetOf(steps, 'units');
  const units = limit === undefined || limit > MAX_UNITS ? MAX_UNITS : limit;
  const price = budgetOf(steps, 'price') ?? 0n;
  return SIGNATURE_FEE * BigInt(unsigned.message.signers) + (units * price + MICRO - 1n) / MICRO;
};

/** The same of the 80 bytes of a position in the sandbox's lending program. */
const POSITION_RENT = 1_447_680n;

const countOf = (accounts: readonly string[]): bigint => BigInt(new Set(accounts).size);

/** What the wallet pays to open token accounts and positions, in lamports. It is not lost while they stay its own. */
export const rentOf = ({ steps, wallet }: Pick<Context, 'steps' | 'wallet'>): bigint => {
  const opened = steps.flatMap((step) => (step.kind === 'opens' && step.payer === wallet ? [step.account] : []));
  const lent = steps.flatMap((step) => (step.kind === 'lends' && step.direction === 'deposit' ? [step.position] : []));
  return TOKEN_ACCOUNT_RENT * countOf(opened) + POSITION_RENT * countOf(lent);
};

/** The fee without rent, against the maximum that the user stated or the usual one. */
const checkTotal = (context: Context): Check => {
  const { feeCap } = context;
  const most = mostFee(context);
  const cap = feeCap ?? toUnits(usualFeeOf(SOLANA).total, SOL_DECIMALS);
  if (most <= cap) return pass('fee', `The fee costs at most ${unitsInWords(SOL, most)}.`);
  const found = `The fee may cost ${unitsInWords(SOL, most)}`;
  if (feeCap !== undefined) return refuse('fee', `${found}, and ${FEE_AT_MOST} allows ${unitsInWords(SOL, cap)}.`);
  return feeVerdict(found, { units: most, usual: cap, usualText: unitsInWords(SOL, cap) });
};

/** Fee and rent stay under their maximum, and nothing about the fee is requested twice. */
export const checkFee = (context: Context): readonly Check[] => {
  const requested = context.steps.flatMap((step) => (step.kind === 'budget' ? [step.what] : []));
  if (new Set(requested).size !== requested.length) return [refuse('fee', 'It says twice what computation it wants.')];
  const rent = rentOf(context);
  if (rent === 0n) return [checkTotal(context)];
  const message = `It opens accounts at the wallet's cost: at most ${unitsInWords(SOL, rent)}`;
  return [
    checkTotal(context),
    rent > MAX_RENT
      ? refuse('rent', `${message}, which is too much.`)
      : pass('rent', `${message}, for those that are not there.`),
  ];
};
