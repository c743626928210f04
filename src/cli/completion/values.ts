import { join } from 'node:path';
import { isJsonObject } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import type { Local } from '../command/options.ts';

/** More than anybody looks through. */
const MAX_OPERATIONS = 100;

/** A shell is handed nothing that it could take for more than a word or for an option, whoever chose the name. */
const isPlain = (word: unknown): word is string => typeof word === 'string' && /^\w[\w.@:+-]{0,127}$/.test(word);

const readJson = async (io: Io, path: string): Promise<unknown> => {
  const bytes = await io.files.read(path);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
};

const keys = async ({ files, places }: Io): Promise<readonly unknown[]> =>
  (await files.list(join(places.config, 'keys')))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));

const profiles = async (io: Io): Promise<readonly unknown[]> => {
  const all = await readJson(io, join(io.places.config, 'profiles.json')).catch(() => undefined);
  const own = isJsonObject(all) && isJsonObject(all['profiles']) ? Object.keys(all['profiles']) : [];
  return [...own, 'sandbox'];
};

/** The newest movements, with their payments: looked for in the text alone, for a shell waits for it. */
const operations = async (io: Io): Promise<readonly { readonly id: string; readonly payment: unknown }[]> => {
  const store = (await import('../../journal/file-store.ts')).storeOf(io);
  const { ids } = await store.list();
  const paymentOf = async (id: string) => {
    const lines = (await store.read(id))?.lines ?? [];
    return /"payment_id":"([^"]+)"/.exec(lines.join('\n'))?.[1];
  };
  return Promise.all(ids.slice(0, MAX_OPERATIONS).map(async (id) => ({ id, payment: await paymentOf(id) })));
};

/** Symbols of tokens in what the service said of its strategies, read from the text alone. */
const assets = async ({ files, places }: Io): Promise<readonly unknown[]> => {
  const folder = join(places.cache, 'strategies');
  const texts = await Promise.all(
    (await files.list(folder)).map(async (name) => new TextDecoder().decode(await files.read(join(folder, name)))),
  );
  return texts.flatMap((text) => Array.from(text.matchAll(/"symbol":"([^"]+)"/g), ([, symbol]) => symbol));
};

const READERS: Readonly<Record<Exclude<Local, 'files'>, (io: Io) => Promise<readonly unknown[]>>> = {
  keys,
  profiles,
  payments: async (io) => (await operations(io)).map(({ payment }) => payment),
  movements: async (io) => (await operations(io)).flatMap(({ id, payment }) => [id, payment]),
  assets,
  orders: async (io) => (await import('../context/order-ids.ts')).knownOrderIds(io),
};

/**
 * What bursar keeps on this machine under a name, a line each; nothing for a name it does not know. For completion:
 * it says nothing of what goes wrong, and contacts nobody.
 */
export const printLocal = async (io: Io, name: string): Promise<void> => {
  const read = Object.hasOwn(READERS, name) ? READERS[name as keyof typeof READERS] : undefined;
  const values = (await read?.(io).catch(() => [])) ?? [];
  await io.stdout.write([...new Set(values.filter(isPlain))].map((value) => `${value}\n`).join(''));
};
