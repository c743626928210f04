import { join } from 'node:path';
import { suggestionFor } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { hasProfile, NO_PROFILES, namesOf, type Profile, type Profiles } from './profile.ts';

const VERSION = 1;
const WRITABLE_BY_OTHERS = 0o022;

const pathOf = (io: Io): string => join(io.places.config, 'profiles.json');

/** Whoever can write the profiles decides where the key is sent and what is signed. */
const assertOwn = async (io: Io, path: string): Promise<void> => {
  const facts = await io.files.targetFacts(path);
  if (!facts || (facts.mode & WRITABLE_BY_OTHERS) === 0) return;
  throw new Failure('bad_settings', `${path} can be written by others`, {
    next: nextStep('file.private', '600', path),
  });
};

/** All profiles of this home. Where there is no file nothing is loaded for it. Throws `bad_settings`. */
export const readProfiles = async (io: Io): Promise<Profiles> => {
  const path = pathOf(io);
  const bytes = await io.files.read(path);
  if (!bytes) return NO_PROFILES;
  await assertOwn(io, path);
  const [{ profilesFile }, { settingsFrom }] = await Promise.all([import('./schema.ts'), import('./settings-text.ts')]);
  const { active, profiles } = settingsFrom(path, bytes, profilesFile);
  return { active, profiles };
};

/**
 * Changes the profiles: what another process writes at the same time is kept. `change` gets them as they are and
 * returns them as they shall be. Resolves with both.
 */
export const changeProfiles = async (
  io: Io,
  change: (profiles: Profiles) => Profiles | Promise<Profiles>,
): Promise<{ readonly before: Profiles; readonly after: Profiles }> => {
  const { withLock } = await import('../../keystore/lock.ts');
  const path = pathOf(io);
  return withLock(io, path, async () => {
    const before = await readProfiles(io);
    const after = await change(before);
    await io.settings.write(path, { version: VERSION, ...after });
    return { before, after };
  });
};

/** The profiles with one of them as it shall be. */
export const withProfile = (all: Profiles, name: string, profile: Profile): Profiles => ({
  ...all,
  profiles: { ...all.profiles, [name]: profile },
});

/** The profiles without one of them. What was active may be gone with it. */
export const withoutProfile = ({ active, profiles }: Profiles, name: string): Profiles => ({
  ...(active === name ? {} : { active }),
  profiles: Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name)),
});

/** What is said of a name that no profile has. */
export const noSuchProfile = (all: Profiles, name: string): Failure =>
  new Failure('bad_settings', `there is no profile "${name}"`, {
    hint: suggestionFor(name, namesOf(all)),
    next: nextStep('profile.list'),
  });

/** A profile by its name. Throws `bad_settings` with the names that there are. */
export const findProfile = (all: Profiles, name: string): Profile => {
  if (hasProfile(all, name)) return all.profiles[name] ?? {};
  throw noSuchProfile(all, name);
};
