import { isJsonObject } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './file-store.ts';
import { hasEnded, type OnDamage, readStates } from './look-up.ts';
import type { OperationState } from './operation-state.ts';

const AT_ONCE = 32;

/**
 * What every operation comes to, the newest first, for lists. Those that have ended come without their bytes: the
 * unsigned and the signed ones. Throws `journal_damaged`, unless `onDamage` does something else about it.
 */
export const allStates = async function* (io: Io, onDamage?: OnDamage): AsyncGenerator<OperationState> {
  // In this order: who claims an operation later finds it as it is read here, or refuses it as over.
  const { ids, claimed } = await storeOf(io).list();
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

type Summary = { readonly v: number; readonly state: OperationState };

/** Another shape of the states, or another meaning of "ended", needs another number. */
const VERSION = 6;

/** A line says all or nothing: one that is torn, or of another version, is as if it were not there. */
const isSummary = (line: unknown): line is Summary => {
  if (!isJsonObject(line) || line['v'] !== VERSION || !isJsonObject(line['state'])) return false;
  const { id, started, signed } = line['state'];
  return typeof id === 'string' && isJsonObject(started) && Array.isArray(signed);
};

/** Everything in it is text or a small number, so plain JSON loses nothing. */
const readLine = (text: string): OperationState | undefined => {
  try {
    const line: unknown = JSON.parse(text);
    return isSummary(line) ? line.state : undefined;
  } catch {
    return undefined;
  }
};

/** The operations that have ended, by their id, as far as the index has them. */
const readSummaries = async (io: Io): Promise<ReadonlyMap<string, OperationState>> => {
  const known = new Map<string, OperationState>();
  for (const text of (await storeOf(io).index.summaries()).split('\n')) {
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

/** Adds operations that have ended. Where that fails they are read from their files again. */
const addSummaries = async (io: Io, states: readonly OperationState[]): Promise<void> => {
  if (states.length === 0) return;
  const lines = states.map((state): Summary => ({ v: VERSION, state: withoutBytes(state) }));
  await storeOf(io).index.addSummaries(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};
