import type { Endpoint, ErrorHttp } from '../../../contract/define.ts';
import { ERRORS, type ErrorStatus, errorEntry } from '../../../contract/errors.ts';
import { ENDPOINTS } from '../../../contract/index.ts';
import type { ExitCode } from '../../../core/exit-codes.ts';
import { FAILURES, type FailureCode } from '../../../core/failure.ts';
import { EXIT_CODES, EXIT_WORDS } from '../../help/exit-words.ts';
import { FAILURE_WORDS } from './failure-words.ts';
import { MONEY, PROVOKED } from './status-words.ts';

/** Where an error comes from, and with which HTTP code; `null` where the service's document shows none. */
export type AnsweredBy = { readonly endpoint: Endpoint['id']; readonly path: string; readonly http: ErrorHttp };

export type Explanation = {
  readonly code: string;
  readonly kind: 'error of the service' | 'error of bursar' | 'exit code';
  readonly exit: ExitCode;
  readonly means: string;
  /** Whether money may have moved. */
  readonly money: string;
  readonly hint: string;
  /** Of an error of the service. */
  readonly answered_by?: readonly AnsweredBy[];
  /** Command lines that lead to it in the sandbox. */
  readonly sandbox?: readonly string[];
  /** What stands behind an exit code or an error of bursar: errors of the service, and bursar's own. */
  readonly statuses?: readonly string[];
  readonly errors?: readonly string[];
};

const STATUSES = Object.keys(ERRORS) as readonly ErrorStatus[];
const CODES = Object.keys(FAILURES) as readonly FailureCode[];

/** Whether a failure is bursar's own word, and not one of the service as well. */
const isOwn = (code: FailureCode): code is keyof typeof FAILURE_WORDS => Object.hasOwn(FAILURE_WORDS, code);

const answeredBy = (status: ErrorStatus): readonly AnsweredBy[] =>
  ENDPOINTS.flatMap(({ id, method, path, errors }) => {
    const http = (errors as Readonly<Record<string, ErrorHttp | undefined>>)[status];
    return http === undefined ? [] : [{ endpoint: id, path: `${method} ${path}`, http }];
  });

const provoked = (status: ErrorStatus): readonly string[] => {
  const [first] = answeredBy(status);
  return PROVOKED[status] ?? (first ? [`bursar sandbox fault ${first.endpoint} ${status}`] : []);
};

const ofStatus = (status: ErrorStatus): Explanation => {
  const { code, meaning, advice: hint } = ERRORS[status];
  const exit = FAILURES[code];
  return {
    code: status,
    kind: 'error of the service',
    exit,
    means: meaning,
    money: MONEY[status] ?? EXIT_WORDS[exit].money,
    hint,
    answered_by: answeredBy(status),
    sandbox: provoked(status),
  };
};

const ofFailure = (code: keyof typeof FAILURE_WORDS): Explanation => ({
  code,
  kind: 'error of bursar',
  exit: FAILURES[code],
  means: FAILURE_WORDS[code].means,
  money: EXIT_WORDS[FAILURES[code]].money,
  hint: FAILURE_WORDS[code].hint,
  statuses: STATUSES.filter((status) => errorEntry(status)?.code === code),
});

const ofExit = (exit: ExitCode): Explanation => ({
  code: String(exit),
  kind: 'exit code',
  exit,
  means: EXIT_WORDS[exit].means,
  money: EXIT_WORDS[exit].money,
  hint: EXIT_WORDS[exit].hint,
  statuses: STATUSES.filter((status) => FAILURES[ERRORS[status].code] === exit),
  errors: CODES.filter((code) => FAILURES[code] === exit && isOwn(code)),
});

/** Every code that can be explained: exit codes, the errors of the service, those of bursar. */
export const explanations = (): readonly Explanation[] => [
  ...EXIT_CODES.map(ofExit),
  ...STATUSES.map(ofStatus),
  ...CODES.filter(isOwn).map(ofFailure),
];
