import { ENDPOINTS } from '../../../contract/index.ts';
import { EXIT_WORDS } from '../../help/exit-words.ts';
import { commands, items, type Page, section, text } from '../../help/page.ts';
import type { AnsweredBy, Explanation, StatusExplanation } from './explanation.ts';

const httpOf = (http: number | null): string => (http === null ? 'HTTP not shown' : `HTTP ${http}`);

/** The calls that return a status, as one line if every call returns it with the same HTTP code. */
const callItems = (all: readonly AnsweredBy[]) =>
  all.length < ENDPOINTS.length || new Set(all.map(({ http }) => http)).size > 1
    ? items(all.map(({ path, http }) => [path, httpOf(http)]))
    : items([['every call', httpOf(all[0]?.http ?? null)]]);

/** The page of a state or a success. */
export const statusPage = ({ code, kind, means, money, hint, answered_by = [] }: StatusExplanation): Page => ({
  name: code,
  summary: `${code}: ${means}`,
  about: [],
  sections: [
    ...section('Type', ...text(kind)),
    ...section('Has money moved', ...text(money)),
    ...section('What to do', ...text(hint)),
    ...section('Returned by', callItems(answered_by)),
  ],
});

/** `sandbox fault` prepares an error for a later call. */
const faultNote = ({ sandbox: [line = ''] = [], answered_by: [by] = [] }: Explanation) =>
  by && line.startsWith('bursar sandbox fault ') ? text(`Then the next ${by.path} returns this error.`) : [];

/** The page of an exit code or an error. */
export const explanationPage = (one: Explanation): Page => {
  const { code, kind, exit, means, money, hint, answered_by = [], sandbox = [], statuses = [], errors = [] } = one;
  const isExit = kind === 'exit code';
  return {
    name: code,
    summary: `${code}: ${means}`,
    about: [],
    sections: [
      ...section('Exit code', ...(isExit ? [] : text(`${exit}, ${EXIT_WORDS[exit].means}`))),
      ...section('Has money moved', ...text(money)),
      ...section('What to do', ...text(hint)),
      ...section('Returned by', callItems(answered_by)),
      ...section('Errors of the service', ...(statuses.length > 0 ? text(statuses.join(', ')) : [])),
      ...section('Errors of bursar', ...(errors.length > 0 ? text(errors.join(', ')) : [])),
      ...section('To reproduce it in the sandbox', commands(sandbox), ...faultNote(one)),
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
  about: [],
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
