import { execute } from '../../../src/contract/pay/execute.ts';
import { status } from '../../../src/contract/pay/status.ts';
import { holds } from '../cases.ts';

const HEX = { signed_transaction: /must be hex/ };

holds(execute, execute.example, [
  { when: 'takes hex without 0x', given: { signed_transaction: '02AB' } },
  { when: 'refuses half a byte', given: { signed_transaction: '0x02f' }, wrong: HEX },
  { when: 'refuses text that is no hex', given: { signed_transaction: '0xzz' }, wrong: HEX },
  { when: 'refuses nothing after 0x', given: { signed_transaction: '0x' }, wrong: HEX },
  {
    when: 'refuses an unsigned object',
    given: { signed_transaction: { to: '0x1' } },
    wrong: { signed_transaction: 'must be text' },
  },
  {
    when: 'refuses another executor',
    given: { executor_id: 'order_transaction' },
    wrong: { executor_id: /one of api_transaction/ },
  },
  { when: 'needs the payment', given: { payment_id: undefined }, wrong: { payment_id: 'required' } },
]);

// An id is put into the path of a call: none may lead to another endpoint.
holds(
  status,
  {},
  ['..', '.', 'a/b', '../../order/list', 'a?x=1', 'a#b', '%2e%2e', 'a\\b', 'a b', '\n'].map((id) => ({
    when: `refuses the id ${JSON.stringify(id)}`,
    given: { id },
    wrong: { id: /must not hold/ },
  })),
);

holds(status, {}, [
  { when: 'takes an id with dots and dashes', given: { id: 'a.b-c_d..e' } },
  { when: 'refuses an empty id', given: { id: '' }, wrong: { id: 'must not be empty' } },
]);
