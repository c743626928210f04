import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ask, type Rpc } from './rpc.ts';

type Account = { readonly storage: Readonly<Record<string, string>> };

/** The parts of anvil's state that are read here. Its numbers are small; large quantities are hex. */
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

/** Headers in a state: enough for the tags `safe` and `finalized`, which are 32 and 64 blocks behind. */
const HEADERS = 128;

const newestHeaders = ({ blocks }: AnvilState) =>
  blocks
    .toSorted((a, b) => Number(a.header.number) - Number(b.header.number))
    .slice(-HEADERS)
    .map((block) => ({ ...block, transactions: [] }));

/** The contract of EIP-2935 stores the hash of every block, of as many blocks as it has words. */
const HASHES_CONTRACT = '0x0000f90827f1c53a10cb7a02335b175320002935';
const HASHES_WORDS = 8191;
/** Hashes that the contract keeps in a state. All its words would slow down every block: anvil reads them each time. */
const HASHES = 256;

const newestHashes = ({ storage, ...others }: Account, height: number): Account => {
  const isNew = (word: string) => (height - 1 - Number(word) + HASHES_WORDS) % HASHES_WORDS < HASHES;
  return { ...others, storage: Object.fromEntries(Object.entries(storage).filter(([word]) => isNew(word))) };
};

/** The accounts of a state that grows with its accounts alone. */
const boundedAccounts = ({ accounts, best_block_number: height }: AnvilState) => {
  const { [HASHES_CONTRACT]: hashes, ...others } = accounts;
  return hashes ? { ...others, [HASHES_CONTRACT]: newestHashes(hashes, height) } : accounts;
};

/** Takes the state from a node. Its blocks must be in the history, because the state has only the newest headers. */
export const dumpState = async (rpc: Rpc): Promise<State> => {
  const dumped = Buffer.from(String(await ask(rpc, 'anvil_dumpState')).slice(2), 'hex');
  const state = JSON.parse((await promisify(gunzip)(dumped)).toString('utf8')) as AnvilState;
  const accounts = boundedAccounts(state);
  const shortened = JSON.stringify({ ...state, accounts, blocks: newestHeaders(state), transactions: [] });
  const hex = `0x${(await promisify(gzip)(shortened, { level: 1 })).toString('hex')}`;
  const storages = Object.values(accounts).map(({ storage }) => Object.keys(storage).length);
  return { hex, entries: storages.reduce((sum, words) => sum + 1 + words, 0) };
};

/** Replaces everything in a running node by a state: its memory does not grow with the number of past blocks. */
export const loadState = async (rpc: Rpc, { hex }: State): Promise<void> => {
  await ask(rpc, 'anvil_reset');
  await ask(rpc, 'anvil_loadState', [hex]);
};
