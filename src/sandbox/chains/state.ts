import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ask, type Rpc } from './rpc.ts';

type Account = { readonly storage: Readonly<Record<string, string>> };

/** The fields of anvil's state that this file reads. Large quantities in the state are hex, so JSON loses no digits. */
type AnvilState = Readonly<Record<string, unknown>> & {
  readonly accounts: Readonly<Record<string, Account>>;
  readonly best_block_number: number;
  readonly blocks: readonly {
    readonly header: { readonly number: string };
    readonly transactions: readonly unknown[];
  }[];
};

/** A state without past transactions, and the number of its accounts and storage words. */
export type State = { readonly hex: string; readonly entries: number };

/** The number of block headers in a state. The tags `safe` and `finalized` need 32 and 64. */
const HEADERS = 128;

const newestHeaders = ({ blocks }: AnvilState) =>
  blocks
    .toSorted((a, b) => Number(a.header.number) - Number(b.header.number))
    .slice(-HEADERS)
    .map((block) => ({ ...block, transactions: [] }));

/** The contract of EIP-2935. It has the hashes of the last 8191 blocks, one in each storage word. */
const HASHES_CONTRACT = '0x0000f90827f1c53a10cb7a02335b175320002935';
const HASHES_WORDS = 8191;
/** The number of hashes that a state keeps. anvil reads all words of a contract for each block, so more would be slow. */
const HASHES = 256;

const newestHashes = ({ storage, ...others }: Account, height: number): Account => {
  const isNew = (word: string) => (height - 1 - Number(word) + HASHES_WORDS) % HASHES_WORDS < HASHES;
  return { ...others, storage: Object.fromEntries(Object.entries(storage).filter(([word]) => isNew(word))) };
};

/** The accounts of a state, with only the newest hashes. So the state does not grow with the number of blocks. */
const boundedAccounts = ({ accounts, best_block_number: height }: AnvilState) => {
  const { [HASHES_CONTRACT]: hashes, ...others } = accounts;
  return hashes ? { ...others, [HASHES_CONTRACT]: newestHashes(hashes, height) } : accounts;
};

/** Reads the state of a node. The history must have its blocks, because the state has only the newest headers. */
export const dumpState = async (rpc: Rpc): Promise<State> => {
  const dumped = Buffer.from(String(await ask(rpc, 'anvil_dumpState')).slice(2), 'hex');
  const state = JSON.parse((await promisify(gunzip)(dumped)).toString('utf8')) as AnvilState;
  const accounts = boundedAccounts(state);
  const shortened = JSON.stringify({ ...state, accounts, blocks: newestHeaders(state), transactions: [] });
  const hex = `0x${(await promisify(gzip)(shortened, { level: 1 })).toString('hex')}`;
  const storages = Object.values(accounts).map(({ storage }) => Object.keys(storage).length);
  return { hex, entries: storages.reduce((sum, words) => sum + 1 + words, 0) };
};

/** Replaces all data of a running node with a state, so its memory does not grow with the number of past blocks. */
export const loadState = async (rpc: Rpc, { hex }: State): Promise<void> => {
  await ask(rpc, 'anvil_reset');
  await ask(rpc, 'anvil_loadState', [hex]);
};
