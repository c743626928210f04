import { join } from 'node:path';
import { suggestionFor } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isWritableByOthers } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';
import { hasProfile, NO_PROFILES, namesOf, type Profile, type Profiles } from './profile.ts';

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
  const { withLock } = await import('../../keystore/lock.ts');
  const path = pathOf(io);
  return withLock(io, path, async () => {
    const before = await readProfiles(io);
    const after = await change(before);
    await io.settings.write(path, { version: VERSION, ...after });
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
export const noSuchProfile = (all: Profiles, name: string): Failure =>
  new Failure('bad_settings', `there is no profile "${name}"`, {
    hint: suggestionFor(name, namesOf(all)),
    next: nextStep('profile.list'),
  });

/** Finds a profile by its name. Throws `bad_settings` for an unknown name. */
export const findProfile = (all: Profiles, name: string): Profile => {
  if (hasProfile(all, name)) return all.profiles[name] ?? {};
  throw noSuchProfile(all, name);
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
      hint: 'The folder contains keys and settings. Nothing was read or sent.',
      next: nextStep('file.private', '700', folder),
    });
  }
};
