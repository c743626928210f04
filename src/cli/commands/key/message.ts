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
  description: 'The text itself, or @FILE; every byte counts',
});

/** Help on --message: files and pipes are read to the last byte. */
export const MESSAGE_ABOUT =
  'With @FILE or -, every byte is part of the text, a final line end too. echo and most editors add one; printf %s does not.';

/** A value for `required`, which takes an empty text for a missing one. */
export const givenMessage = (given: ParsedArgs): string | undefined =>
  stringArg(given, 'message') === undefined ? undefined : 'given';

/** An empty file or pipe is an error of an earlier step; an empty option is a choice. */
const assertNotEmpty = (text: string, source: string): string => {
  if (text !== '') return text;
  throw new Failure('unreadable_file', `--message ${source}: it is empty`, { hint: "For an empty text: --message ''" });
};

const readFrom = async (io: Io, source: string): Promise<string> => {
  try {
    return await readNamed(io, source, { isExact: true });
  } catch (error) {
    if (!isFailure(error, 'unreadable_file') || source === '-') throw error;
    throw new Failure(error.code, error.sentence, {
      ...error.details,
      hint: 'To give a text that starts with @, use stdin: --message -',
      cause: error,
    });
  }
};

/** The text of --message. Throws `unreadable_file`. */
export const readMessage = async ({ io }: CommandContext, given: ParsedArgs): Promise<string> => {
  const text = stringArg(given, 'message') ?? '';
  return isNamed(text) ? assertNotEmpty(await readFrom(io, text), text) : text;
};
