import { isUnicodeLocale } from '../../core/ascii.ts';
import { escapeLines, escapeText } from '../../core/escape.ts';
import { EXIT, type ExitCode } from '../../core/exit-codes.ts';
import { FAILURES, Failure, isFailure, messageOf } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { commandLine } from '../../core/next.ts';
import { inSentence, withoutMarks } from '../../core/remote-text.ts';
import { isSwitchedOn } from '../../core/switched-on.ts';
import { wrap } from '../../core/wrap.ts';
import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';
import type { CommandLine } from '../argv/command-line.ts';

const asFailure = (error: unknown): Failure =>
  isFailure(error)
    ? error
    : new Failure('internal', `a fault in bursar: ${inSentence(messageOf(error))}`, {
        cause: error,
        hint: 'This should not happen, whatever the input. Please report it with the command that you ran.',
      });

/** What came with a status and an HTTP code is what the service says. */
const isOfService = ({ status, http }: Failure['details']): boolean => status !== undefined && http !== undefined;

const headline = ({ sentence, details }: Failure): string => {
  // What is missing stands below, a line each.
  if (details.isOnlyMissing) return 'missing:';
  const { status, http } = details;
  const from = status ? `${inSentence(status)}${http ? ` (HTTP ${http})` : ''}: ` : '';
  return escapeText(from + sentence);
};

/** What the message does not have yet. */
const unsaid = ({ details: { errors = [], namesErrors } }: Failure) => (namesErrors ? [] : errors);

/** Sentences are wrapped for a terminal; a next step stays whole, to be copied. */
const asText = (failure: Failure, paint: ReturnType<typeof palette>, { columns, unicode }: Screen): string => {
  const { hint, next, requestId } = failure.details;
  const ofService = (text: string) => (isOfService(failure.details) ? inSentence(withoutMarks(text)) : text);
  const lines = [
    wrap(`error: ${headline(failure)}`, columns, '  ', unicode).replace('error:', paint.red('error:')),
    ...unsaid(failure).map(({ option, field, message, says }) =>
      wrap(
        escapeText(`  ${option ?? ofService(field)}: ${ofService(message)}${says ? ` (${says})` : ''}`),
        columns,
        '    ',
        unicode,
      ),
    ),
    ...(hint && hint !== failure.message
      ? [wrap(`hint: ${escapeText(hint)}`, columns, '  ', unicode).replace('hint:', paint.dim('hint:'))]
      : []),
    ...(requestId
      ? [
          wrap(`request: ${escapeText(inSentence(requestId))}`, columns, '  ', unicode).replace(
            'request:',
            paint.dim('request:'),
          ),
        ]
      : []),
    ...(next ? [`${paint.dim('next:')} ${escapeText(commandLine(next))}`] : []),
  ];
  return `${lines.join('\n')}\n`;
};

type Screen = { readonly columns: number; readonly unicode: boolean };

/** A pipe or a log has no width. */
const screenOf = ({ env, stderr: { isTerminal, columns } }: Io): Screen => ({
  columns: isTerminal ? columns : Number.MAX_SAFE_INTEGER,
  unicode: isUnicodeLocale(env),
});

const asDocument = ({ code, message, details }: Failure): unknown => {
  const { status, http, requestId: request_id, data, hint, next } = details;
  const errors = details.errors?.map(({ field, message: says, option }) => ({ field, message: says, option }));
  return { error: { code, status, http, request_id, message, errors, data, hint, next: next && commandLine(next) } };
};

/** Whether a failure is a document on stdout, also where the rest of the line could not be parsed. */
const failsAsJson = ({ has }: CommandLine): boolean => has('--json') || has('--envelope');

/** A private key that was given in a wrong place must not get from there into a log. */
const withoutKeys = async ({ env }: Io, { argv }: CommandLine, failure: Failure): Promise<Failure> => {
  if (FAILURES[failure.code] !== EXIT.usage) return failure;
  const { hidingGiven, hidingKeys } = await import('./hide-keys.ts');
  return hidingKeys(failure, hidingGiven(argv, env));
};

/**
 * Turns whatever ended a command into text and an exit code: the only place that does. With --json the
 * failure is the one document on stdout; otherwise it is a few lines on stderr. A stack shows with --debug alone.
 */
export const reportFailure = async (io: Io, line: CommandLine, error: unknown): Promise<ExitCode> => {
  const failure = await withoutKeys(io, line, asFailure(error));
  const exit = FAILURES[failure.code];
  const wantsJson = failsAsJson(line);
  const document = `${printJson(asDocument(failure), 2)}\n`;
  // A full disk behind stdout must not hide what happened.
  if (wantsJson && failure.details.isAnswered) return exit;
  if (wantsJson) await io.stdout.write(document).catch(() => io.stderr.write(document).catch(() => undefined));
  else if (exit !== EXIT.interrupted || failure.details.hint || failure.message !== 'interrupted') {
    const colour = wantsColour(io.env, io.stderr, line.has('--no-color'));
    await io.stderr.write(asText(failure, palette(colour), screenOf(io)));
  }
  const isDebug = line.has('--debug') || isSwitchedOn(io.env['BURSAR_DEBUG']);
  if (isDebug && failure.code === 'internal') await io.stderr.write(`${escapeLines(String((error as Error).stack))}\n`);
  return exit;
};
