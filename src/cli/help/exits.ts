import type { Endpoint } from '../../contract/define.ts';
import { errorEntry } from '../../contract/errors.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { outcomeOf } from '../../contract/outcomes.ts';
import { EXIT, type ExitCode } from '../../core/exit-codes.ts';
import { FAILURES } from '../../core/failure.ts';
import type { Command } from '../command/command.ts';
import { EXIT_CODES, EXIT_WORDS } from './exit-words.ts';
import type { Item } from './page.ts';

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
export const endpointsOf = ({ calls = [] }: Command): readonly Endpoint[] =>
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
  ...endpointsOf(command).flatMap(({ id }) => (outcomeOf(id, {}).movesMoney ? [EXIT.outcomeUnknown] : [])),
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
export const exitItems = (command: Command): readonly Item[] =>
  exitsOf(command).map((exit) => {
    const statuses = statusesOf(command, exit);
    const because = statuses.length > 0 || ownCodes(command).includes(exit) ? statuses.join(', ') : ANY_CALL[exit];
    return [String(exit), EXIT_WORDS[exit].means + (because ? ` (${because})` : '')];
  });
