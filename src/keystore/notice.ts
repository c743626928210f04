import { escapeText } from '../core/escape.ts';
import type { Io } from '../io/io.ts';

/** Says something about keys that the user did not ask for, on stderr. */
export const notice = (io: Io, text: string): Promise<void> => io.stderr.write(`${escapeText(text)}\n`);
