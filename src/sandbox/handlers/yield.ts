import { broadcast } from '../../contract/yield/broadcast.ts';
import { deposit } from '../../contract/yield/deposit.ts';
import { earnings } from '../../contract/yield/earnings.ts';
import { opportunities, opportunitiesOf } from '../../contract/yield/opportunities.ts';
import { rebalance } from '../../contract/yield/rebalance.ts';
import { strategies, strategiesOf } from '../../contract/yield/strategies.ts';
import { withdraw } from '../../contract/yield/withdraw.ts';
import { FAILED_ON_CHAIN } from '../assumptions.ts';
import { fail, handle, succeed } from './handler.ts';

const SUCCEEDED = 1;

/** The answer while no provider answers. Document: 502 with no opportunities and null sources. */
const NO_PROVIDER = fail('get_rebalance_opportunities_failed', 'No provider answers.', undefined, {
  opportunities: [],
  sources: null,
});

/** The handlers of yield: strategies, unsigned transactions, broadcast and earnings. Their modules load on first use. */
export const YIELD_HANDLERS = {
  /** GET /yield/strategies. */
  [strategies.id]: handle(strategies, async ({ services }) => {
    const { listStrategies } = await import('../yield/strategies.ts');
    return succeed('get_yield_strategies_ok', 'Strategies of all providers.', await listStrategies(services));
  }),
  /** GET /yield/strategies/{asset_symbol}. The list is empty for a token without a strategy. */
  [strategiesOf.id]: handle(strategiesOf, async ({ services }, { asset_symbol }) => {
    const { listStrategies } = await import('../yield/strategies.ts');
    const found = await listStrategies(services, asset_symbol);
    return succeed('get_yield_strategies_ok', `Strategies of ${asset_symbol}.`, found);
  }),
  /** GET /yield/rebalance-opportunities. */
  [opportunities.id]: handle(opportunities, async ({ services }) => {
    const { listOpportunities } = await import('../yield/strategies.ts');
    const found = await listOpportunities(services);
    if (!found) return NO_PROVIDER;
    return succeed('get_rebalance_opportunities_ok', 'Tokens that would yield more elsewhere.', found);
  }),
  /** GET /yield/rebalance-opportunities/{asset_symbol}. The list is empty for a token without a strategy. */
  [opportunitiesOf.id]: handle(opportunitiesOf, async ({ services }, { asset_symbol }) => {
    const { listOpportunities } = await import('../yield/strategies.ts');
    const found = await listOpportunities(services, asset_symbol);
    if (!found) return NO_PROVIDER;
    return succeed('get_rebalance_opportunity_by_symbol_ok', `Where ${asset_symbol} would yield more.`, found);
  }),
  /** POST /yield/deposit. */
  [deposit.id]: handle(deposit, async ({ services }, input) => {
    const { buildDeposit } = await import('../yield/operation.ts');
    const built = await buildDeposit(services, input);
    if (!built.ok) return fail('invalid_parameters', 'The deposit cannot be built.', built.errors);
    return succeed('deposit_yield_strategy_ok', 'Sign the transaction and broadcast it.', built.value);
  }),
  /** POST /yield/withdraw. */
  [withdraw.id]: handle(withdraw, async ({ services }, input) => {
    const { buildWithdrawal } = await import('../yield/operation.ts');
    const built = await buildWithdrawal(services, input);
    if (!built.ok) return fail('invalid_parameters', 'The withdrawal cannot be built.', built.errors);
    return succeed('withdraw_yield_strategy_ok', 'Sign the transaction and broadcast it.', built.value);
  }),
  /** PATCH /yield/rebalance. */
  [rebalance.id]: handle(rebalance, async ({ services }, input) => {
    const { buildRebalance } = await import('../yield/rebalance.ts');
    const built = await buildRebalance(services, input);
    if (!built.ok) return fail('invalid_parameters', 'The rebalance cannot be built.', built.errors);
    if (!built.value)
      return fail('rebalance_transaction_too_large', 'The rebalance does not even fit two transactions.');
    return succeed('rebalance_yield_strategy_ok', 'Sign each transaction and broadcast it.', built.value);
  }),
  /** POST /yield/broadcast: one transaction that this sandbox built, or the two of a dual rebalance. */
  [broadcast.id]: handle(broadcast, async ({ services }, { chain_name, op_signed }) => {
    const { relay } = await import('../yield/broadcast.ts');
    const { validateChain } = await import('../yield/position.ts');
    const chain = await validateChain(services, chain_name);
    if (!chain.ok) return fail('invalid_parameters', 'It cannot be broadcast.', chain.errors);
    const relayed = await relay(services, op_signed);
    switch (relayed.kind) {
      case 'landed':
        return succeed('broadcast_operation_yield_strategy_ok', 'The transaction is part of the chain.', {
          status: relayed.isGood ? SUCCEEDED : FAILED_ON_CHAIN,
          transactionHash: relayed.signature,
        });
      case 'expired':
        return fail('solana_blockhash_expired', 'The blockhash is too old: build the transaction anew and sign that.');
      case 'unsigned':
        return fail('signed_transaction_missing', 'A signature of the transaction is missing.', [
          { field: relayed.field, message: 'is not signed by its wallet' },
        ]);
      case 'wrong':
        return fail('invalid_parameters', 'It cannot be broadcast.', [
          { field: relayed.field, message: relayed.message },
        ]);
      default:
        return relayed satisfies never;
    }
  }),
  /** GET /yield/earnings. */
  [earnings.id]: handle(earnings, async ({ services, fault }, input) => {
    const { readEarnings } = await import('../yield/position.ts');
    const position = await readEarnings(services, input, fault !== undefined);
    if (!position.ok) return fail('params_mismatch', 'There is no such position to read.', position.errors);
    return succeed('get_earnings_position', 'The position was read from the chain.', { earnings: [position.value] });
  }),
};
