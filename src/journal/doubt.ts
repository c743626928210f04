import { join } from 'node:path';
import { Failure, messageOf } from '../core/failure.ts';
import { parseJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { journalFolder } from './movement.ts';

/** An entry as it was read: of any version. */
export type Line = Readonly<Record<string, unknown>>;

const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null;

/** The entries of one journal. A torn last line is what a crash leaves; damage before it is not passed over. */
export const readEntries = async (io: Io, path: string): Promise<readonly Line[]> => {
  const bytes = await io.files.read(path);
  const lines = new TextDecoder().decode(bytes ?? new Uint8Array()).split('\n');
  const whole = lines.slice(0, -1).filter((line) => line !== '');
  return whole.map((line, at) => {
    try {
      const entry = parseJson(line);
      if (isLine(entry)) return entry;
      throw new Error('it is no object');
    } catch (error) {
      throw new Failure('journal_unwritable', `${path}: line ${at + 1} is damaged: ${messageOf(error)}`, {
        hint: 'The journal says which payments may have been sent, so nothing is sent while it cannot be read.',
      });
    }
  });
};

/** The hash of an `executing` step whose end is not known to be that nothing happened. */
const inDoubt = (entries: readonly Line[], paymentId: string): string | undefined => {
  let hash: string | undefined;
  for (const { step, payment_id, hash: of, is_unknown } of entries) {
    if (step === 'executing' && payment_id === paymentId) hash = String(of);
    if (step === 'failed' && is_unknown === false) hash = undefined;
  }
  return hash;
};

/** Every journal's entries, the newest first. */
const journals = async function* (io: Io): AsyncGenerator<readonly Line[]> {
  const folder = journalFolder(io);
  for (const name of (await io.files.list(folder)).toReversed()) {
    if (name.endsWith('.ndjson')) yield await readEntries(io, join(folder, name));
  }
};

/**
 * The hash of a transaction that may have been sent, or was, for a payment; `undefined` when there is none. Another
 * transaction for the same payment could pay it twice. Throws `journal_unwritable` for a damaged journal.
 */
export const sentBefore = async (io: Io, paymentId: string): Promise<string | undefined> => {
  for await (const entries of journals(io)) {
    const hash = inDoubt(entries, paymentId);
    if (hash !== undefined) return hash;
  }
  return undefined;
};

/** A signed transaction of the journal. */
export type SignedBefore = { readonly payment_id: string; readonly hash: string; readonly signed_transaction: string };

const signedIn = (entries: readonly Line[], from: string): readonly SignedBefore[] =>
  entries
    .filter(({ step, from: signer }) => step === 'signed' && String(signer).toLowerCase() === from.toLowerCase())
    .map((line) => ({
      payment_id: String(line['payment_id']),
      hash: String(line['hash']),
      signed_transaction: String(line['signed_transaction']),
    }));

/** What an address signed and may have been sent, of all payments. Throws `journal_unwritable` for a damaged journal. */
export const sentFrom = async (io: Io, from: string): Promise<readonly SignedBefore[]> => {
  const found: SignedBefore[] = [];
  for await (const entries of journals(io)) {
    found.push(...signedIn(entries, from).filter(({ payment_id, hash }) => inDoubt(entries, payment_id) === hash));
  }
  return found;
};
