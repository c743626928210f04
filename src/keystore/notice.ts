import { fitToStream } from '../core/screen.ts';
import { escapeText } from '../core/text.ts';
import type { Io } from '../io/io.ts';

/** Prints a line about an answer of the user on stderr. */
export const reply = (io: Io, text: string): Promise<void> =>
  io.stderr.write(`${fitToStream(escapeText(text), io.stderr)}\n`);

/** Prints a notice about keys on stderr, unless the user set --quiet. */
export const notice = async (io: Io, text: string): Promise<void> => (io.isQuiet ? undefined : reply(io, text));
