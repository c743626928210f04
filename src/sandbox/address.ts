import { createHmac, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { parseJson, printJson } from '../core/json.ts';
import { nextStep } from '../core/next.ts';
import { WIRE_SANDBOX_ADDRESS } from '../core/wire-names.ts';
import type { Io } from '../io/io.ts';
import type { SandboxRandom } from './random.ts';

const PORT = z.int().min(0).max(65_535);
const KEY = z.string().min(1);

const address = z.object({
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/),
  api_key: KEY,
  control_key: KEY,
  pid: z.int().positive(),
});

const identity = z.object({ api_key: KEY, control_key: KEY, port: PORT });

/** The address of a running sandbox, its keys and its process. */
export type Address = z.infer<typeof address>;

/** The values that shell completion offers for a running sandbox. The address file holds them beside the address. */
export type CompletionData = {
  readonly chains: readonly { readonly name: string; readonly enabled: boolean }[];
  readonly providers: readonly string[];
};

/** The keys and the last port, which are stored over restarts. Port 0 means that no port was used yet. */
export type Identity = z.infer<typeof identity>;

const addressPath = (io: Io) => join(io.places.sandbox, WIRE_SANDBOX_ADDRESS);
const identityPath = (io: Io) => join(io.places.sandbox, 'identity.json');

/** Reads a file of this home; `undefined` without one. Throws `bad_settings` with the path for a damaged file. */
const readAs = async <T>(io: Io, path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
  const bytes = await io.files.read(path);
  if (!bytes) return undefined;
  try {
    return schema.parse(parseJson(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new Failure('bad_settings', `${path} is damaged`, {
      hint: 'The sandbox writes it: it holds its address and keys. Remove the file and start the sandbox again.',
      next: nextStep('file.remove', path),
      cause,
    });
  }
};

/** The address that the last sandbox of this home wrote. That sandbox may have ended. */
export const readAddress = (io: Io): Promise<Address | undefined> => readAs(io, addressPath(io), address);

/** Writes the address file of a sandbox that answers. Only the owner may read the file. */
export const writeAddress = (io: Io, value: Address, completion?: CompletionData): Promise<void> =>
  io.files.replacePrivate(addressPath(io), `${printJson({ ...value, ...completion }, 2)}\n`);

/** Removes the address of a sandbox that has ended. */
export const removeAddress = (io: Io): Promise<void> => io.files.remove(addressPath(io));

/** Writes the identity file. Only the owner may read it. */
export const writeIdentity = (io: Io, value: Identity): Promise<void> =>
  io.files.replacePrivate(identityPath(io), `${printJson(value, 2)}\n`);

/** A random key of 192 bits; its prefix names its use. */
export const newKey = ({ random }: { readonly random: SandboxRandom }, prefix: string): string =>
  `${prefix}_${Buffer.from(random.bytes(24)).toString('base64url')}`;

/** The keys and the port of this home's sandbox. The first call creates and stores the keys. */
export const openIdentity = async (io: Io): Promise<Identity> => {
  const stored = await readAs(io, identityPath(io), identity);
  if (stored) return stored;
  const fresh = { api_key: newKey(io, 'sandbox'), control_key: newKey(io, 'control'), port: 0 };
  await writeIdentity(io, fresh);
  return fresh;
};

/** The path of this home's ledger. SQLite writes two files beside it, `-wal` and `-shm`. */
export const ledgerPath = (io: Io): string => join(io.places.sandbox, 'ledger.db');

/** The folder of the chains' state. */
export const chainsFolder = (io: Io): string => join(io.places.sandbox, 'chains');

/** Deletes the state of a sandbox that does not run; keys and port stay. */
export const removeState = async (io: Io): Promise<void> => {
  for (const suffix of ['', '-wal', '-shm']) await io.files.remove(ledgerPath(io) + suffix);
  await io.files.removeFolder(chainsFolder(io));
};

/** 22 characters hold 132 bits, and the link still fits on one line of a terminal. */
const KEY_LENGTH = 22;

/** A link allows either to read the whole dashboard, or to act on it too. */
type Use = 'dashboard' | 'acting';

/** The key of a link for one use. It derives from the control key and does not reveal it. */
const keyFrom = (controlKey: string, use: Use): string =>
  createHmac('sha256', controlKey).update(use).digest('base64url').slice(0, KEY_LENGTH);

type LinkParts = Pick<Address, 'url' | 'control_key'>;

/** The dashboard's address for the user who started the sandbox. It allows only reading. */
export const dashboardLink = ({ url, control_key }: LinkParts): string =>
  `${url}/?key=${keyFrom(control_key, 'dashboard')}`;

/** The cookie of a reader: the key of the dashboard's link. */
export const readingCookie = (controlKey: string): string => keyFrom(controlKey, 'dashboard');

/** The address where the user who started the sandbox can also act. It allows some calls of the control. */
export const actingLink = ({ url, control_key }: LinkParts): string => `${url}/?act=${keyFrom(control_key, 'acting')}`;

/** Whether a text is the key of a link for this use. Compares in constant time. */
export const isLinkKey = (key: string, use: Use, controlKey: string): boolean => {
  const [a, b] = [Buffer.from(key), Buffer.from(keyFrom(controlKey, use))];
  return a.length === b.length && timingSafeEqual(a, b);
};
