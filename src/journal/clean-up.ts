import { join } from 'node:path';
import { removeDeadClaims } from '../io/claim.ts';
import type { Io } from '../io/io.ts';
import { operationIdOf } from './operation-id.ts';
import { journalFolder, pathOf, SUFFIX, turnsFolder } from './places.ts';
import { readOperation } from './read.ts';
import { stateOf } from './state.ts';
import { needsNoInputs } from './terminal.ts';

/** Longer than any process takes between writing a file and giving it its name. */
const MOMENT_MS = 60_000;

const isOld = async (io: Io, path: string): Promise<boolean> => {
  const facts = await io.files.facts(path);
  return facts !== undefined && io.clock.now() - facts.modifiedAt > MOMENT_MS;
};

/** Whether a movement needs nothing beside its entries: nothing of it is sent again, or it never came to its first. */
const needsNothing = async (io: Io, id: string): Promise<'useless' | 'empty' | undefined> => {
  const recorded = await readOperation(io, id);
  if (recorded === undefined) return 'empty';
  return needsNoInputs(stateOf(recorded)) ? 'useless' : undefined;
};

const isClaimed = async (io: Io, id: string): Promise<boolean> =>
  (await io.files.list(journalFolder(io))).some((name) => name.startsWith(`${id}${SUFFIX}.`));

/** The movements that have more than their entries in the folder, and nobody at work on them. */
const cleanUpOperation = async (io: Io, id: string, names: readonly string[]): Promise<void> => {
  const found = await needsNothing(io, id).catch(() => undefined);
  // A process claims a movement before it writes anything of it: looked for last, nobody is overlooked.
  if (found === undefined || (await isClaimed(io, id))) return;
  for (const name of names) await io.files.remove(join(journalFolder(io), name));
  if (found === 'empty') await io.files.remove(pathOf(io, id));
};

/**
 * Takes away what killed processes left in the journal's folder and nobody needs: claims, inputs of what is over, files
 * that never got their name, a movement of half a line. Where that fails it is left for the next time.
 */
export const cleanUpJournal = async (io: Io): Promise<void> => {
  const folder = journalFolder(io);
  try {
    await removeDeadClaims(io, folder);
    await removeDeadClaims(io, turnsFolder(io));
    const names = (await io.files.list(folder)).filter((name) => !name.endsWith(SUFFIX));
    for (const id of new Set(names.flatMap((name) => operationIdOf(name) ?? []))) {
      await cleanUpOperation(
        io,
        id,
        names.filter((name) => name.startsWith(`${id}.inputs`)),
      );
    }
    for (const name of (await io.files.list(folder)).filter((each) => each.endsWith('.tmp'))) {
      if (await isOld(io, join(folder, name))) await io.files.remove(join(folder, name));
    }
  } catch {
    // Nothing depends on it.
  }
};
