import type { Endpoint } from '../../contract/define.ts';
import { errorEntry } from '../../contract/errors.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { outcomeOf } from '../../contract/outcomes.ts';
import { EXIT, type ExitCode, FAILURES } from '../../core/failure.ts';
import type { Command } from '../command/command.ts';
import type { Option } from '../command/options.ts';
import { itemOf, variablesOf } from './environment.ts';
import { EXIT_CODES, EXIT_WORDS } from './exit-words.ts';
import { argumentItem, optionItem, usageOf } from './option-item.ts';
import { commands, type Item, items, type Page, section, text } from './page.ts';

/** Options that say where a value comes from instead of saying it. */
const isSource = ({ flag }: Option): boolean => /^--(?:body|.*-(?:file|stdin|keyring))$/.test(flag);

/** Lines that the source breaks within a sentence, put together again: a terminal has a width of its own. */
const sentences = (lines: readonly string[]): readonly string[] =>
  lines
    .join('\n')
    .replaceAll(/(?<![.:!?])\n(?=[a-z-])/g, ' ')
    .split('\n')
    .filter(Boolean);

const globalNote = ({ supportsDryRun, calls = [] }: Command): string => {
  const named = [
    '--json',
    ...(calls.length > 0 ? ['--profile'] : []),
    ...(supportsDryRun ? ['--dry-run', '--curl'] : []),
  ];
  return `${named.join(', ')} and others: bursar --help`;
};

/** A sentence ends with a point. */
const asSentence = (summary: string): string => `${summary}.`;

/** Everything there is to say of a command. */
export const leafPage = (command: Command): Page => {
  const name = `bursar ${command.words.join(' ')}`;
  const shown = command.options ?? [];
  const plain = groupedOptions(
    command.words[0],
    shown.filter((option) => !isSource(option)),
  );
  const calls = endpointsOf(command).map(({ id, method, path }) => {
    // Of a single call there is no doubt whose envelope it is.
    const isNamed = (command.calls ?? []).length > 1 && command.envelopeOf?.includes(id);
    return `${method} ${path}${isNamed ? ' (--envelope prints its answer)' : ''}`;
  });
  return {
    name,
    summary: asSentence(command.summary),
    usage: `${name} ${usageOf(command.arguments ?? [])}`,
    about: sentences(command.about ?? []),
    sections: [
      ...section('Arguments', items((command.arguments ?? []).map(argumentItem))),
      ...plain.flatMap(({ heading, options }) => section(heading, items(options.map(optionItem)))),
      ...section('Where values come from', items(shown.filter(isSource).map(optionItem))),
      ...section(
        'Fields that only --body sets',
        items((command.bodyOnly ?? []).map(({ name: of, says }) => [of, says])),
      ),
      ...section('Global options', ...text(globalNote(command))),
      ...section('Rules', ...text(...(command.rules ?? []))),
      ...section('Calls', ...text(...calls)),
      ...section(
        'Environment',
        items(variablesOf(command).map(itemOf)),
        ...text('Of every command: bursar help environment'),
      ),
      ...section(
        'Exit codes',
        items(exitItems(command)),
        ...text('What each means and what to do: bursar explain CODE'),
      ),
      // Last, for on a terminal the end of a long page is what is seen.
      ...section('Examples', commands(command.examples.map((line) => `bursar ${line}`))),
    ],
  };
};

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
type OptionGroup = { readonly heading: string; readonly options: readonly Option[] };

const matches = (name: string, { flag }: Option): boolean =>
  name.endsWith('-') ? flag.startsWith(`--${name}`) : flag === `--${name}`;

/** Options under headings, where there are many; what no heading names comes first. */
const groupedOptions = (area: string, options: readonly Option[]): readonly OptionGroup[] => {
  const groups = options.length > MAX_IN_ONE_LIST ? Object.entries(OPTION_GROUPS[area] ?? {}) : [];
  const named = groups.map(([heading, names]) => ({
    heading,
    options: names.flatMap((name) => options.filter((option) => matches(name, option))),
  }));
  const grouped = named.flatMap((group) => group.options);
  const rest = { heading: 'Options', options: options.filter((option) => !grouped.includes(option)) };
  return [rest, ...named].filter((group) => group.options.length > 0);
};

/** Every command can end so. */
const ALWAYS: readonly ExitCode[] = [EXIT.done, EXIT.fault, EXIT.usage, EXIT.interrupted];

/** What a call can end with beside its documented errors: there may be no key, no answer, or one that no document shows. */
const ANY_CALL: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.refusedKey]: 'no key',
  [EXIT.unavailable]: 'no answer, or HTTP 5xx',
  [EXIT.notFound]: 'HTTP 404',
  [EXIT.limitReached]: 'HTTP 429',
  [EXIT.rejected]: 'HTTP 4xx',
};

/** The endpoints that a command calls. Throws for an id that no endpoint has. */
const endpointsOf = ({ calls = [] }: Command): readonly Endpoint[] =>
  calls.map((id) => {
    const found = ENDPOINTS.find((endpoint) => endpoint.id === id);
    if (!found) throw new Error(`no endpoint ${id}`);
    return found;
  });

/** Opening a key can end in a question about its address, and the answer be no. */
const opensKey = ({ options = [] }: Command): boolean => options.some(({ flag }) => flag === '--password-file');

const ownCodes = (command: Command): readonly ExitCode[] => [
  ...(command.fails ?? []).map((code) => FAILURES[code]),
  ...(opensKey(command) ? [EXIT.refusedByReview] : []),
  ...endpointsOf(command).flatMap((endpoint) => (outcomeOf(endpoint, {}).movesMoney ? [EXIT.outcomeUnknown] : [])),
];

/** The documented errors behind each exit code of a command. */
const statusesOf = (command: Command, exit: ExitCode): readonly string[] => {
  const all = endpointsOf(command).flatMap(({ errors }) => Object.keys(errors));
  return [...new Set(all)].filter((status) => {
    const code = errorEntry(status)?.code;
    return code !== undefined && FAILURES[code] === exit;
  });
};

/** The exit codes that a command can end with, in order. */
export const exitsOf = (command: Command): readonly ExitCode[] => {
  const own = ownCodes(command);
  const isCaller = endpointsOf(command).length > 0;
  return EXIT_CODES.filter(
    (exit) =>
      ALWAYS.includes(exit) ||
      own.includes(exit) ||
      statusesOf(command, exit).length > 0 ||
      (isCaller && ANY_CALL[exit] !== undefined),
  );
};

/** The exit codes of a command as help lists them, with the errors of the service that lead to each. */
const exitItems = (command: Command): readonly Item[] =>
  exitsOf(command).map((exit) => {
    const statuses = statusesOf(command, exit);
    const because = statuses.length > 0 || ownCodes(command).includes(exit) ? statuses.join(', ') : ANY_CALL[exit];
    return [String(exit), EXIT_WORDS[exit].means + (because ? ` (${because})` : '')];
  });
