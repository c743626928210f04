import { join } from 'node:path';
import type { Failure } from '../core/failure.ts';
import { isFailure } from '../core/failure.ts';
import { isJsonObject } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import type { OperationState } from './operation-state.ts';
import { listOperations, readOperation } from './read.ts';
import { stateOf } from './state.ts';
import { isTerminal } from './terminal.ts';

/** What is done about a movement that cannot be read; throws where nothing may go on. */
export type OnDamage = (damage: Failure) => void | Promise<void>;

const readState = async (io: Io, id: string, onDamage: OnDamage | undefined): Promise<OperationState | undefined> => {
  try {
    const recorded = await readOperation(io, id);
    return recorded && stateOf(recorded);
  } catch (error) {
    if (!onDamage || !isFailure(error, 'journal_damaged')) throw error;
    await onDamage(error);
    return undefined;
  }
};

const AT_ONCE = 32;

const inGroups = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) => ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

/**
 * What every movement comes to, the newest first. Those that are over come without their bytes: the unsigned and the
 * signed ones. Throws `journal_damaged`, unless `onDamage` does something else about it.
 */
export const allStates = async function* (io: Io, onDamage?: OnDamage): AsyncGenerator<OperationState> {
  // In this order: who claims a movement later finds it as it is read here, or refuses it as over.
  const { ids, claimed } = await listOperations(io);
  const known = await readIndex(io);
  const found: OperationState[] = [];
  const isNew = ({ id }: OperationState): boolean => !known.has(id) && !claimed.has(id);
  try {
    for (const group of inGroups(ids)) {
      const states = await Promise.all(group.map(async (id) => known.get(id) ?? (await readState(io, id, onDamage))));
      const there = states.filter((state) => state !== undefined);
      found.push(...there.filter((state) => isNew(state) && isTerminal(state)));
      yield* there;
    }
  } finally {
    await addToIndex(io, found);
  }
};

/**
 * What movements that are over came to, a line each, so that nobody has to read ten thousand files for it. A cache:
 * what it does not have is read from its file, and it can be deleted at any time. It holds no signed bytes. It cannot
 * grow old: a movement that is over is never taken up again, and one that a process has at hand is not added.
 */
const indexPath = (io: Io): string => join(io.places.cache, 'journal-index');

type Indexed = { readonly v: number; readonly state: OperationState };

/** Another shape of the states, or another meaning of `isOver`, needs another number. */
const VERSION = 5;

const lineOf = (entry: Indexed): string => `${JSON.stringify(entry)}\n`;

/** A line says all or nothing: one that is torn, or of another version, is as if it were not there. */
const isIndexed = (line: unknown): line is Indexed => {
  if (!isJsonObject(line) || line['v'] !== VERSION || !isJsonObject(line['state'])) return false;
  const { id, begun, signed } = line['state'];
  return typeof id === 'string' && isJsonObject(begun) && Array.isArray(signed);
};

/** Everything in it is text or a small number, so plain JSON loses nothing. */
const readLine = (text: string): OperationState | undefined => {
  try {
    const line: unknown = JSON.parse(text);
    return isIndexed(line) ? line.state : undefined;
  } catch {
    return undefined;
  }
};

/** The movements that are over, by their id, as far as the index knows them. */
const readIndex = async (io: Io): Promise<ReadonlyMap<string, OperationState>> => {
  const bytes = await io.files.read(indexPath(io)).catch(() => undefined);
  const known = new Map<string, OperationState>();
  for (const text of new TextDecoder().decode(bytes ?? new Uint8Array()).split('\n')) {
    const state = readLine(text);
    if (state) known.set(state.id, state);
  }
  return known;
};

const withoutBytes = (state: OperationState): OperationState => ({
  ...state,
  crypto_tx: undefined,
  pix: undefined,
  built: undefined,
  signed: state.signed.map((part) => ({ ...part, signed_transaction: '' })),
});

/** Adds movements that are over. Where that fails they are read from their files again. */
const addToIndex = async (io: Io, states: readonly OperationState[]): Promise<void> => {
  if (states.length === 0) return;
  const lines = states.map((state) => lineOf({ v: VERSION, state: withoutBytes(state) }));
  // It begins with a line end: what a crash left half written ends there.
  await io.files.appendDurably(indexPath(io), `\n${lines.join('')}`).catch(() => undefined);
};
