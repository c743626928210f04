import { undefinedOn } from './failure.ts';
import { parseJson, printJson } from './json.ts';
import { type Redaction, redact } from './secret.ts';

/** The maximum length of a body that is shown. Longer bodies are cut. */
const LONGEST = 4000;
/** A larger body is not read at all. */
export const LARGEST_SHOWN = 256 * 1024;

/** A body as JSON; `undefined` for no body and for invalid JSON. */
export const jsonOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : undefinedOn(() => parseJson(text));

/** A body for diagnostic output: its JSON redacted and cut, or the length of a body that is none. */
export const redactedBody = (text: string, redaction: Redaction): string => {
  if (text.length > LARGEST_SHOWN) return `(${text.length} characters)`;
  const json = jsonOf(text);
  if (json === undefined) return `(${text.length} characters, not JSON)`;
  const shown = printJson(redact(json, redaction));
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
};
