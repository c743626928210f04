import { Failure, messageOf } from '../core/failure.ts';
import { parseJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';

export type Body = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a file the user named; `-` is standard input. Throws `unreadable_file` with the path. */
export const readGiven = async (io: Io, path: string): Promise<string> => {
  const bytes = path === '-' ? await io.stdin.readAll() : await io.files.read(path);
  if (!bytes) throw new Failure('unreadable_file', `${path}: no such file`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure('unreadable_file', `${path}: not UTF-8 text`, { cause: error });
  }
};

/** Reads JSON or YAML from a file; `-` is standard input. Throws `unreadable_file` with path and cause. */
export const readDocument = async (io: Io, path: string): Promise<unknown> => {
  const text = await readGiven(io, path);
  try {
    return /^\s*[[{]/.test(text) ? parseJson(text) : (await import('./yaml.ts')).parseYaml(text);
  } catch (error) {
    const name = path === '-' ? 'standard input' : path;
    throw new Failure('unreadable_file', `${name}: not valid JSON or YAML: ${messageOf(error)}`, { cause: error });
  }
};

/** Reads a body: one object. */
export const readBody = async (io: Io, path: string): Promise<Body> => {
  const body = await readDocument(io, path);
  if (!isObject(body)) throw new Failure('unreadable_file', `${path}: the body must be an object`);
  return body;
};

/** Lays one body over another: objects merge, everything else is replaced; `undefined` replaces nothing. */
export const mergeBodies = (under: Body, over: Body): Body => {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value !== undefined) merged[key] = isObject(below) && isObject(value) ? mergeBodies(below, value) : value;
  }
  return merged;
};
