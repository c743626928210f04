import type { Option } from '../options.ts';

/** So many are read one after the other. */
const MOST_IN_A_LIST = 16;

const card = [
  '--card-token',
  '--payer-name',
  '--payer-document',
  '--payer-document-type',
  '--payer-ip',
  '--session-id',
];

/** How the options of a payment are listed, where there are too many for one list. */
const GROUPS: Readonly<Record<string, (flag: string) => boolean>> = {
  'What is paid, and to whom': (flag) =>
    /^--(?:amount-from|from-currency-symbol|to-currency-symbol|to-chain|split|allow|transaction-type)$/.test(flag),
  'Who pays': (flag) => /^--(?:payer-(?:email|wallet|token-symbol|cpf)|chain-name)$/.test(flag),
  'The tenant, and what kind of payment': (flag) =>
    /^--(?:public-client-id|webhook-url|order-code|executor-id|gateway-method|(?:no-)?on-ramp)$/.test(flag),
  'By card': (flag) => card.includes(flag) || /^--(?:statement-descriptor|address-\w+|phone-\w+)$/.test(flag),
  'Signing and sending': (flag) =>
    /^--(?:key|rpc-url|allow-(?:blind|recipient|program)|intent|no-wait|new-api-key)$/.test(flag),
};

export type OptionGroup = { readonly heading: string; readonly options: readonly Option[] };

/** Options under headings where they are many and most have one; else in one list. */
export const groupedOptions = (options: readonly Option[]): readonly OptionGroup[] => {
  const groups = Object.entries(GROUPS).map(([heading, holds]) => ({
    heading,
    options: options.filter(({ flag }) => holds(flag)),
  }));
  const named = groups.flatMap((group) => group.options);
  if (options.length <= MOST_IN_A_LIST || named.length * 2 < options.length) return [{ heading: 'Options', options }];
  const rest = { heading: 'Options', options: options.filter((option) => !named.includes(option)) };
  return [rest, ...groups].filter((group) => group.options.length > 0);
};
