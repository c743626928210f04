import { resolve } from 'node:path';
import type { Input } from '../../client/call.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';

/** The largest input file, in bytes. Standard input has the same limit. */
const MAX_BYTES = 4 * 1024 * 1024;

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** `isExact` keeps a byte order mark, because the exact text is signed. */
type Reading = { readonly isExact?: boolean };

/** Reads a file that the user named; `-` is standard input. Throws `unreadable_file` with the path. */
export const readGiven = async (io: Io, path: string, { isExact = false }: Reading = {}): Promise<string> => {
  const facts = path === '-' ? undefined : await io.files.targetFacts(path);
  if (path !== '-' && !facts) throw new Failure('unreadable_file', `${path}: no such file`);
  if (facts?.isFolder) throw new Failure('unreadable_file', `${path}: it is a folder`);
  const bytes =
    (path === '-' ? await io.stdin.readAll() : await io.files.readUserFile(path, MAX_BYTES)) ?? new Uint8Array();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: isExact }).decode(bytes);
  } catch (error) {
    throw new Failure('unreadable_file', `${nameOf(path)}: not UTF-8 text`, { cause: error });
  }
};

/** Whether an option value names its source: @FILE, or - for standard input. */
export const isNamed = (value: string): boolean => /^(?:@|-$)/.test(value);

/** Reads the text from @FILE or -. Throws `unreadable_file`. */
export const readNamed = (io: Io, value: string, reading?: Reading): Promise<string> =>
  readGiven(io, value.replace(/^@/, ''), reading);

/** Replaces the character position in a JSON parser message with line and column. */
const byLine = (complaint: string, text: string): string =>
  complaint.replace(/at position (\d+)/, (_, position) => {
    const before = text.slice(0, Number(position)).split('\n');
    return `at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  });

/** Creates a file that the user named, and returns its whole path. Throws `file_exists`. */
export const createGiven = async (io: Io, name: string, text: string): Promise<string> => {
  const path = resolve(io.cwd, name);
  if (await io.files.createNew(path, text)) return path;
  throw new Failure('file_exists', `${path} exists and is not overwritten`, { hint: 'Choose another file name.' });
};

/** Parses JSON or YAML. Throws `unreadable_file` with path and cause. */
export const documentOf = async (text: string, path: string): Promise<unknown> => {
  try {
    return /^\s*[[{]/.test(text) ? parseJson(text) : (await import('./yaml.ts')).parseYaml(text);
  } catch (error) {
    throw new Failure('unreadable_file', `${nameOf(path)}: not valid JSON or YAML: ${byLine(messageOf(error), text)}`, {
      cause: error,
    });
  }
};

/** Reads JSON or YAML from a file; `-` is standard input. Throws `unreadable_file` with path and cause. */
export const readDocument = async (io: Io, path: string): Promise<unknown> =>
  documentOf(await readGiven(io, path), path);

/** Reads a request body: one JSON or YAML object. */
export const readBody = async (io: Io, path: string): Promise<Input> => {
  const body = await readDocument(io, path);
  if (!isJsonObject(body)) throw new Failure('unreadable_file', `${nameOf(path)}: the body must be an object`);
  return body;
};

/** Merges two bodies: objects merge, other values of `over` replace. `undefined` replaces nothing. */
export const mergeBodies = (under: Input, over: Input): Input => {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value !== undefined)
      merged[key] = isJsonObject(below) && isJsonObject(value) ? mergeBodies(below, value) : value;
  }
  return merged;
};
