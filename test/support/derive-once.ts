import { createHash } from 'node:crypto';

type Scrypt = (
  password: Uint8Array,
  salt: Uint8Array,
  bytes: number,
  cost: { readonly N: number; readonly r: number; readonly p: number },
  done: (error: Error | null, key: Buffer) => void,
) => void;

/** A derivation with less memory than this, in bytes, is as fast as a look-up. */
const MIN_MEMORY = 2 ** 22;

/** The keys that were derived in this process, by a digest of their inputs. */
const derived = new Map<string, Buffer>();

const digestOf = (password: Uint8Array, salt: Uint8Array, ...numbers: readonly number[]): string => {
  const inputs = [password, salt].map((bytes) => Buffer.from(bytes).toString('hex'));
  return createHash('sha256')
    .update(JSON.stringify([...inputs, ...numbers]))
    .digest('hex');
};

const REMEMBERS = Symbol('remembers derived keys');

const remembering = (scrypt: Scrypt): Scrypt => {
  const derive: Scrypt = (password, salt, bytes, cost, done) => {
    const { N, r, p } = cost;
    if (128 * N * r < MIN_MEMORY) return scrypt(password, salt, bytes, cost, done);
    const digest = digestOf(password, salt, bytes, N, r, p);
    const known = derived.get(digest);
    // The caller overwrites its key, so it gets a copy.
    if (known) return void setImmediate(() => done(null, Buffer.from(known)));
    return scrypt(password, salt, bytes, cost, (error, key) => {
      if (!error) derived.set(digest, Buffer.from(key));
      done(error, key);
    });
  };
  return Object.assign(derive, { [REMEMBERS]: true });
};

/**
 * Lets OpenSSL derive each key once in this process. A derivation takes half a second, and tests unlock the same key many times.
 * The key depends on the inputs alone, so the result is the same. A command that runs as a process derives its keys itself.
 */
export const deriveOnce = (): void => {
  const crypto = process.getBuiltinModule('node:crypto') as unknown as { scrypt: Scrypt };
  if (!(REMEMBERS in crypto.scrypt)) crypto.scrypt = remembering(crypto.scrypt);
};

/** Lets the next derivation of each key take its time again, for a test of that time. */
export const forgetDerived = (): void => derived.clear();
