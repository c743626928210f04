import { register } from '../../../src/contract/pay/register.ts';
import { parseJson } from '../../../src/core/json.ts';
import { holds } from '../cases.ts';

const split = (...percents: readonly string[]) => ({
  split_payment_config: percents.map((percent) => ({ receiver_wallet: '0x11', receiver_percent: parseJson(percent) })),
});

const OFF = { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: false };

holds(register, register.example, [
  { when: 'takes the example', given: {} },
  { when: 'takes fields that it does not know', given: { from_chain: 'base' } },
  {
    when: 'names everything that is missing at once',
    given: Object.fromEntries(Object.keys(register.example).map((name) => [name, undefined])),
    wrong: Object.fromEntries(Object.keys(register.example).map((name) => [name, 'required'])),
  },
  {
    when: 'names a nested field by its path',
    given: { tenant_data: { public_client_id: 'client_xyz', webhook_url: 'ftp://x' } },
    wrong: { 'tenant_data.public_client_id': /32 hex digits/, 'tenant_data.webhook_url': /http\(s\)/ },
  },
  {
    when: 'takes any prefix of a client id',
    given: { tenant_data: { ...register.example.tenant_data, public_client_id: `my-tenant_${'A1'.repeat(16)}` } },
  },
  { when: 'refuses another executor', given: { executor_id: 'me' }, wrong: { executor_id: /one of api_transaction/ } },
  { when: 'refuses money as a number', given: { amount_from: 10 }, wrong: { amount_from: /written as text/ } },
  { when: 'refuses a signed amount', given: { amount_from: '-1' }, wrong: { amount_from: /decimal such as/ } },
  { when: 'refuses an exponent', given: { amount_from: '1e79' }, wrong: { amount_from: /decimal such as/ } },
  {
    when: 'refuses an amount that nobody has',
    given: { amount_from: '9'.repeat(101) },
    wrong: { amount_from: /too long/ },
  },
  {
    when: 'needs one method',
    given: { payment_method_allowed: OFF },
    wrong: { payment_method_allowed: 'at least one must be true' },
  },
  {
    when: 'needs one method even when none is named',
    given: { payment_method_allowed: {} },
    wrong: { payment_method_allowed: 'at least one must be true' },
  },
  {
    when: 'does not take "true" for true',
    given: { payment_method_allowed: { crypto: 'true' } },
    wrong: { 'payment_method_allowed.crypto': 'must be true or false' },
  },
  {
    when: 'does not take a number of many digits for an object',
    given: { payment_method_allowed: parseJson('1.10') },
    wrong: { payment_method_allowed: 'must be an object' },
  },
  {
    when: 'refuses Pix on an on-ramp',
    given: { on_ramp: true, payment_method_allowed: { ...OFF, pixcrypto: true } },
    wrong: { on_ramp: /cannot receive payments by Pix/ },
  },
  { when: 'takes an on-ramp without Pix', given: { on_ramp: true, payment_method_allowed: { ...OFF, crypto: true } } },
  { when: 'takes one receiver', given: split('100') },
  { when: 'sums thirds exactly', given: split('33.33', '33.33', '33.34') },
  { when: 'sums what floating point cannot', given: split('0.1', '0.2', '99.7') },
  { when: 'sums digits that JavaScript would drop', given: split('99.99999999999999999999', '0.00000000000000000001') },
  {
    when: 'sees a missing hair',
    given: split('33.33', '33.33', '33.33'),
    wrong: { split_payment_config: 'percentages sum to 99.99, not to 100' },
  },
  {
    when: 'sees a hair that JavaScript would drop',
    given: split('99.99999999999999999999', '0.00000000000000000002'),
    wrong: { split_payment_config: /100\.00000000000000000001/ },
  },
  { when: 'refuses no receivers', given: split(), wrong: { split_payment_config: 'percentages sum to 0, not to 100' } },
  {
    when: 'refuses a percentage as text',
    given: { split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: '100' }] },
    wrong: { 'split_payment_config.0.receiver_percent': 'must be a number' },
  },
  {
    when: 'refuses a negative percentage',
    given: split('-1', '101'),
    wrong: {
      'split_payment_config.0.receiver_percent': /from 0 to 100/,
      'split_payment_config.1.receiver_percent': /from 0 to 100/,
    },
  },
  {
    when: 'refuses a percentage of a thousand digits',
    given: split(`0.${'1'.repeat(1000)}`, '100'),
    wrong: { 'split_payment_config.0.receiver_percent': /from 0 to 100/ },
  },
  {
    when: 'refuses a list that is an object',
    given: { split_payment_config: { 0: {} } },
    wrong: { split_payment_config: 'must be a list' },
  },
]);
