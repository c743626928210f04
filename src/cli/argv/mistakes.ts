import { allClosest, closest } from '../../core/closest.ts';
import { Failure, type FailureDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { type Argument, fieldOfFlag, type Option } from '../command/options.ts';

/** Without hyphens. */
const SECRETS = ['apikey', 'password', 'privatekey', 'mnemonic'];

const NO_SECRETS =
  'Secrets are never options: other users could read them. For the API key use bursar login (at its prompt, by --api-key-stdin or --api-key-file), BURSAR_API_KEY or BURSAR_API_KEY_FILE; for a password --password-file or --password-stdin.';

/** A wrong command line: exit 2. `next` is the help page for the correct part of the command. */
const mistake = (words: readonly string[], message: string, details: Omit<FailureDetails, 'next'> = {}): Failure =>
  new Failure('usage', message, { ...details, next: nextStep('help', ...words.filter((word) => word !== 'help')) });

const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const meant = closest(word, known);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
};

/** The command line names no command. */
export const noCommand = (): Failure => mistake([], 'no command was given');

/** Words of other tools, with the command of bursar that does the same. */
export const TRADE_WORDS: Readonly<Record<string, string>> = {
  ...{ payment: 'pay', payments: 'pay list', transactions: 'pay list', tx: 'pay list', history: 'pay list' },
  ...{ operations: 'pay list', users: 'kyc status', customers: 'kyc status' },
  ...{ send: 'pay run', transfer: 'pay run', charge: 'pay run', checkout: 'pay run', execute: 'pay execute' },
  ...{ balance: 'sandbox balance', balances: 'sandbox balance', fund: 'sandbox fund', faucet: 'sandbox fund' },
  ...{ keys: 'key list', wallet: 'key list', wallets: 'key list', account: 'whoami', accounts: 'key list' },
  ...{ orders: 'order list', templates: 'order list', profiles: 'profile list', config: 'profile show' },
  ...{ auth: 'login', init: 'login', configure: 'login', status: 'pay status', resume: 'pay resume', sign: 'pay sign' },
  ...{ price: 'quote', prices: 'quote', rate: 'quote', rates: 'quote', convert: 'quote', earn: 'yield' },
  ...{ deposit: 'yield deposit', withdraw: 'yield withdraw', verify: 'kyc start', identity: 'kyc' },
  ...{ start: 'sandbox start', stop: 'sandbox stop', logs: 'sandbox logs', events: 'sandbox events' },
  ...{
    trigger: 'sandbox trigger',
    dashboard: 'sandbox open',
    errors: 'explain',
    docs: 'help',
    man: 'help',
    spec: 'openapi',
    decode: 'review',
  },
};

/** Verbs that mean the same: an area has one of them. */
const SAME_VERBS: readonly (readonly string[])[] = [
  ['delete', 'remove', 'forget', 'erase'],
  ['new', 'create', 'add', 'set', 'register', 'generate'],
  ['show', 'get', 'view', 'describe', 'info'],
  ['update', 'edit', 'change'],
  ['use', 'switch', 'select'],
];

/** The known word that means the same as another one. */
const synonymOf = (word: string, groups: typeof SAME_VERBS, known: readonly string[]): string | undefined => {
  const same = groups.find((each) => each.includes(word)) ?? [];
  return known.find((each) => same.includes(each));
};

/** The verb of an area for a mistyped one, or for one that means the same. */
const verbFor = (word: string, known: readonly string[]): string | undefined => {
  const [whole, ...others] = known.filter((each) => word.length > 2 && each.startsWith(word));
  return (others.length === 0 ? whole : undefined) ?? closest(word, known) ?? synonymOf(word, SAME_VERBS, known);
};

/** The first or second word is not a command. */
export const unknownCommand = (words: readonly string[], word: string, known: readonly string[]): Failure => {
  const message = `unknown command '${word}'`;
  const meant = words.length === 0 && Object.hasOwn(TRADE_WORDS, word) ? TRADE_WORDS[word] : undefined;
  if (meant === undefined) {
    const verb = words.length === 0 ? closest(word, known) : verbFor(word, known);
    return verb === undefined
      ? mistake(words, message)
      : mistake([...words, verb], message, { hint: `Did you mean ${verb}?` });
  }
  return mistake(meant.split(' '), message, { hint: `Did you mean bursar ${meant}?` });
};

/** The command line names a group only. The hint lists the commands of the group. */
export const missingVerb = ({ name }: CommandGroup, commands: readonly Command[]): Failure =>
  mistake([name], `"${name}" is not a whole command`, {
    hint: `Its commands are ${commands.map(({ words }) => words[1]).join(', ')}.`,
  });

/** A switch was given a value, as in `--json=false`. The hint names the opposite switch if there is one. */
export const switchWithValue = (words: readonly string[], flag: string, options: readonly Option[]): Failure => {
  const opposite = options.find((option) => option.flag === `--no-${flag.slice(2)}`);
  const hint = opposite ? `Its opposite is ${opposite.flag}.` : 'Leave it out where it should not apply.';
  return mistake(words, `${flag} takes no value`, { hint });
};

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** Whether one word is the beginning of the other, as "receivers" and "receiver". */
const isAlike = (one: string, other: string): boolean =>
  other.startsWith(one) || (other.length > 3 && one.startsWith(other));

/** What a description is about: its first word, without the article. */
const beginningOf = (description: string): string => /^(?:(?:A|An|The) )?\S+/.exec(description)?.[0] ?? '';

/** Option words that mean the same. */
const SAME_OPTIONS: readonly (readonly string[])[] = [
  ['refuse', 'decline', 'reject', 'deny'],
  ['approve', 'accept', 'confirm'],
];

/** Words of options with a typing mistake, as the options have them. */
const corrected = (typed: string, options: readonly Option[]): string => {
  const known = options.flatMap(({ flag, description }) => wordsIn(`${flag} ${beginningOf(description)}`));
  return synonymOf(typed, SAME_OPTIONS, known) ?? closest(typed, known) ?? typed;
};

/** Few enough to name in a sentence. */
const MAX_NAMED = 3;

/** The options with the words of an unknown one: in their name, or else at the beginning of their description. */
const withWordsOf = (flag: string, options: readonly Option[]): readonly string[] => {
  const typed = wordsIn(flag);
  const hasAll = (text: string): boolean => typed.every((word) => wordsIn(text).some((other) => isAlike(word, other)));
  const named = options.filter((option) => hasAll(option.flag));
  const found = named.length > 0 ? named : options.filter(({ description }) => hasAll(beginningOf(description)));
  return typed.length > 0 && found.length <= MAX_NAMED ? found.map((option) => option.flag) : [];
};

/** The option does not exist. The message omits the text after it, which may be a secret. */
export const unknownOption = (words: readonly string[], flag: string, options: readonly Option[]): Failure => {
  const flags = options.map((option) => option.flag);
  const completions =
    flag.length > 3 ? flags.filter((each) => each.startsWith(flag) || flag.startsWith(`${each}-`)) : [];
  const near = allClosest(flag, flags).slice(0, 1);
  const respelled = `--${wordsIn(flag)
    .map((word) => corrected(word, options))
    .join('-')}`;
  const found = [completions, near, withWordsOf(flag, options), withWordsOf(respelled, options)];
  const meant = found.find((each) => each.length > 0);
  const hint = meant && `Did you mean ${meant.join(' or ')}?`;
  const named = flag.startsWith('--') ? flag : flag.slice(0, 2);
  return mistake(words, `unknown option '${named}'`, {
    hint: SECRETS.includes(flag.replaceAll('-', '')) ? NO_SECRETS : hint,
  });
};

/** A value below zero, which would be read as an option. */
export const negative = (words: readonly string[], { name, belowZero }: Argument): Failure =>
  mistake(words, `${name} cannot be negative`, { hint: belowZero });

/** An option without its value, at the end of the line or before another option. */
export const missingValue = (words: readonly string[], { flag, value = '' }: Option): Failure =>
  mistake(words, `${flag} needs a value: ${flag} ${value}`, {
    hint: `A value that begins with a hyphen follows an equals sign: ${flag}=${value}.`,
  });

/** An option was given twice. Silently using the last value could change an amount. */
export const givenTwice = (words: readonly string[], { flag }: Option): Failure =>
  mistake(words, `${flag} is given twice; it takes one value`);

/** The value of an option is invalid. The error has the same shape as for any wrong field. */
export const wrongValue = ({ words }: Command, { flag }: Option, message: string, hint?: string): Failure =>
  mistake(words, 'nothing was sent: an option has an invalid value', {
    errors: [{ field: fieldOfFlag(flag), option: flag, message }],
    hint,
  });

/** The value is not one of the choices; it may be the name of a switch. */
export const wrongChoice = (command: Command, option: Option, typed: string): Failure => {
  const { choices = [] } = option;
  const isSwitch = command.options?.some(({ flag, value }) => flag === `--${typed}` && value === undefined);
  const hint = isSwitch ? `Did you mean --${typed}?` : didYouMean(typed, choices);
  return wrongValue(command, option, `"${typed}" is none of ${choices.join(', ')}`, hint);
};

const isPlainWord = (word: string): boolean => /^[a-z]{1,12}$/.test(word);

/** Whether extra words may be printed. They may be secrets, so commands that read passwords never print them. */
const mayNameWords = ({ words: [area], options = [] }: Command, rest: readonly string[]): boolean =>
  !['key', 'login'].includes(area) &&
  !options.some(({ flag }) => /password|stdin|token/.test(flag)) &&
  rest.every(isPlainWord);

/** How to set an option that takes no value, if a word looks like its value. */
const switchHint = ({ options = [] }: Command, rest: readonly string[]): string | undefined => {
  if (!rest.some((word) => ['true', 'false'].includes(word))) return undefined;
  const flags: readonly string[] = options.map(({ flag }) => flag);
  const pairs = flags.flatMap((flag) => {
    const off = `--no-${flag.slice(2)}`;
    return flags.includes(off) ? [`${flag} or ${off}`] : [];
  });
  return `An option that is on or off takes no value${pairs.length > 0 ? `: give ${pairs.join(', ')}` : ''}.`;
};

/** More words than the command has arguments. */
export const tooMany = (command: Command, rest: readonly string[]): Failure => {
  const expected = command.arguments?.length ?? 0;
  const takes = expected === 0 ? 'no argument' : expected === 1 ? 'one argument' : `${expected} arguments`;
  const named = mayNameWords(command, rest) ? `, and there is also "${rest.join('", "')}"` : '';
  const message = `too many arguments: bursar ${command.words.join(' ')} takes ${takes}${named}`;
  return mistake(command.words, message, { hint: switchHint(command, rest) });
};
