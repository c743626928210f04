import { escapeText } from '../core/escape.ts';
import { fitted } from '../core/wrap.ts';
import type { Io } from '../io/io.ts';

/** Says something about keys that the user did not ask for, on stderr. */
export const notice = (io: Io, text: string): Promise<void> =>
  io.stderr.write(`${fitted(escapeText(text), io.stderr)}\n`);
