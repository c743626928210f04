import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isOpenToOthers } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Marks a sealed text, with the version of its form. */
const SEALED = 'sealed1.';

/** The key of a journal: what it hashes and seals has a meaning only for the homes that have the key. */
export type JournalKey = {
  /** The id of the journal. */
  readonly id: string;
  /** Proves the key: the database keeps it. */
  readonly check: string;
  /** HMAC-SHA256 under a key for this purpose, as hex. */
  readonly mac: (purpose: string, text: string) => string;
  /** Encrypts a text with AES-256-GCM. Only the same `context` opens it. */
  readonly seal: (context: string, text: string) => string;
  /** Throws `journal_damaged` for a text that was not sealed in this context. */
  readonly open: (context: string, sealed: string) => string;
};

/** Whether a text is a sealed one. */
export const isSealed = (text: unknown): text is string => typeof text === 'string' && text.startsWith(SEALED);

/** Compares two texts in constant time. */
export const isSameMac = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** `undefined` for bytes that were not sealed with this key in this context. */
const openBytes = (key: Buffer, context: string, all: Buffer): string | undefined => {
  if (all.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, all.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(all.subarray(-TAG_BYTES));
  try {
    return decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
};

/** Makes the key of a journal from its 32 random bytes. Each purpose has a key of its own (HKDF-SHA256, RFC 5869). */
export const journalKey = (random: Io['random'], id: string, bytes: Uint8Array): JournalKey => {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    const found =
      keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', bytes, id, `bursar, journal, ${purpose}`, KEY_BYTES));
    keys.set(purpose, found);
    return found;
  };
  const mac = (purpose: string, text: string): string =>
    createHmac('sha256', keyFor(`mac ${purpose}`))
      .update(text)
      .digest('hex');
  return {
    id,
    check: mac('check', id),
    mac,
    seal: (context, text) => {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${SEALED}${sealed.toString('base64url')}`;
    },
    open: (context, sealed) => {
      if (isSealed(sealed)) {
        const all = Buffer.from(sealed.slice(SEALED.length), 'base64url');
        const text = openBytes(keyFor('seal'), context, all);
        if (text !== undefined) return text;
      }
      throw new Failure('journal_damaged', `${context}: the sealed text was changed, or is of another journal`, {
        hint: 'Somebody changed the database, or restored a part of it. Nothing is sent while it cannot be read.',
      });
    },
  };
};

/** The failure of a home without the key of a journal. The hint says what it cannot do. */
export const noKeyOf = (id: string, hint: string): Failure =>
  new Failure('bad_settings', `this home has no key of the journal ${id}`, { hint, next: nextStep('journal.join') });

/** The file of a journal's key in this home. */
export const keyPath = (io: Io, id: string): string => join(io.places.state, 'journal-keys', `${id}.key`);

const WORD = 'bursar-journal';

/** The line that carries the key to another home. */
export const keyLine = (id: string, bytes: Uint8Array): string => `${WORD} ${id} ${Buffer.from(bytes).toString('hex')}`;

/** Reads the line of a key. Throws `invalid_input` without its content. */
export const readKeyLine = (text: string): { readonly id: string; readonly bytes: Uint8Array } => {
  const [word, id = '', hex = '', ...more] = text.trim().split(/\s+/);
  if (word === WORD && /^[0-9a-z]{12}$/.test(id) && /^[0-9a-f]{64}$/.test(hex) && more.length === 0)
    return { id, bytes: Buffer.from(hex, 'hex') };
  throw new Failure('invalid_input', 'this is not the key of a journal', {
    errors: [
      {
        field: 'key',
        message: `must be the line of a key file: "${WORD}", an id, and 64 hex digits`,
        option: '--key-stdin',
      },
    ],
    hint: 'Nothing was changed. journal init has printed the path of the file.',
  });
};

/**
 * The key of a journal, if this home has it. Throws `journal_damaged` for a damaged file, and `bad_settings` for one that others
 * can read.
 */
export const readJournalKey = async (io: Io, id: string): Promise<JournalKey | undefined> => {
  const path = keyPath(io, id);
  const [bytes, facts] = [await io.files.read(path), await io.files.facts(path)];
  if (bytes === undefined) return undefined;
  if (facts && isOpenToOthers(facts))
    throw new Failure('bad_settings', `${path}: the key of the journal can be read by other users`, {
      hint: 'Who has read it can read the journal, and start operations in it. Nothing was sent.',
      next: nextStep('file.private', '600', path),
    });
  try {
    const read = readKeyLine(new TextDecoder().decode(bytes));
    if (read.id === id) return journalKey(io.random, id, read.bytes);
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
  throw new Failure('journal_damaged', `${path}: the file is damaged`, {
    hint: 'It is the key of the journal. Nothing was sent. Restore it from a backup, or bring it from another home with journal join.',
  });
};
