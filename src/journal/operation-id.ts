import type { Io } from '../io/io.ts';

/** When it was begun (UTC), and its milliseconds with a random part, in hex. */
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}/;

/** Whether a text is an id as bursar makes them: nothing else becomes part of a path. */
export const isOperationId = (text: string): boolean => ID.exec(text)?.[0] === text;

/** The id of the operation that a file in the journal's folder is of; `undefined` where it is of none. */
export const operationIdOf = (fileName: string): string | undefined => {
  const [id] = ID.exec(fileName) ?? [];
  return id !== undefined && fileName[id.length] === '.' ? id : undefined;
};

/** The time as ids begin with it: an id sorts below when its operation was begun before. */
export const idTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');

/** An id that no other operation has. Ids sort by time. */
export const newOperationId = (io: Io): string => {
  const now = io.clock.now();
  const milliseconds = (now % 1000).toString(16).padStart(3, '0');
  return `${idTime(now)}-${milliseconds}${Buffer.from(io.random.bytes(3)).toString('hex').slice(0, 5)}`;
};
