import { items, type Page, section, text } from '../../help/page.ts';
import type { Explanation } from './explanation.ts';

const HEADINGS = {
  'exit code': 'Exit codes',
  'error of the service': 'Errors of the service',
  'error of bursar': 'Errors of bursar',
} as const satisfies Record<Explanation['kind'], string>;

const message = ({ kind, exit, means }: Explanation): string =>
  kind === 'exit code' ? means : `${means} (exit ${exit})`;

const sectionOf = (kind: Explanation['kind'], all: readonly Explanation[]) =>
  section(HEADINGS[kind], items(all.filter((one) => one.kind === kind).map((one) => [one.code, message(one)])));

/** Every code in a line or two, as a person reads it. */
export const listPage = (all: readonly Explanation[]): Page => ({
  name: 'explain',
  summary: 'What each exit code and each error means.',
  about: [],
  sections: [
    ...sectionOf('exit code', all),
    ...sectionOf('error of the service', all),
    ...sectionOf('error of bursar', all),
    ...section(
      'More',
      ...text('Whether money has moved, and what to do: bursar explain CODE'),
      ...text(
        'States, and what a call answers when it worked: bursar explain in_doubt, bursar explain payment_received',
      ),
    ),
  ],
});
