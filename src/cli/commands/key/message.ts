import { Failure, isFailure } from '../../../core/failure.ts';
import { isNamed, readNamed } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import { type Given, type Option, textOf } from '../../options.ts';

export const MESSAGE_OPTION: Option = {
  flag: '--message',
  value: 'TEXT',
  says: 'The text, as it is, line ends included: itself, @FILE, or - for stdin (required)',
};

/** What a file or a pipe has is the text, to the last byte. */
export const MESSAGE_ABOUT =
  'Of a file or of stdin every byte is the text, also a line end at its end: printf %s writes none, echo and most editors do.';

/** Whether there is a text, for the one who names all that is missing: an empty one is one too. */
export const givenMessage = (given: Given): string | undefined =>
  textOf(given, 'message') === undefined ? undefined : 'given';

/** The text itself. Throws `unreadable_file`. */
export const messageFrom = async ({ io }: Cli, given: Given): Promise<string> => {
  const text = textOf(given, 'message') ?? '';
  if (!isNamed(text)) return text;
  try {
    return await readNamed(io, text, { isExact: true });
  } catch (error) {
    if (!isFailure(error, 'unreadable_file') || text === '-') throw error;
    throw new Failure(error.code, error.message, {
      ...error.details,
      hint: 'A text that begins with @ is given by stdin: --message -',
      cause: error,
    });
  }
};
