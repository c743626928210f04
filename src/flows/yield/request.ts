import type { RequestedOperation } from '../../chain/solana/context.ts';
import { checkInput, type Input } from '../../client/call.ts';
import { SOLANA } from '../../contract/chains.ts';
import { deposit } from '../../contract/yield/deposit.ts';
import { rebalance } from '../../contract/yield/rebalance.ts';
import { withdraw } from '../../contract/yield/withdraw.ts';
import { plainDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import type { FactName, Statement } from '../../journal/statement.ts';

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
  const { operation: action, wallet, asset, amount, provider_out: providerOut, provider_in: providerIn } = intent;
  const base = { wallet, asset, amount };
  if (count === 1) return [{ ...base, kind: action, providerOut, providerIn, fees }];
  if (count === 2 && action === 'rebalance') {
    return [
      { ...base, kind: 'withdraw', providerOut },
      { ...base, kind: 'deposit', providerIn, fees },
    ];
  }
  throw new Failure('unexpected_answer', `the service built ${count} transactions for one ${action}`);
};

/** The operation of a statement; `undefined` if it lacks a fact that the review compares. */
export const intentStated = ({ facts }: Statement, wallet: string): YieldIntent | undefined => {
  const text = (name: FactName) => {
    const value = facts[name]?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const [named, amount, asset] = [text('operation'), text('amount'), text('asset')];
  const operation = (Object.keys(YIELD_ACTIONS) as readonly YieldAction[]).find((action) => action === named);
  if (operation === undefined || amount === undefined || asset === undefined) return undefined;
  const providers = { provider_out: text('provider_out'), provider_in: text('provider_in') };
  return { operation, amount, asset, chain: SOLANA, wallet: text('wallet') ?? wallet, ...providers };
};

/** The effect of one transaction: of two, the first only withdraws and the second only deposits. */
export const partOf = (intent: YieldIntent, part: number, count: number): YieldIntent => {
  if (count < 2) return intent;
  return part === 1
    ? { ...intent, operation: 'withdraw', provider_in: undefined }
    : { ...intent, operation: 'deposit', provider_out: undefined };
};

/** An operation in words, such as "Deposit 25 USDC with provider_a". */
export const inWords = ({ operation, amount, asset, provider_out, provider_in }: YieldIntent): string =>
  ({
    deposit: `Deposit ${amount} ${asset} with ${provider_in}`,
    withdraw: `Withdraw ${amount} ${asset} from ${provider_out}`,
    rebalance: `Move ${amount} ${asset} from ${provider_out} to ${provider_in}`,
  })[operation];
