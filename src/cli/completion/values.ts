import { join } from 'node:path';
import { WIRE_COMPLETION_SOURCE } from '../../core/wire-names.ts';
import type { Io } from '../../io/io.ts';
import type { Offer } from './offers.ts';
import { readObject, storedJournal, storedKeys } from './stored.ts';

/** The largest number of operations to read. */
const MAX_OPERATIONS = 100;

/** Only plain words reach the shell: no options, no special characters. Other programs may have chosen a name. */
const isPlain = (word: unknown): word is string => typeof word === 'string' && /^\w[\w.@:+-]{0,127}$/.test(word);

const keys = async (io: Io): Promise<readonly unknown[]> => (await storedKeys(io)).map(({ name }) => name);

const profiles = async (io: Io): Promise<readonly unknown[]> => {
  const { profiles: own } = await readObject(io, join(io.places.config, 'profiles.json'));
  return [...(own instanceof Object && !Array.isArray(own) ? Object.keys(own) : []), 'sandbox'];
};

/** The newest operations and their payments. It searches the text of the journal, because completion must be fast. */
const operations = async (io: Io): Promise<readonly { readonly id: string; readonly payment: unknown }[]> => {
  const store = await storedJournal(io);
  if (store === undefined) return [];
  const { ids } = await store.list();
  const paymentOf = async (id: string) => {
    const lines = (await store.read(id))?.lines ?? [];
    return /"payment_id":"([^"]+)"/.exec(lines.join('\n'))?.[1];
  };
  return Promise.all(ids.slice(0, MAX_OPERATIONS).map(async (id) => ({ id, payment: await paymentOf(id) })));
};

/** Token symbols in the cached strategies. It searches the text only. */
const assets = async ({ files, places }: Io): Promise<readonly unknown[]> => {
  const folder = join(places.cache, 'strategies');
  const texts = await Promise.all(
    (await files.list(folder)).map(async (name) => new TextDecoder().decode(await files.read(join(folder, name)))),
  );
  return texts.flatMap((text) => Array.from(text.matchAll(/"symbol":"([^"]+)"/g), ([, symbol]) => symbol));
};

/** The names in the file of aliases, whatever they stand for. */
export const aliasNames = async (io: Io): Promise<readonly string[]> =>
  Object.keys(Object((await readObject(io, join(io.places.config, 'aliases.json')))['aliases']));

const READERS = {
  keys,
  profiles,
  payments: async (io) => (await operations(io)).map(({ payment }) => payment),
  [WIRE_COMPLETION_SOURCE]: async (io) => (await operations(io)).flatMap(({ id, payment }) => [id, payment]),
  assets,
  aliases: aliasNames,
  orders: async (io) => (await import('../context/order-ids.ts')).knownOrderIds(io),
} as const satisfies Readonly<Record<string, Offer>>;

/** Names that bursar stores. */
export type KeptNames = keyof typeof READERS;

/**
 * Prints stored names of one kind, one per line; nothing for an unknown kind. `words` are those of the line, the last one as far as it is typed. Used by
 * completion, so it prints no errors and sends no requests.
 */
export const printLocal = async (io: Io, name: string, words: readonly string[]): Promise<void> => {
  const readers: Readonly<Record<string, Offer>> = Object.hasOwn(READERS, name)
    ? READERS
    : (await import('./offers.ts')).OFFERS;
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  const values = (await read?.(io, words).catch(() => [])) ?? [];
  await io.stdout.write([...new Set(values.filter(isPlain))].map((value) => `${value}\n`).join(''));
};
