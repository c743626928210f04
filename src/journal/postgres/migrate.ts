import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { type Claim, removeDeadClaims } from '../../io/files/claim.ts';
import type { Io, JournalName } from '../../io/io.ts';
import { type JournalSummary, newSummary } from '../check.ts';
import { hasKey, keysIn } from '../file-index.ts';
import { folderStore, journalFolder } from '../file-store.ts';
import { indexedOf } from '../indexed.ts';
import { MOVED_NOTHING } from '../keys.ts';
import { dropMove, readMove, writeMove } from '../moved.ts';
import { CLAIM_PATIENCE_MS } from '../open-store.ts';
import { stateOf } from '../reduce.ts';
import type { Store, Subject } from '../store.ts';
import { operationFrom } from '../wire.ts';
import type { JournalKey } from './journal-key.ts';
import { type OwnJournal, openOwn } from './open.ts';
import { newEntryId } from './postgres-store.ts';
import { hashKeys, PAYER_SECRET, sealHead, sealLine, timeIn } from './sealed.ts';
import { IMPORT, IMPORT_ENTRY, KEEP_PAYER_SECRET, RELEASE_IMPORT } from './statements.ts';

/** What a move has copied, and where it is now. */
export type MovedJournal = JournalSummary & { readonly journal: string; readonly where: string };

const PAUSE = 'Nothing has moved. Wait until that process ends, then run the command again.';

/** Claims a subject. Throws `not_final` while another process has it. */
const claimOne = async (store: Store, subject: Subject, claims: Claim[]): Promise<void> => {
  const claiming = await store.claim(subject, CLAIM_PATIENCE_MS);
  if ('claim' in claiming) claims.push(claiming.claim);
  else
    throw new Failure('not_final', `another process works in the journal: ${subject.of} ${subject.name}`, {
      hint: `${claiming.holder.advice} ${PAUSE}`,
    });
};

/**
 * Claims every operation, so that no process adds to one, and returns their ids, oldest first. An operation that another
 * process has claimed may have no file yet. The mark is there, so that later claims are refused.
 */
const claimAll = async (store: Store, claims: Claim[]): Promise<readonly string[]> => {
  const known = new Set<string>();
  for (;;) {
    const { ids, claimed } = await store.list();
    const added = [...new Set([...ids, ...claimed])].filter((id) => !known.has(id));
    if (added.length === 0) return ids.toReversed();
    for (const name of added) {
      known.add(name);
      await claimOne(store, { of: 'operation', name }, claims);
    }
  }
};

type Statement = readonly [string, readonly unknown[]];

/** The statements that copy an operation, in one transaction: it is there as a whole or not at all. */
const importOf = (
  random: Io['random'],
  key: JournalKey,
  id: string,
  lines: readonly string[],
  inputs: Uint8Array | undefined,
): readonly Statement[] => {
  const state = stateOf(operationFrom(id, id, { lines, isTorn: false }));
  const { keys, hasEnded, name } = indexedOf(state);
  const entries = lines.map((line, at): Statement => {
    const seq = at + 1;
    const { line: sealed, mac } = sealLine(key, { operation: id, seq, line });
    const time = timeIn(line) ?? state.started_at;
    return [IMPORT_ENTRY, [id, seq, newEntryId(random), time, sealed, mac]];
  });
  const facts = [
    hasEnded,
    hasKey(keys, MOVED_NOTHING),
    sealHead(key, id, { seq: lines.length, hasEnded, keys }),
    state.last_at,
  ];
  const named = name === undefined ? null : key.mac('name', name);
  const sealedInputs = inputs ? key.seal(`inputs ${id}`, new TextDecoder().decode(inputs)) : null;
  const found = [IMPORT, [id, lines.length, ...facts, hashKeys(key, keysIn(keys)), named, sealedInputs]] as const;
  return [found, ...entries, [RELEASE_IMPORT, [id]]];
};

/** Copies each operation that is not there yet, and compares all of them. */
const copy = async (
  io: Io,
  source: Store,
  { sql, key, store }: OwnJournal,
  ids: readonly string[],
): Promise<JournalSummary> => {
  const [read, found] = [newSummary(), newSummary()];
  for (const id of ids) {
    const stored = await source.read(id);
    // A crash may have left an operation without a whole line. It did nothing.
    if (stored === undefined || stored.lines.length === 0) continue;
    read.add(id, stored.lines);
    const known = await store.read(id);
    if (known === undefined)
      await sql.transaction(importOf(io.random, key, id, stored.lines, await source.inputs.read(id)));
    found.add(id, (await store.read(id))?.lines ?? []);
  }
  const [here, there] = [read.result(), found.result()];
  if (here.digest === there.digest && here.operations === there.operations) return here;
  throw new Failure('journal_damaged', 'the copy differs from the folder: nothing was moved', {
    hint: `The folder has ${here.entries} entries, and the database ${there.entries}. The folder is unchanged, and its file .moved-to names this move.`,
  });
};

/**
 * Moves the operations of the folder to a journal in a database. A killed move can be repeated. At the end the folder is
 * marked, and no command uses it any more. Throws `not_final` while another process works in the folder.
 */
export const migrate = async (io: Io, name: JournalName): Promise<MovedJournal> => {
  const source = folderStore(io, true);
  const target = await openOwn(io, name);
  const { id: journal } = target.store;
  const { where } = target;
  const claims: Claim[] = [];
  try {
    // Of two moves at once, one has nothing to undo.
    await claimOne(source, { of: 'intent', name: 'move' }, claims);
    const before = await readMove(io);
    if (before && before.journal !== journal)
      throw new Failure('bad_settings', `the journal of this home moves to ${before.where}, not to ${where}`, {
        hint: 'Nothing was changed.',
        next: nextStep('help', 'journal', 'migrate'),
      });
    if (!before) await writeMove(io, { journal, where, isDone: false });
    // What a killed process left would look like one that works.
    await removeDeadClaims(io, journalFolder(io));
    const ids = await claimAll(source, claims).catch(async (error: unknown) => {
      if (!before) await dropMove(io);
      throw error;
    });
    const secret = await source.secret.read();
    const sealed = secret && target.key.seal(PAYER_SECRET, new TextDecoder().decode(secret));
    if (sealed) await target.sql.query(KEEP_PAYER_SECRET, [sealed]);
    const copied = await copy(io, source, target, ids);
    await target.noteNewest();
    await writeMove(io, { journal, where, isDone: true });
    return { journal, where, ...copied };
  } finally {
    for (const claim of claims) await claim.release();
  }
};
