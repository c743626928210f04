import { type Client, call, dataOf, type Input } from '../../client/call.ts';
import { deposit } from '../../contract/yield/deposit.ts';
import { rebalance } from '../../contract/yield/rebalance.ts';
import { withdraw } from '../../contract/yield/withdraw.ts';
import { isDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import type { YieldRequest } from './request.ts';

/** What the service built: unsigned transactions as base64, in their order, and the fees that it states. */
export type Built = { readonly transactions: readonly string[]; readonly fees: readonly string[] };

const strange = (what: string): Failure =>
  new Failure('unexpected_answer', `the service's answer cannot be used: ${what}`, { hint: 'Nothing was signed.' });

/** A fee as decimal text; left out where the service states none. */
const feeOf = (value: unknown): readonly string[] => {
  if (value === null || value === undefined) return [];
  const digits = digitsOf(value);
  if (digits !== undefined && isDecimal(digits)) return [digits];
  throw strange(`a fee is ${digits ?? 'no number'}`);
};

const buildDeposit = async (client: Client, input: Input): Promise<Built> => {
  const data = dataOf(deposit, 'deposit_yield_strategy_ok', await call(client, deposit, input));
  const fees = [data.charged_platform_fee_amount, data.charged_whitelabel_fee_amount].flatMap(feeOf);
  return { transactions: [data.transaction], fees };
};

const buildWithdrawal = async (client: Client, input: Input): Promise<Built> => {
  const data = dataOf(withdraw, 'withdraw_yield_strategy_ok', await call(client, withdraw, input));
  return { transactions: [data.transaction], fees: [] };
};

const textsIn = (value: unknown): readonly string[] => {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each): each is string => typeof each === 'string');
};

/** The document shows one transaction alone; two are looked for under `transaction` and `transactions`. */
const buildRebalance = async (client: Client, input: Input): Promise<Built> => {
  const data = dataOf(rebalance, 'rebalance_yield_strategy_ok', await call(client, rebalance, input));
  const transactions = textsIn(data.transaction ?? data['transactions']);
  if (transactions.length < 1 || transactions.length > 2) throw strange(`it has ${transactions.length} transactions`);
  if (data.mode === 'single_transaction' && transactions.length !== 1) {
    throw strange(`its mode is ${data.mode}, and it has ${transactions.length} transactions`);
  }
  return { transactions, fees: [] };
};

/** Has the service build an operation. Nothing moves by it. Throws `unexpected_answer` for half an answer. */
export const build = (client: Client, { input, intent }: YieldRequest): Promise<Built> => {
  switch (intent.operation) {
    case 'deposit':
      return buildDeposit(client, input);
    case 'withdraw':
      return buildWithdrawal(client, input);
    case 'rebalance':
      return buildRebalance(client, input);
    default: {
      const never: never = intent.operation;
      return never;
    }
  }
};
