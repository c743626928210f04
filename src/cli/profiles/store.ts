import { join } from 'node:path';
import { suggestionFor } from '../../core/closest.ts';
import { Failure, isFailure, messageOf } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../core/json.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { isOpenToOthers, isWritableByOthers, type Secret, secret } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';
import { hasProfile, NO_PROFILES, namesOf, type Profile, type Profiles, type StoredKey } from './profile.ts';

const VERSION = 1;

const pathOf = (io: Io): string => join(io.places.config, 'profiles.json');

/** Refuses a file that other users can write: it decides where the API key is sent and what is signed. */
const assertOwn = async (io: Io, path: string): Promise<void> => {
  const facts = await io.files.targetFacts(path);
  if (!facts || !isWritableByOthers(facts)) return;
  throw new Failure('bad_settings', `other users can write to ${path}`, {
    next: nextStep('file.private', '600', path),
  });
};

/** Reads the profiles of this home. Without a file no schema is loaded. Throws `bad_settings`. */
export const readProfiles = async (io: Io): Promise<Profiles> => {
  const path = pathOf(io);
  const bytes = await io.files.read(path);
  if (!bytes) return NO_PROFILES;
  await assertOwn(io, path);
  const [{ profilesFile }, { settingsFrom }] = await Promise.all([import('./schema.ts'), import('./edit.ts')]);
  const { active, profiles } = settingsFrom(path, bytes, profilesFile);
  return { active, profiles };
};

/**
 * Changes the profiles under a lock, so that no change of another process is lost. `change` returns the new profiles from
 * the current ones. Resolves with both.
 */
export const changeProfiles = async (io: Io, change: (profiles: Profiles) => Profiles | Promise<Profiles>) => {
  const { orUnwritable, withLock } = await import('../../keystore/lock.ts');
  const path = pathOf(io);
  return withLock(io, path, async () => {
    const before = await readProfiles(io);
    const after = await change(before);
    await orUnwritable(path, io.settings.write(path, { version: VERSION, ...after }));
    return { before, after };
  });
};

/** Adds or replaces a profile. */
export const withProfile = (all: Profiles, name: string, profile: Profile): Profiles => ({
  ...all,
  profiles: { ...all.profiles, [name]: profile },
});

/** Removes a profile. If it was active, no profile is active afterwards. */
export const withoutProfile = ({ active, profiles }: Profiles, name: string): Profiles => ({
  ...(active === name ? {} : { active }),
  profiles: Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name)),
});

/** The failure for an unknown profile. */
export const noSuchProfile = (all: Profiles, name: string, next = nextStep('profile.list')): Failure =>
  new Failure('bad_settings', `there is no profile "${name}"`, {
    hint: suggestionFor(name, namesOf(all)),
    next,
  });

/** Finds a profile by its name. Throws `bad_settings` for an unknown name. */
export const findProfile = (all: Profiles, name: string, next?: NextStep): Profile => {
  if (hasProfile(all, name)) return all.profiles[name] ?? {};
  throw noSuchProfile(all, name, next);
};

/**
 * Throws `bad_settings` if other users can write to bursar's folders, where they could place keys, settings and policies.
 * Windows has no file modes.
 */
export const assertPrivateHome = async ({ files, machine, places: { config, state } }: Io): Promise<void> => {
  if (machine.system === 'win32') return;
  for (const folder of new Set([config, state])) {
    const facts = await files.targetFacts(folder);
    if (facts === undefined || !isWritableByOthers(facts)) continue;
    const mode = (facts.mode & 0o777).toString(8).padStart(4, '0');
    throw new Failure('bad_settings', `other users can write to ${folder} (mode ${mode})`, {
      hint: 'The folder contains keys and settings, which others could replace.',
      next: nextStep('file.private', '700', folder),
    });
  }
};

/** bursar's service name in the keyring. */
const SERVICE = 'bursar';

/** The keyring account. Its slash keeps it apart from signing keys, whose names have none. */
const accountOf = ({ id }: StoredKey): string => `api-key/${id}`;

const keyFileOf = (io: Io, { id }: StoredKey): string => join(io.places.config, 'api-keys', `${id}.json`);

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

const readKeyFile = async (io: Io, path: string): Promise<string> => {
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
    const text = stored.in === 'file' ? await readKeyFile(io, keyFileOf(io, stored)) : await readKeyring(io, stored);
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
  const path = keyFileOf(io, stored);
  await io.files.makePrivateFolder(join(io.places.config, 'api-keys'));
  if (await io.files.createPrivate(path, `${text}\n`)) return stored;
  throw new Failure('file_exists', `${path} already exists`);
};

/** Removes a stored key. Throws `unreadable_file` if the keyring is not available. */
export const removeStoredKey = (io: Io, stored: StoredKey): Promise<void> =>
  stored.in === 'file' ? io.files.remove(keyFileOf(io, stored)) : io.keyring.clear(SERVICE, accountOf(stored));
