import { execute } from '../../../src/contract/pay/execute.ts';
import { status } from '../../../src/contract/pay/status.ts';
import { testInputs } from '../cases.ts';

const HEX = { signed_transaction: /must be hex/ };

testInputs(execute, execute.example, [
  { title: 'accepts hex without 0x', changes: { signed_transaction: '02AB' } },
  { title: 'rejects half a byte', changes: { signed_transaction: '0x02f' }, problems: HEX },
  { title: 'rejects text that is not hex', changes: { signed_transaction: '0xzz' }, problems: HEX },
  { title: 'rejects 0x without digits', changes: { signed_transaction: '0x' }, problems: HEX },
  {
    title: 'rejects an unsigned transaction object',
    changes: { signed_transaction: { to: '0x1' } },
    problems: { signed_transaction: 'must be text' },
  },
  {
    title: 'rejects an unknown executor',
    changes: { executor_id: 'order_transaction' },
    problems: { executor_id: /one of api_transaction/ },
  },
  { title: 'requires a payment id', changes: { payment_id: undefined }, problems: { payment_id: 'required' } },
]);

// The id becomes a part of the URL path and must not point to another endpoint.
testInputs(
  status,
  {},
  ['..', '.', 'a/b', '../../order/list', 'a?x=1', 'a#b', '%2e%2e', 'a\\b', 'a b', '\n'].map((id) => ({
    title: `rejects the id ${JSON.stringify(id)}`,
    changes: { id },
    problems: { id: /must not hold/ },
  })),
);

testInputs(status, {}, [
  { title: 'accepts an id with dots and dashes', changes: { id: 'a.b-c_d..e' } },
  { title: 'rejects an empty id', changes: { id: '' }, problems: { id: 'must not be empty' } },
]);
