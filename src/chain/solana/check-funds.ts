import { fromUnits } from '../../core/decimal.ts';
import { FUNDS } from '../funds.ts';
import { type Check, pass, refuse } from '../verdict.ts';
import { mostFee, TOKEN_ACCOUNT_RENT } from './check-fee.ts';
import type { Context } from './context.ts';
import { totalOf } from './flows.ts';
import { SOL, tokenOf } from './network.ts';
import { readTokenAccount } from './token-account.ts';
import { nameOfMint } from './words.ts';

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
