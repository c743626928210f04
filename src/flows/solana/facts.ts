import { readLookupTable } from '../../chain/solana/accounts.ts';
import type { HeldAccount, NodeFacts } from '../../chain/solana/context.ts';
import type { UnsignedSolana } from '../../chain/solana/parse.ts';
import { resolveMessage, type Tables } from '../../chain/solana/resolve.ts';
import { assertNodeOf, readAccounts, type SolanaNode, simulate } from '../../client/solana-rpc.ts';
import type { Kind } from '../../contract/chains.ts';

const readTables = async (node: SolanaNode, { message }: UnsignedSolana): Promise<Tables> => {
  const addresses = message.lookups.map(({ table }) => table);
  const accounts = await readAccounts(node, addresses);
  return Object.fromEntries(
    addresses.flatMap((address, at) => {
      const account = accounts[at];
      const table = account && readLookupTable(account);
      return table === undefined ? [] : [[address, table] as const];
    }),
  );
};

/** The account states before and after a transaction. */
const runSimulation = async (
  node: SolanaNode,
  { bytes }: UnsignedSolana,
  addresses: readonly string[],
  isSigned: boolean,
): Promise<Pick<NodeFacts, 'held' | 'simulation'>> => {
  const [states, ran] = await Promise.all([
    readAccounts(node, addresses),
    simulate(node, Buffer.from(bytes).toString('base64'), addresses, isSigned),
  ]);
  const held = addresses.map((address, at) => ({ address, state: states[at] }));
  if (ran.error !== undefined) return { held, simulation: { error: ran.error, accounts: [] } };
  const changed = ({ address, state }: HeldAccount, at: number) => ({
    address,
    before: state,
    after: ran.accounts[at],
  });
  return { held, simulation: { accounts: held.map(changed) } };
};

/**
 * The facts of a transaction from a node: its lookup tables, and its effect on every account that it may change. If it
 * follows another one (`isLater`), its effect is unknown until the other has landed. If it is signed (`isSigned`), its
 * effect is computed even with an expired blockhash. Throws `bad_settings` for a node of another chain, `unavailable`
 * and `unexpected_answer`.
 */
export const factsFrom = async (
  node: SolanaNode,
  unsigned: UnsignedSolana,
  kind: Kind,
  { isLater = false, isSigned = false }: { readonly isLater?: boolean; readonly isSigned?: boolean } = {},
): Promise<NodeFacts> => {
  await assertNodeOf(node, kind);
  const tables = await readTables(node, unsigned);
  const { accounts, unresolved } = resolveMessage(unsigned.message, tables);
  // If an account is unknown, the simulation cannot be compared.
  if (unresolved.length > 0 || isLater) return { tables };
  const writable = accounts.filter(({ isWritable }) => isWritable).map(({ address }) => address);
  return { tables, ...(await runSimulation(node, unsigned, writable, isSigned)) };
};
