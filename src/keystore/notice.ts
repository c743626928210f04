import { escapeText } from '../core/escape.ts';
import { fitToStream } from '../core/wrap.ts';
import type { Io } from '../io/io.ts';

/** Says something to a person who is being asked, on stderr. */
export const reply = (io: Io, text: string): Promise<void> =>
  io.stderr.write(`${fitToStream(escapeText(text), io.stderr)}\n`);

/** Says something about keys that the user did not ask for; nothing to who wants it quiet. */
export const notice = async (io: Io, text: string): Promise<void> => (io.isQuiet ? undefined : reply(io, text));
