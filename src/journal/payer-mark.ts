import { createHmac } from 'node:crypto';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './open-store.ts';
import type { Store } from './store.ts';

const SECRET_BYTES = 32;

const readSecret = async (stored: Store['secret']): Promise<string | undefined> => {
  const bytes = await stored.read();
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes).trim();
  if (text.length === 2 * SECRET_BYTES && /^[0-9a-f]+$/.test(text)) return text;
  // A new secret would not match earlier payers, so their payments would look new.
  throw new Failure('journal_damaged', `${stored.where}: the file is damaged`, {
    hint: 'It identifies the payers of earlier payments. Nothing was sent. Restore the file from a backup; or check the payments, then remove the file.',
    next: nextStep('operation.list', 'pay'),
  });
};

/** A random secret of this home, created on first use. Two processes that create one both use the first. */
const homeSecret = async (io: Io): Promise<string> => {
  const { secret: stored } = await storeOf(io);
  const found = await readSecret(stored);
  if (found) return found;
  await stored.create(Buffer.from(io.random.bytes(SECRET_BYTES)).toString('hex'));
  return (await readSecret(stored)) ?? homeSecret(io);
};

/** Makes a keyed hash of a value, which identifies the value without showing it. */
export type Marker = (name: string, value: string) => string;

/** A marker with the secret of the journal. Throws as `payerMark`. */
export const openMarker = async (io: Io): Promise<Marker> => {
  const secret = await homeSecret(io);
  return (name, value) =>
    createHmac('sha256', secret).update(`${name} ${value.toLowerCase()}`).digest('hex').slice(0, 16);
};

/**
 * A keyed hash that identifies a payer in the journal without personal data, for any API key. Throws
 * `journal_unwritable`, and `journal_damaged` if the secret cannot be read.
 */
export const payerMark = async (io: Io, email: string): Promise<string> => (await openMarker(io))('payer', email);
