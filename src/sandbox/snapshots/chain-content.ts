import type { StoredBlock } from '../chains/history.ts';
import type { Store } from '../chains/store.ts';
import type { ChainContent, Content } from './content.ts';

type Stores = ReadonlyMap<string, Store>;

/** Reads a chain whose node does not run; `undefined` for a chain that never started. */
const readChain = async (store: Store): Promise<ChainContent | undefined> => {
  if (await store.isEmpty()) return undefined;
  const { state, changes, history } = await store.load();
  if (state === undefined) return undefined;
  const blocks = Array.from({ length: history.newest() + 1 }, (_, number) => history.block(number));
  return { state, changes: [...changes], blocks: blocks as ChainContent['blocks'] };
};

/** Reads all chains. No node may run. */
export const readChains = async (stores: Stores): Promise<Content['chains']> => {
  const all: Content['chains'] = {};
  for (const [name, store] of stores) {
    const content = await readChain(store);
    if (content) all[name] = content;
  }
  return all;
};

const writeChain = async (store: Store, content: ChainContent | undefined): Promise<void> => {
  // An earlier write of this chain may be incomplete, so it is removed even if it looks empty.
  await store.clear();
  if (!content) return;
  const { history } = await store.load();
  history.add(content.blocks as unknown as readonly StoredBlock[]);
  await store.replace(content.state);
  if (content.changes.length > 0) await store.append(content.changes);
};

/** Replaces all chains. No node may run. A second call after a failure, with the same content, completes the first. */
export const writeChains = async (stores: Stores, chains: Content['chains']): Promise<void> => {
  for (const [name, store] of stores) await writeChain(store, chains[name]);
};
