import type { Io } from '../io/io.ts';

/** Operation ids, newest first, and those that a process may be working on. */
export type Contents = { readonly ids: readonly string[]; readonly claimed: ReadonlySet<string> };

/** The index entry of an ended operation: its id and its keys, each between spaces. */
export type IndexEntry = { readonly id: string; readonly keys: string };

/** Whether a list of keys contains a key. */
export const hasKey = (keys: string, key: string): boolean => keys.includes(` ${key} `);

/** A claimable subject: an operation, an intent or idempotency key, or a wallet. */
export type Subject = { readonly of: 'operation' | 'intent' | 'wallet'; readonly name: string };

/** The start time (UTC), then milliseconds and a random part in hex. */
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}/;

/** Whether a text is an operation id. Only such texts become part of a path. */
export const isOperationId = (text: string): boolean => ID.exec(text)?.[0] === text;

/** The operation id of a file in the journal folder; `undefined` for other files. */
export const operationIdOf = (fileName: string): string | undefined => {
  const [id] = ID.exec(fileName) ?? [];
  return id !== undefined && fileName[id.length] === '.' ? id : undefined;
};

/** A time in the form that ids start with: earlier operations sort below it. */
export const idTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');

/** A new, unique operation id. Ids sort by time. */
export const newOperationId = (io: Io): string => {
  const now = io.clock.now();
  const milliseconds = (now % 1000).toString(16).padStart(3, '0');
  return `${idTime(now)}-${milliseconds}${Buffer.from(io.random.bytes(3)).toString('hex').slice(0, 5)}`;
};
