/** Quotes a text for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A word of a command line that is told to be run: quoted unless it cannot be anything but one word. */
export const shellWord = (text: string): string => (/^[\w./:@][\w./:@-]*$/.test(text) ? text : shellQuote(text));
