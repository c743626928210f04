import { ENDPOINTS } from '../../../contract/index.ts';
import { EXIT_WORDS } from '../../help/exit-words.ts';
import { commands, items, type Page, section, text } from '../../help/page.ts';
import type { AnsweredBy, Explanation } from './explanation.ts';
import type { WordExplained } from './word.ts';

const httpOf = (http: number | null): string => (http === null ? 'HTTP not shown' : `HTTP ${http}`);

/** Which calls answer it; what every call does is told in a line. */
const answerers = (all: readonly AnsweredBy[]) =>
  all.length < ENDPOINTS.length || new Set(all.map(({ http }) => http)).size > 1
    ? items(all.map(({ path, http }) => [path, httpOf(http)]))
    : items([['every call', httpOf(all[0]?.http ?? null)]]);

/** A state as text. */
export const wordPage = ({ code, kind, means, money, hint, answered_by = [] }: WordExplained): Page => ({
  name: code,
  summary: `${code}: ${means}`,
  about: [],
  sections: [
    ...section('What it is', ...text(kind)),
    ...section('Has money moved', ...text(money)),
    ...section('What to do', ...text(hint)),
    ...section('Answered by', answerers(answered_by)),
  ],
});

/** A fault waits for the call that it is for. */
const faultNote = ({ sandbox: [line = ''] = [], answered_by: [by] = [] }: Explanation) =>
  by && line.startsWith('bursar sandbox fault ') ? text(`Then the next ${by.path} is answered so.`) : [];

/** An explanation as text. */
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
      ...section('Answered by', answerers(answered_by)),
      ...section('Errors of the service', ...(statuses.length > 0 ? text(statuses.join(', ')) : [])),
      ...section('Errors of bursar', ...(errors.length > 0 ? text(errors.join(', ')) : [])),
      ...section('In the sandbox', commands(sandbox), ...faultNote(one)),
    ],
  };
};
