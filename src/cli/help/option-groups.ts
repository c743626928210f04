import type { Option } from '../command/options.ts';

type Groups = Readonly<Record<string, readonly string[]>>;

const SIGNING = [
  'key',
  'rpc-url',
  'allow-blind',
  'allow-program',
  'allow-recipient',
  'fee-at-most',
  'sign',
  'broadcast',
  'intent',
];

/** How the options of an area's longer commands are listed, and in which order; a last hyphen stands for all such. */
const OPTION_GROUPS: Readonly<Record<string, Groups>> = {
  pay: {
    'What is paid, and to whom': [
      ...['amount-from', 'from-currency-symbol', 'to-currency-symbol', 'to-chain', 'split', 'allow'],
      'transaction-type',
    ],
    'The tenant, and what kind of payment': [
      ...['public-client-id', 'webhook-url', 'order-code', 'executor-id', 'gateway-method', 'on-ramp', 'no-on-ramp'],
    ],
    'Who pays': ['payer-email', 'payer-wallet', 'payer-token-symbol', 'chain-name', 'payer-cpf'],
    'By card': [
      ...['card-token', 'session-id', 'payer-ip', 'payer-name', 'payer-document', 'payer-document-type'],
      ...['statement-descriptor', 'address-', 'phone-'],
    ],
    'Signing and sending': [...SIGNING, 'no-wait', 'new-api-key'],
  },
  yield: { 'Signing and sending': SIGNING },
};

/** As many as are found at a glance. */
const MAX_IN_ONE_LIST = 10;

/** Options under one heading. */
export type OptionGroup = { readonly heading: string; readonly options: readonly Option[] };

const matches = (name: string, { flag }: Option): boolean =>
  name.endsWith('-') ? flag.startsWith(`--${name}`) : flag === `--${name}`;

/** Options under headings, where there are many; what no heading names comes first. */
export const groupedOptions = (area: string, options: readonly Option[]): readonly OptionGroup[] => {
  const groups = options.length > MAX_IN_ONE_LIST ? Object.entries(OPTION_GROUPS[area] ?? {}) : [];
  const named = groups.map(([heading, names]) => ({
    heading,
    options: names.flatMap((name) => options.filter((option) => matches(name, option))),
  }));
  const grouped = named.flatMap((group) => group.options);
  const rest = { heading: 'Options', options: options.filter((option) => !grouped.includes(option)) };
  return [rest, ...named].filter((group) => group.options.length > 0);
};
