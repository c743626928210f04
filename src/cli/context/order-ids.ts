import { join } from 'node:path';
import type { Io } from '../../io/io.ts';

/** A tenant has at most 20 orders; users may work with several services. */
const MAX = 100;

const pathOf = (io: Io): string => join(io.places.cache, 'orders');

/** The order ids from earlier answers on this machine, the newest first, for shell completion. */
export const knownOrderIds = async (io: Io): Promise<readonly string[]> => {
  const bytes = await io.files.read(pathOf(io)).catch(() => undefined);
  return new TextDecoder()
    .decode(bytes ?? new Uint8Array())
    .split('\n')
    .filter(Boolean);
};

/** Stores order ids for shell completion. A failure is ignored, because completion is optional. */
export const storeOrderIds = async (io: Io, ids: readonly string[]): Promise<void> => {
  const before = await knownOrderIds(io);
  const isKnown = ids.every((id) => before.includes(id));
  if (isKnown) return;
  const after = [...new Set([...ids, ...before])].slice(0, MAX);
  await io.files.replacePrivate(pathOf(io), `${after.join('\n')}\n`).catch(() => undefined);
};
