import { SOLANA } from '../../contract/chains.ts';
import { fromUnits } from '../../core/decimal.ts';
import { type Check, pass, refuse } from '../review/check.ts';
import { checkFeeTotal, checkNeeds } from '../review/check-limits.ts';
import { readTokenAccount } from './accounts.ts';
import type { Context } from './context.ts';
import { nameOfMint, totalOf, unitsInWords } from './flows.ts';
import { SOL, tokenOf } from './network.ts';
import type { Step } from './step.ts';

/** The price of one signature, in lamports. */
const SIGNATURE_FEE = 5000n;

/** The maximum units of computation of a transaction; it also applies where a transaction names none. */
const MAX_UNITS = 1_400_000n;

/** The price of a unit is in millionths of a lamport. */
const MICRO = 1_000_000n;

/** The rent of an account of 165 bytes: 2 years at 3,480 lamports for each byte and 128 more. */
const TOKEN_ACCOUNT_RENT = 2_039_280n;

/** The maximum rent of one transaction. Each new account costs the wallet its rent, and eight are enough. */
const MAX_RENT = 8n * TOKEN_ACCOUNT_RENT;

const budgetOf = (steps: readonly Step[], what: string): bigint | undefined =>
  steps.flatMap((step) => (step.kind === 'budget' && step.what === what ? [step.value] : []))[0];

/** The maximum fee of the transaction, in lamports: the signatures and the priority fee. */
export const mostFee = ({ unsigned, steps }: Pick<Context, 'unsigned' | 'steps'>): bigint => {
  const limit = budgetOf(steps, 'units');
  const units = limit === undefined || limit > MAX_UNITS ? MAX_UNITS : limit;
  const price = budgetOf(steps, 'price') ?? 0n;
  return SIGNATURE_FEE * BigInt(unsigned.message.signers) + (units * price + MICRO - 1n) / MICRO;
};

/** The rent of a position in the sandbox's lending program, 80 bytes. */
const POSITION_RENT = 1_447_680n;

const countOf = (accounts: readonly string[]): bigint => BigInt(new Set(accounts).size);

/** Token accounts that the transaction opens at the wallet's cost. */
const openedBy = ({ steps, wallet }: Pick<Context, 'steps' | 'wallet'>): readonly string[] =>
  steps.flatMap((step) => (step.kind === 'opens' && step.payer === wallet ? [step.account] : []));

/** The rent that the wallet pays for new token accounts and positions, in lamports. It is a deposit, not a cost. */
export const rentOf = (context: Pick<Context, 'steps' | 'wallet'>): bigint => {
  const positions = context.steps.flatMap((step) =>
    step.kind === 'lends' && step.direction === 'deposit' ? [step.position] : [],
  );
  return TOKEN_ACCOUNT_RENT * countOf(openedBy(context)) + POSITION_RENT * countOf(positions);
};

/** The fee without rent, and the rent, are below their maximums. A transaction sets its budget only once. */
export const checkFee = (context: Context): readonly Check[] => {
  const budgets = context.steps.flatMap((step) => (step.kind === 'budget' ? [step.what] : []));
  if (new Set(budgets).size !== budgets.length) {
    return [refuse('fee', 'Fee: the transaction sets the same part of its computation budget twice.')];
  }
  const inWords = (units: bigint) => unitsInWords(SOL, units);
  const total = checkFeeTotal(SOLANA, { fee: mostFee(context), stated: context.overrides?.feeAtMost, coin: SOL });
  const rent = rentOf(context);
  if (rent === 0n) return [total];
  const message = `Rent: at most ${inWords(rent)} for new accounts, paid by the wallet`;
  return [
    total,
    rent > MAX_RENT ? refuse('rent', `${message}; the maximum is ${inWords(MAX_RENT)}.`) : pass('rent', `${message}.`),
  ];
};

/** The wallet's balance of a mint in the accounts that the transaction may change. */
const tokensHeld = ({ held = [], wallet }: Context, mint: string): bigint =>
  held.reduce((sum, { state }) => {
    const account = state && readTokenAccount(state);
    return account?.owner === wallet && account.mint === mint ? sum + account.units : sum;
  }, 0n);

/** The rent of token accounts that the wallet opens and that do not exist yet. */
const rentNeeded = (context: Context): bigint => {
  const { held = [] } = context;
  const exists = (address: string) => held.some((each) => each.address === address && each.state !== undefined);
  return TOKEN_ACCOUNT_RENT * countOf(openedBy(context).filter((address) => !exists(address)));
};

/** What leaves the wallet by mint, from decoded instructions; the coin includes fee and rent. */
const unitsNeeded = (context: Context): readonly (readonly [string, bigint])[] => {
  const positions = context.steps.flatMap((step) => (step.kind === 'lends' ? [step.position] : []));
  // Shares in a position are in no account of the wallet.
  const flows = context.flows.filter(({ other }) => !positions.includes(other));
  const mints = new Set(flows.flatMap(({ direction, mint }) => (direction === 'out' && mint ? [mint] : [])));
  const tokens = [...mints]
    .filter((mint) => mint !== SOL.mint)
    .map((mint) => [mint, totalOf(flows, 'out', mint) - totalOf(flows, 'in', mint)] as const);
  const coin = totalOf(flows, 'out', SOL.mint) + mostFee(context) + rentNeeded(context);
  return [...tokens.filter(([, units]) => units > 0n), [SOL.mint, coin]];
};

/** Whether the wallet has the tokens of the transaction, and the coin for fee and rent, by a node. Empty without one. */
export const checkFunds = (context: Context): readonly Check[] => {
  const { held, wallet, network, payerName } = context;
  if (held === undefined) return [];
  const lamports = held.find(({ address }) => address === wallet)?.state?.lamports ?? 0n;
  const needs = unitsNeeded(context).map(([mint, needed]) => {
    const known = tokenOf(network, mint);
    const kind = mint === SOL.mint ? 'coin' : known ? 'token' : 'unknown';
    const amountOf = (units: bigint) => fromUnits(units, known?.decimals ?? 0);
    const held = kind === 'coin' ? lamports : tokensHeld(context, mint);
    return { needed, held, token: nameOfMint(network, mint), kind, amountOf } as const;
  });
  return checkNeeds(payerName ?? wallet, 'solana', needs);
};
