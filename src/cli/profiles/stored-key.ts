import { join } from 'node:path';
import { Failure, isFailure, messageOf } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isOpenToOthers, type Secret, secret } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';
import type { StoredKey } from './profile.ts';

/** bursar's service name in the keyring. */
const SERVICE = 'bursar';

/** The keyring account. Its slash keeps it apart from signing keys, whose names have none. */
const accountOf = ({ id }: StoredKey): string => `api-key/${id}`;

const pathOf = (io: Io, { id }: StoredKey): string => join(io.places.config, 'api-keys', `${id}.json`);

/** Stores a key with its origin, so that an edited profile cannot send the key elsewhere. */
const printed = (baseUrl: string, key: Secret): string =>
  printJson({ origin: new URL(baseUrl).origin, api_key: key.reveal() });

const parsed = (text: string, profile: string, baseUrl: string): Secret => {
  const value = parseJson(text);
  const { origin, api_key: key } = isJsonObject(value) ? value : {};
  if (typeof key !== 'string' || typeof origin !== 'string') throw new Failure('bad_settings', 'the entry is damaged');
  if (origin === new URL(baseUrl).origin) return secret(key);
  throw new Failure('bad_settings', `it is for ${origin}, but the profile names ${baseUrl}`, {
    next: nextStep('login.profile', profile),
  });
};

const readFile = async (io: Io, path: string): Promise<string> => {
  const facts = await io.files.targetFacts(path);
  if (facts && isOpenToOthers(facts)) {
    throw new Failure('bad_settings', `${path} can be read by other users`, {
      next: nextStep('file.private', '600', path),
    });
  }
  const bytes = await io.files.read(path);
  if (!bytes) throw new Failure('bad_settings', `${path} does not exist`);
  return new TextDecoder().decode(bytes);
};

/** Reads an entry of the keyring. It is base64, because some keyring tools do not accept quotes. */
const readKeyring = async (io: Io, key: StoredKey): Promise<string> => {
  const bytes = await io.keyring.lookup(SERVICE, accountOf(key));
  return Buffer.from(new TextDecoder().decode(bytes).trim(), 'base64').toString('utf8');
};

/** Reads the stored key of a profile for its own host. Throws `bad_settings` with the login command if that fails. */
export const readStoredKey = async (io: Io, profile: string, stored: StoredKey, baseUrl: string): Promise<Secret> => {
  try {
    const text = stored.in === 'file' ? await readFile(io, pathOf(io, stored)) : await readKeyring(io, stored);
    return parsed(text, profile, baseUrl);
  } catch (error) {
    if (isFailure(error, 'interrupted')) throw error;
    // The message of any other error may repeat the key.
    const why = isFailure(error) && error.code !== 'invalid_input' ? messageOf(error) : 'the entry is damaged';
    const { hint = 'Or set BURSAR_API_KEY or BURSAR_API_KEY_FILE.', next } = isFailure(error) ? error.details : {};
    throw new Failure('bad_settings', `the API key of the profile "${profile}" cannot be read: ${why}`, {
      hint,
      next: next?.id === 'file.private' ? next : nextStep('login.profile', profile),
    });
  }
};

/** Stores a key under a new random id, so that no other profile, home or tenant uses it. */
export const storeKey = async (io: Io, where: StoredKey['in'], baseUrl: string, key: Secret): Promise<StoredKey> => {
  const stored: StoredKey = { in: where, id: Buffer.from(io.random.bytes(8)).toString('hex') };
  const text = printed(baseUrl, key);
  if (where === 'keyring') {
    await io.keyring.store(SERVICE, accountOf(stored), Buffer.from(text).toString('base64'));
    return stored;
  }
  const path = pathOf(io, stored);
  await io.files.makePrivateFolder(join(io.places.config, 'api-keys'));
  if (await io.files.createPrivate(path, `${text}\n`)) return stored;
  throw new Failure('file_exists', `${path} already exists`);
};

/** Removes a stored key. Throws `unreadable_file` if the keyring is not available. */
export const removeStoredKey = (io: Io, stored: StoredKey): Promise<void> =>
  stored.in === 'file' ? io.files.remove(pathOf(io, stored)) : io.keyring.clear(SERVICE, accountOf(stored));
