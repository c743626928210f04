import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ask, type Rpc } from './rpc.ts';

/** The parts of anvil's state that are read here. Its numbers are small; large quantities are hex. */
type AnvilState = Readonly<Record<string, unknown>> & {
  readonly accounts: Readonly<Record<string, { readonly storage: Readonly<Record<string, string>> }>>;
  readonly blocks: readonly { readonly header: { readonly number: string }; readonly transactions: readonly unknown[] }[];
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

/** Takes the state from a node. Its blocks must be in the history, because the state has only the newest headers. */
export const dumpState = async (rpc: Rpc): Promise<State> => {
  const dumped = Buffer.from(String(await ask(rpc, 'anvil_dumpState')).slice(2), 'hex');
  const state = JSON.parse((await promisify(gunzip)(dumped)).toString('utf8')) as AnvilState;
  const shortened = JSON.stringify({ ...state, blocks: newestHeaders(state), transactions: [] });
  const hex = `0x${(await promisify(gzip)(shortened, { level: 1 })).toString('hex')}`;
  const storages = Object.values(state.accounts).map(({ storage }) => Object.keys(storage).length);
  return { hex, entries: storages.reduce((sum, words) => sum + 1 + words, 0) };
};

/** Replaces everything in a running node by a state: its memory does not grow with the number of past blocks. */
export const loadState = async (rpc: Rpc, { hex }: State): Promise<void> => {
  await ask(rpc, 'anvil_reset');
  await ask(rpc, 'anvil_loadState', [hex]);
};
