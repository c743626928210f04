import { isJsonObject } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './open-store.ts';
import type { OperationState } from './operation-state.ts';
import { AT_ONCE, type OnDamage, readStates } from './states.ts';
import { hasEnded } from './status.ts';

/**
 * The states of all operations, newest first, for lists. Ended ones come without transaction bytes. Throws
 * `journal_damaged`, unless `onDamage` handles it.
 */
export const allStates = async function* (io: Io, onDamage?: OnDamage): AsyncGenerator<OperationState> {
  // Read after the claims: a process that claims an operation later reads this state, or finds it ended.
  const { ids, claimed } = await (await storeOf(io)).list();
  const known = await readSummaries(io);
  const found: OperationState[] = [];
  try {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const group = ids.slice(at, at + AT_ONCE);
      const unknown = group.filter((id) => !known.has(id));
      const read = new Map((await readStates(io, unknown, onDamage)).map((state) => [state.id, state]));
      found.push(...[...read.values()].filter((state) => hasEnded(state) && !claimed.has(state.id)));
      yield* group.flatMap((id) => known.get(id) ?? read.get(id) ?? []);
    }
  } finally {
    await addSummaries(io, found);
  }
};

/** Increase this when the shape of states or the meaning of "ended" changes. */
const VERSION = 7;

const isState = (value: unknown): value is OperationState =>
  isJsonObject(value) &&
  typeof value['id'] === 'string' &&
  isJsonObject(value['started']) &&
  Array.isArray(value['signed']);

/** A line that is damaged or of another version is ignored. It has text and small numbers only: plain JSON is exact. */
const readLine = (text: string): OperationState | undefined => {
  try {
    const line: unknown = JSON.parse(text);
    return isJsonObject(line) && line['v'] === VERSION && isState(line['state']) ? line['state'] : undefined;
  } catch {
    return undefined;
  }
};

/** Ended operations by id, as far as the index has them. */
const readSummaries = async (io: Io): Promise<ReadonlyMap<string, OperationState>> => {
  const known = new Map<string, OperationState>();
  for (const text of (await (await storeOf(io)).summaries.read()).split('\n')) {
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

/** Adds ended operations. After an error they are read from their files again. */
const addSummaries = async (io: Io, states: readonly OperationState[]): Promise<void> => {
  if (states.length === 0) return;
  const lines = states.map((state) => `${JSON.stringify({ v: VERSION, state: withoutBytes(state) })}\n`);
  await (await storeOf(io)).summaries.add(lines.join(''));
};
