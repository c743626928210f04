import { register } from '../../contract/pay/register.ts';
import { PAYMENT_METHODS } from '../../contract/pay/shared.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { Body } from './body.ts';
import type { InputSpec } from './build-input.ts';
import { checkBy } from './fields.ts';
import { type Option, type ParsedArgs, stringArg, stringArgs } from './options.ts';

/** What a payment or an order is unless something else is asked for. */
export const PAYMENT_DEFAULTS = { executor_id: 'api_transaction', gateway_method: 'direct', on_ramp: false } as const;

const ALLOW: Option = {
  flag: '--allow',
  value: 'METHOD',
  choices: PAYMENT_METHODS,
  isRepeatable: true,
  description: 'A method that the payer may use; the others are off (repeatable)',
};

/** Whether a split can be read; what all of them sum to is seen when all are there. */
const checkSplit = (text: string): string | undefined => {
  try {
    receiver(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

const SPLIT: Option = {
  flag: '--split',
  value: 'WALLET=PERCENT',
  isRepeatable: true,
  description: 'A receiver and its percentage; they sum to 100 (repeatable)',
  check: checkSplit,
};

const allowed = (methods: readonly string[]): Body => {
  if (methods.length === 0) return {};
  const wrong = methods.filter((method) => !(PAYMENT_METHODS as readonly string[]).includes(method));
  if (wrong.length > 0) {
    throw new Failure('invalid_input', `--allow: ${wrong.join(', ')} is not one of ${PAYMENT_METHODS.join(', ')}`);
  }
  return { payment_method_allowed: Object.fromEntries(PAYMENT_METHODS.map((name) => [name, methods.includes(name)])) };
};

const receiver = (split: string): Body => {
  const at = split.lastIndexOf('=');
  const percent = split.slice(at + 1).trim();
  if (at < 1 || !/^\d+(?:\.\d+)?$/.test(percent)) {
    throw new Failure('invalid_input', `--split: "${split}" is not WALLET=PERCENT, such as 0xabc…=70`);
  }
  return { receiver_wallet: split.slice(0, at), receiver_percent: parseJson(percent.replace(/^0+(?=\d)/, '')) };
};

const split = (splits: readonly string[]): Body =>
  splits.length === 0 ? {} : { split_payment_config: splits.map(receiver) };

/** `--allow` and `--split`, for payments and orders. */
export const ALLOW_AND_SPLIT = {
  sets: ['payment_method_allowed', 'split_payment_config'],
  options: [ALLOW, SPLIT],
  bodyFrom: (given: ParsedArgs): Body => ({
    ...allowed(stringArgs(given, 'allow')),
    ...split(stringArgs(given, 'split')),
  }),
  optionOf: (field: string): string | undefined => {
    if (field.startsWith('payment_method_allowed')) return '--allow';
    return field.startsWith('split_payment_config') ? '--split' : undefined;
  },
} as const satisfies InputSpec;

const TENANT_FIELDS = register.body.tenant_data.shape;

const TENANT: readonly Option[] = [
  {
    flag: '--public-client-id',
    value: 'ID',
    description: "Public client id of the tenant (default: the profile's; required)",
    check: checkBy(TENANT_FIELDS.public_client_id),
  },
  {
    flag: '--webhook-url',
    value: 'URL',
    description: "Where the service posts changes of the payment (default: the profile's; required)",
    check: checkBy(TENANT_FIELDS.webhook_url),
  },
];

const tenant = (given: ParsedArgs): Body => ({
  tenant_data: {
    public_client_id: stringArg(given, 'public-client-id'),
    webhook_url: stringArg(given, 'webhook-url'),
  },
});

/** All that `pay register` takes beside the fields themselves. */
export const REGISTER_CUSTOM = {
  sets: ['tenant_data', ...ALLOW_AND_SPLIT.sets],
  options: [...TENANT, ...ALLOW_AND_SPLIT.options],
  bodyFrom: (given: ParsedArgs): Body => ({ ...ALLOW_AND_SPLIT.bodyFrom(given), ...tenant(given) }),
  optionOf: (field: string): string | undefined => {
    if (field === 'tenant_data.public_client_id') return '--public-client-id';
    if (field === 'tenant_data.webhook_url') return '--webhook-url';
    return ALLOW_AND_SPLIT.optionOf(field);
  },
  defaults: PAYMENT_DEFAULTS,
  defaultsOf: ({ public_client_id, webhook_url }: ProfileSettings): Body =>
    public_client_id || webhook_url ? { tenant_data: { public_client_id, webhook_url } } : {},
} as const satisfies InputSpec;
