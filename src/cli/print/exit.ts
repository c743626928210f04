import { EXIT, type ExitCode, FAILURES, Failure, isFailure, messageOf } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { commandLine } from '../../core/next.ts';
import { isSwitchedOn, wrap } from '../../core/screen.ts';
import { escapeLines, escapeText, inSentence, isUnicodeLocale, withoutMarks } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';
import type { CommandLine } from '../argv/command-line.ts';

const asFailure = (error: unknown): Failure =>
  isFailure(error)
    ? error
    : new Failure('internal', `a fault in bursar: ${inSentence(messageOf(error))}`, {
        cause: error,
        hint: 'This is a defect, whatever the input was. Please report it with the command that you ran.',
      });

/** Whether the texts of a failure come from the service: it has a status and an HTTP code. */
const isFromService = ({ status, http }: Failure['details']): boolean => status !== undefined && http !== undefined;

const headline = ({ sentence, details }: Failure): string => {
  // The missing values follow below, a line each.
  if (details.isOnlyMissing) return 'missing:';
  const { status, http } = details;
  const from = status ? `${inSentence(status)}${http ? ` (HTTP ${http})` : ''}: ` : '';
  return escapeText(from + sentence);
};

/** The errors to print below the headline: none if the message already contains them. */
const remainingErrors = ({ details: { errors = [], namesErrors } }: Failure) => (namesErrors ? [] : errors);

/** The text of a failure. Sentences are wrapped for a terminal; the next command stays one line, to be copied. */
const asText = (failure: Failure, paint: ReturnType<typeof palette>, { columns, unicode }: Screen): string => {
  const { hint, next, requestId } = failure.details;
  const ofService = (text: string) => (isFromService(failure.details) ? inSentence(withoutMarks(text)) : text);
  const labelled = (label: string, colour: (text: string) => string, text: string) =>
    wrap(`${label} ${text}`, columns, '  ', unicode).replace(label, colour(label));
  const lines = [
    labelled('error:', paint.red, headline(failure)),
    ...remainingErrors(failure).map(({ option, field, message, explanation }) => {
      const why = `${ofService(message)}${explanation ? ` (${explanation})` : ''}`;
      return wrap(escapeText(`  ${option ?? ofService(field)}: ${why}`), columns, '    ', unicode);
    }),
    ...(hint && hint !== failure.message ? [labelled('hint:', paint.dim, escapeText(hint))] : []),
    ...(requestId ? [labelled('request:', paint.dim, escapeText(inSentence(requestId)))] : []),
    ...(next ? [`${paint.dim('next:')} ${escapeText(commandLine(next))}`] : []),
  ];
  return `${lines.join('\n')}\n`;
};

type Screen = { readonly columns: number; readonly unicode: boolean };

/** The width of stderr and its character set. A pipe or a log has no width. */
const screenOf = ({ env, stderr: { isTerminal, columns } }: Io): Screen => ({
  columns: isTerminal ? columns : Number.MAX_SAFE_INTEGER,
  unicode: isUnicodeLocale(env),
});

const asDocument = ({ code, message, details }: Failure): unknown => {
  const { status, http, requestId: request_id, data, hint, next } = details;
  const errors = details.errors?.map(({ field, message, option, by = option }) => ({ field, message, option: by }));
  return { error: { code, status, http, request_id, message, errors, data, hint, next: next && commandLine(next) } };
};

/** Whether a failure is printed as a document on stdout, even if the rest of the line could not be parsed. */
const failsAsJson = ({ has }: CommandLine): boolean => has('--json') || has('--envelope');

/** Whether the output has one document a line. */
const isStream = ({ has }: CommandLine): boolean => has('--watch') || has('--follow');

/** Masks a private key that the user gave in a wrong place, so that it does not end in a log. */
const withHiddenKeys = async ({ env }: Io, { argv }: CommandLine, failure: Failure): Promise<Failure> => {
  if (FAILURES[failure.code] !== EXIT.usage) return failure;
  const { keyMasker, withMaskedKeys } = await import('./hide-keys.ts');
  return withMaskedKeys(failure, keyMasker(argv, env));
};

/**
 * Turns the error that ended a command into text and an exit code; no other code does. With --json the failure is the
 * document on stdout, otherwise a few lines on stderr. The stack of a defect is printed only with --debug.
 */
export const reportFailure = async (io: Io, line: CommandLine, error: unknown): Promise<ExitCode> => {
  const failure = await withHiddenKeys(io, line, asFailure(error));
  const exit = FAILURES[failure.code];
  const wantsJson = failsAsJson(line);
  const document = `${printJson(asDocument(failure), isStream(line) || failure.details.isOfStream ? 0 : 2)}\n`;
  // If stdout fails, for example on a full disk, stderr gets the document.
  if (wantsJson && failure.details.isPrinted) return exit;
  if (wantsJson) await io.stdout.write(document).catch(() => io.stderr.write(document).catch(() => undefined));
  else if (exit !== EXIT.interrupted || failure.details.hint || failure.message !== 'interrupted') {
    const colour = wantsColour(io.env, io.stderr, line.has('--no-color'));
    await io.stderr.write(asText(failure, palette(colour), screenOf(io)));
  }
  const isRead = !wantsJson || !io.stdout.isClosed();
  if (isRead) await failure.details.whenPrinted?.().catch(() => undefined);
  const isDebug = line.has('--debug') || isSwitchedOn(io.env['BURSAR_DEBUG']);
  if (isDebug && failure.code === 'internal') await io.stderr.write(`${escapeLines(String((error as Error).stack))}\n`);
  return exit;
};
