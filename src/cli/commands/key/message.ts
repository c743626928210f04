import { Failure, isFailure } from '../../../core/failure.ts';
import type { Io } from '../../../io/io.ts';
import { isNamed, readNamed } from '../../command/body.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

/** The text that a signature is made of or checked against. */
export const messageOption = (question: string): Option => ({
  question,
  flag: '--message',
  value: 'TEXT',
  isRequired: true,
  readsStdin: true,
  description: 'The text, as it is, line ends included, or @FILE',
});

/** What a file or a pipe has is the text, to the last byte. */
export const MESSAGE_ABOUT =
  'Of a file or of stdin every byte is the text, also a line end at its end: printf %s writes none, echo and most editors do.';

/** Whether there is a text, for the one who names all that is missing: an empty one is one too. */
export const givenMessage = (given: ParsedArgs): string | undefined =>
  stringArg(given, 'message') === undefined ? undefined : 'given';

/** An empty text may be meant where it is typed; a pipe or a file that is empty went wrong before. */
const assertSome = (text: string, source: string): string => {
  if (text !== '') return text;
  throw new Failure('unreadable_file', `--message ${source}: it is empty`, { hint: "Of an empty text: --message ''" });
};

const readMessage = async (io: Io, source: string): Promise<string> => {
  try {
    return await readNamed(io, source, { isExact: true });
  } catch (error) {
    if (!isFailure(error, 'unreadable_file') || source === '-') throw error;
    throw new Failure(error.code, error.sentence, {
      ...error.details,
      hint: 'A text that begins with @ is given by stdin: --message -',
      cause: error,
    });
  }
};

/** The text itself. Throws `unreadable_file`. */
export const messageFrom = async ({ io }: CommandContext, given: ParsedArgs): Promise<string> => {
  const text = stringArg(given, 'message') ?? '';
  return isNamed(text) ? assertSome(await readMessage(io, text), text) : text;
};
