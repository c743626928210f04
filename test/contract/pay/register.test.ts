import { register } from '../../../src/contract/pay/register.ts';
import { parseJson } from '../../../src/core/json.ts';
import { testInputs } from '../cases.ts';

const split = (...percents: readonly string[]) => ({
  split_payment_config: percents.map((percent) => ({ receiver_wallet: '0x11', receiver_percent: parseJson(percent) })),
});

const OFF = { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: false };

testInputs(register, register.example, [
  { title: 'accepts the example', changes: {} },
  { title: 'accepts unknown fields', changes: { from_chain: 'base' } },
  {
    title: 'names every missing field',
    changes: Object.fromEntries(Object.keys(register.example).map((name) => [name, undefined])),
    problems: Object.fromEntries(Object.keys(register.example).map((name) => [name, 'required'])),
  },
  {
    title: 'names a nested field by its path',
    changes: { tenant_data: { public_client_id: 'client_xyz', webhook_url: 'ftp://x' } },
    problems: { 'tenant_data.public_client_id': /32 hex digits/, 'tenant_data.webhook_url': /http\(s\)/ },
  },
  {
    title: 'accepts any prefix of a client id',
    changes: { tenant_data: { ...register.example.tenant_data, public_client_id: `my-tenant_${'A1'.repeat(16)}` } },
  },
  {
    title: 'rejects an unknown executor',
    changes: { executor_id: 'me' },
    problems: { executor_id: /one of api_transaction/ },
  },
  {
    title: 'rejects an amount as a number',
    changes: { amount_from: 10 },
    problems: { amount_from: /written as text/ },
  },
  { title: 'rejects a negative amount', changes: { amount_from: '-1' }, problems: { amount_from: /decimal such as/ } },
  {
    title: 'rejects an amount with an exponent',
    changes: { amount_from: '1e79' },
    problems: { amount_from: /decimal such as/ },
  },
  {
    title: 'rejects an amount of 101 digits',
    changes: { amount_from: '9'.repeat(101) },
    problems: { amount_from: /too long/ },
  },
  {
    title: 'requires one allowed payment method',
    changes: { payment_method_allowed: OFF },
    problems: { payment_method_allowed: 'at least one must be true' },
  },
  {
    title: 'requires one allowed payment method when no method is named',
    changes: { payment_method_allowed: {} },
    problems: { payment_method_allowed: 'at least one must be true' },
  },
  {
    title: 'rejects the text "true" as a boolean',
    changes: { payment_method_allowed: { crypto: 'true' } },
    problems: { 'payment_method_allowed.crypto': 'must be true or false' },
  },
  {
    title: 'rejects an exact number where an object is required',
    changes: { payment_method_allowed: parseJson('1.10') },
    problems: { payment_method_allowed: 'must be an object' },
  },
  {
    title: 'rejects Pix on an on-ramp',
    changes: { on_ramp: true, payment_method_allowed: { ...OFF, pixcrypto: true } },
    problems: { on_ramp: /cannot receive payments by Pix/ },
  },
  {
    title: 'accepts an on-ramp without Pix',
    changes: { on_ramp: true, payment_method_allowed: { ...OFF, crypto: true } },
  },
  { title: 'accepts one receiver', changes: split('100') },
  { title: 'accepts thirds that sum to exactly 100', changes: split('33.33', '33.33', '33.34') },
  { title: 'accepts percentages that floating point would not sum to 100', changes: split('0.1', '0.2', '99.7') },
  {
    title: 'accepts percentages with more digits than a JavaScript number holds',
    changes: split('99.99999999999999999999', '0.00000000000000000001'),
  },
  {
    title: 'rejects percentages that sum to 99.99',
    changes: split('33.33', '33.33', '33.33'),
    problems: { split_payment_config: 'percentages sum to 99.99, not to 100' },
  },
  {
    title: 'rejects percentages above 100 by less than a JavaScript number can show',
    changes: split('99.99999999999999999999', '0.00000000000000000002'),
    problems: { split_payment_config: /100\.00000000000000000001/ },
  },
  {
    title: 'rejects an empty list of receivers',
    changes: split(),
    problems: { split_payment_config: 'percentages sum to 0, not to 100' },
  },
  {
    title: 'rejects a percentage as text',
    changes: { split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: '100' }] },
    problems: { 'split_payment_config.0.receiver_percent': 'must be a number' },
  },
  {
    title: 'rejects a negative percentage',
    changes: split('-1', '101'),
    problems: {
      'split_payment_config.0.receiver_percent': /from 0 to 100/,
      'split_payment_config.1.receiver_percent': /from 0 to 100/,
    },
  },
  {
    title: 'rejects a percentage with a thousand digits',
    changes: split(`0.${'1'.repeat(1000)}`, '100'),
    problems: { 'split_payment_config.0.receiver_percent': /from 0 to 100/ },
  },
  {
    title: 'rejects an object where a list of receivers is required',
    changes: { split_payment_config: { 0: {} } },
    problems: { split_payment_config: 'must be a list' },
  },
]);
