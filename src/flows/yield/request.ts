import type { RequestedOperation } from '../../chain/solana/context.ts';
import { checkInput, type Input } from '../../client/call.ts';
import { deposit } from '../../contract/yield/deposit.ts';
import { rebalance } from '../../contract/yield/rebalance.ts';
import { withdraw } from '../../contract/yield/withdraw.ts';
import { plainDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { partOf, type YieldIntent } from '../../journal/intents.ts';

/** The yield operations of a wallet, and the endpoint that builds each. */
export const YIELD_ACTIONS = { deposit, withdraw, rebalance } as const;

/** `deposit`, `withdraw` or `rebalance`. */
export type YieldAction = keyof typeof YIELD_ACTIONS;

/** A yield operation: the request for the service, and the expected effect. */
export type YieldRequest = { readonly input: Input; readonly intent: YieldIntent };

const WALLET_NAMES = ['wallet', 'signer'] as const;
const ASSET_NAMES = ['asset', 'symbol', 'token_mint', 'mint'] as const;

const isGiven = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The value of a field with several names. Throws `invalid_input` if they differ. */
const oneOf = (input: Input, names: readonly string[]): string | undefined => {
  const given = names.filter((name) => isGiven(input[name]));
  const [first, ...others] = given.map((name) => String(input[name]));
  if (others.some((other) => other !== first)) {
    const errors = given.map((field) => ({ field, message: `${given.join(' and ')} have different values` }));
    throw new Failure('invalid_input', 'nothing was sent: one field has two values', { errors });
  }
  return first;
};

const providersOf = (action: YieldAction, input: Input) => {
  const named = (field: string) => (isGiven(input[field]) ? String(input[field]) : undefined);
  const provider = named('provider');
  return {
    deposit: { provider_out: undefined, provider_in: provider },
    withdraw: { provider_out: provider, provider_in: undefined },
    rebalance: { provider_out: named('provider_out') ?? provider, provider_in: named('provider_in') ?? provider },
  }[action];
};

/** Reads the request of an input. Throws `invalid_input` with every wrong field and every contradiction. */
export const yieldRequestOf = (action: YieldAction, typed: Input): YieldRequest => {
  const input = checkInput(YIELD_ACTIONS[action], typed);
  const intent: YieldIntent = {
    operation: action,
    // The service gets the typed text; comparison and display use the plain decimal.
    amount: plainDecimal(String(input['amount'])) ?? String(input['amount']),
    asset: oneOf(input, ASSET_NAMES) ?? '',
    chain: String(input['chain_name']),
    wallet: oneOf(input, WALLET_NAMES) ?? '',
    ...providersOf(action, input),
  };
  return { input, intent };
};

/**
 * The expected effect of each transaction of an operation. If a rebalance has two, the first only withdraws and the
 * second only deposits. `fees` are those that the service states. Throws `unexpected_answer` for an invalid count.
 */
export const askedOf = (intent: YieldIntent, count: number, fees: readonly string[]): readonly RequestedOperation[] => {
  if (count !== 1 && !(count === 2 && intent.operation === 'rebalance')) {
    throw new Failure('unexpected_answer', `the service built ${count} transactions for one ${intent.operation}`);
  }
  return Array.from({ length: count }, (_, at) => {
    const { operation: kind, provider_out, provider_in, wallet, asset, amount } = partOf(intent, at + 1, count);
    const own = at + 1 === count && { fees };
    return { kind, wallet, asset, amount, providerOut: provider_out, providerIn: provider_in, ...own };
  });
};

/** An operation in words, such as "Deposit 25 USDC with provider_a". */
export const inWords = ({ operation, amount, asset, provider_out, provider_in }: YieldIntent): string => {
  const verb = { deposit: 'Deposit', withdraw: 'Withdraw', rebalance: 'Move' }[operation];
  const from = provider_out === undefined ? '' : ` from ${provider_out}`;
  const to = provider_in === undefined ? '' : ` ${operation === 'deposit' ? 'with' : 'to'} ${provider_in}`;
  return `${verb} ${amount} ${asset}${from}${to}`;
};
