import { UNSHOWN_HTTP } from '../../../contract/errors.ts';
import { ENDPOINTS } from '../../../contract/index.ts';
import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { capitalized } from '../../../core/text.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { EXIT_CODES, EXIT_WORDS } from '../../help/exit-words.ts';
import { layOut, lookOf } from '../../help/lay-out.ts';
import { commands, items, type Page, section, text } from '../../help/page.ts';
import { OPERATION_STATES } from '../../operations/area.ts';
import { type AnsweredBy, type Explanation, explanations, type StatusExplanation } from './explanation.ts';
import { stateExplanations, successExplanations, TRADE_CODES } from './status-texts.ts';

const httpOf = (http: number | null): string =>
  http === null ? `HTTP code not documented (sandbox: ${UNSHOWN_HTTP})` : `HTTP ${http}`;

/** The calls that return a status, as one line if every call returns it with the same HTTP code. */
const callItems = (all: readonly AnsweredBy[]) =>
  all.length < ENDPOINTS.length || new Set(all.map(({ http }) => http)).size > 1
    ? items(all.map(({ path, http }) => [path, httpOf(http)]))
    : items([['every call', httpOf(all[0]?.http ?? null)]]);

/** `sandbox fault` prepares an error for a later call. */
const faultNote = ({ sandbox: [line = ''] = [], answered_by: [by] = [] }: Explanation) =>
  by && line.startsWith('bursar sandbox fault ') ? text(`Then the next ${by.path} returns this error.`) : [];

/** The meaning of an error's code that is a state of an operation too. */
const stateSection = (code: string) => {
  const state = Object.entries(OPERATION_STATES).find(([name]) => name === code);
  return state ? section('As a state in pay list or yield list', ...text(`${capitalized(state[1].means)}.`)) : [];
};

/** The sections that only an exit code or an error has. */
const ownSections = (one: Explanation) => {
  const { sandbox = [], statuses = [], errors = [] } = one;
  return [
    ...section('Errors of the service', ...(statuses.length > 0 ? text(statuses.join(', ')) : [])),
    ...section('Errors of bursar', ...(errors.length > 0 ? text(errors.join(', ')) : [])),
    ...section('To reproduce it in the sandbox', commands(sandbox), ...faultNote(one)),
  ];
};

/** The page of an exit code, an error, a state or a success. */
const explanationPage = (one: Explanation | StatusExplanation): Page => {
  const { code, kind, means, money, hint, answered_by = [] } = one;
  const exit = 'exit' in one && kind !== 'exit code' ? text(`${one.exit}, ${EXIT_WORDS[one.exit].means}`) : [];
  return {
    name: code,
    summary: `${code}: ${means}`,
    sections: [
      ...('exit' in one ? section('Exit code', ...exit) : section('Type', ...text(kind))),
      ...section('Has money moved', ...text(money)),
      ...section('What to do', ...text(hint), ...('next' in one && one.next ? [commands([one.next])] : [])),
      ...section('Returned by', callItems(answered_by)),
      ...('exit' in one ? [...stateSection(code), ...ownSections(one)] : []),
    ],
  };
};

const HEADINGS = {
  'exit code': 'Exit codes',
  'error of the service': 'Errors of the service',
  'error of bursar': 'Errors of bursar',
} as const satisfies Record<Explanation['kind'], string>;

const listItem = ({ code, kind, means, exit }: Explanation): readonly [string, string] => [
  code,
  kind === 'exit code' ? means : `${means} (exit ${exit})`,
];

const listSection = (kind: Explanation['kind'], all: readonly Explanation[]) =>
  section(HEADINGS[kind], items(all.filter((one) => one.kind === kind).map(listItem)));

/** The list of all exit codes and errors for a terminal. */
export const listPage = (all: readonly Explanation[]): Page => ({
  name: 'explain',
  summary: 'Exit codes and errors.',
  sections: [
    ...listSection('exit code', all),
    ...listSection('error of the service', all),
    ...listSection('error of bursar', all),
    ...section(
      'More',
      ...text('Details of a code, with what to do: bursar explain CODE'),
      ...text('States and success statuses too, such as bursar explain in_doubt or bursar explain payment_received'),
    ),
  ],
});

const MAX_SUGGESTIONS = 3;

/** Suggests the nearest codes; for a number, the exit codes. */
const hintFor = (typed: string, codes: readonly string[]): string => {
  const exits = `The exit codes are ${EXIT_CODES.join(', ')}.`;
  if (/^[45]\d\d$/.test(typed)) return `${typed} is an HTTP code: give the name of the error instead. ${exits}`;
  if (/^\d+$/.test(typed)) return exits;
  const meant = closest(typed, codes);
  const like = codes.filter((code) => typed.length > 2 && code.includes(typed.toLowerCase())).slice(0, MAX_SUGGESTIONS);
  const named = meant === undefined ? like : [meant];
  return named.length > 0 ? `Did you mean ${named.join(' or ')}?` : 'bursar explain lists all codes.';
};

const find = (typed: string): Explanation | StatusExplanation => {
  const all = [...explanations(), ...stateExplanations(), ...successExplanations()];
  const word = typed.toLowerCase();
  const sought = Object.hasOwn(TRADE_CODES, word) ? TRADE_CODES[word] : word;
  const found = all.find(({ code }) => code === word) ?? all.find(({ code }) => code === sought);
  if (found) return found;
  const codes = all.map(({ code }) => code);
  throw new Failure('usage', `unknown code "${typed}"`, { hint: hintFor(typed, codes), next: nextStep('explain') });
};

const list = async (cli: CommandContext): Promise<void> => {
  const { json, fields } = cli.globals;
  const all = explanations();
  if (cli.io.stdout.isTerminal && !json && !fields)
    return cli.io.stdout.write(layOut(listPage(all), lookOf(cli.io, cli.globals.noColour)));
  const rows = all.map(({ code, kind, exit, means }) => ({ code, kind, exit, means }));
  return cli.printResult(json ? all : rows, rows);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const typed = stringArg(given, 'code');
  if (typed === undefined) return list(cli);
  const found = find(typed);
  if (cli.globals.json || cli.globals.fields) return cli.printResult(found);
  await cli.io.stdout.write(layOut(explanationPage(found), lookOf(cli.io, cli.globals.noColour)));
};

/** `explain`. */
export const explain: Command = {
  words: ['explain'],
  summary: 'Explain an exit code, an error or a state',
  about: [
    'Shows the meaning, whether money may have moved, what to do, and how to reproduce an error in the sandbox.',
    'CODE is an exit code, an error, a state, or any status of a response. Without CODE it lists all exit codes and errors.',
    'Calls no service.',
  ],
  arguments: [
    {
      name: 'CODE',
      description: 'Such as 11, otp_expired or wrong_password',
      isOptional: true,
      completes: async () => explanations().map(({ code }) => code),
    },
  ],
  examples: ['explain', 'explain 11', 'explain payment_received', 'explain kyc_not_approved --json'],
  run,
};
