import { broadcast as endpoint } from '../../../contract/yield/broadcast.ts';
import { FAILED_ON_CHAIN } from '../../assumptions.ts';
import { fail, handle, succeed } from '../handler.ts';

const SUCCEEDED = 1;

/** POST /yield/broadcast: one transaction of this service, or two of a dual rebalance. */
export const broadcast = handle(endpoint, async ({ services }, { chain_name, op_signed }) => {
  const [{ relay }, { judgeChain }] = await Promise.all([
    import('../../yield/broadcast.ts'),
    import('../../yield/judge.ts'),
  ]);
  const chain = await judgeChain(services, chain_name);
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
      return fail('invalid_parameters', `It cannot be broadcast: ${relayed.message}.`, [
        { field: relayed.field, message: relayed.message },
      ]);
    default:
      return relayed satisfies never;
  }
});
