import * as z from 'zod';
import type { ChainFacts } from '../../chain/solana/context.ts';
import { readLookupTable } from '../../chain/solana/lookup-table.ts';
import type { UnsignedSolana } from '../../chain/solana/message.ts';
import { resolveMessage, type Tables } from '../../chain/solana/resolve.ts';
import type { AccountState, Simulation } from '../../chain/solana/simulation.ts';
import { read, type SolanaNode } from '../../client/solana-node.ts';
import { digitsOf, printJson } from '../../core/json.ts';

const account = z.looseObject({
  lamports: z.unknown(),
  owner: z.string(),
  data: z.tuple([z.string(), z.literal('base64')]),
});

type Account = z.infer<typeof account>;

const accounts = z.looseObject({ value: z.array(account.nullable()) });

const simulated = z.looseObject({
  value: z.looseObject({ err: z.unknown().optional(), accounts: z.array(account.nullable()).nullish() }),
});

/** The most that a node gives at once. */
const MOST_ACCOUNTS = 100;

const readAccounts = async (node: SolanaNode, addresses: readonly string[]): Promise<readonly (Account | null)[]> => {
  const found: (Account | null)[] = [];
  for (let at = 0; at < addresses.length; at += MOST_ACCOUNTS) {
    const some = addresses.slice(at, at + MOST_ACCOUNTS);
    const options = { encoding: 'base64', commitment: 'confirmed' };
    found.push(...(await read(node, accounts, 'getMultipleAccounts', [some, options])).value);
  }
  return found;
};

const bytesOf = ({ data: [base64] }: Account): Uint8Array => Buffer.from(base64, 'base64');

const stateOf = (one: Account | null | undefined): AccountState | undefined => {
  if (!one) return undefined;
  const lamports = digitsOf(one.lamports) ?? '';
  return /^\d+$/.test(lamports) ? { lamports: BigInt(lamports), owner: one.owner, data: bytesOf(one) } : undefined;
};

const readTables = async (node: SolanaNode, { message }: UnsignedSolana): Promise<Tables> => {
  const addresses = message.lookups.map(({ table }) => table);
  if (addresses.length === 0) return {};
  const found = await readAccounts(node, addresses);
  const tables = addresses.flatMap((address, at) => {
    const one = found[at];
    const content = one ? readLookupTable(one.owner, bytesOf(one)) : undefined;
    return content ? [[address, content] as const] : [];
  });
  return Object.fromEntries(tables);
};

/** What the transaction would change; `undefined` where the node does not tell of accounts. */
const simulate = async (
  node: SolanaNode,
  unsigned: UnsignedSolana,
  tables: Tables,
): Promise<Simulation | undefined> => {
  const addresses = resolveMessage(unsigned.message, tables)
    .accounts.filter(({ isWritable }) => isWritable)
    .map(({ address }) => address);
  const before = await readAccounts(node, addresses);
  const base64 = Buffer.from(unsigned.bytes).toString('base64');
  const options = { encoding: 'base64', commitment: 'confirmed', accounts: { encoding: 'base64', addresses } };
  const { err, accounts: after } = (await read(node, simulated, 'simulateTransaction', [base64, options])).value;
  if (err !== null && err !== undefined) return { error: printJson(err), accounts: [] };
  if (after?.length !== addresses.length) return undefined;
  return {
    accounts: addresses.map((address, at) => ({ address, before: stateOf(before[at]), after: stateOf(after[at]) })),
  };
};

/**
 * What a node knows of a transaction: its lookup tables, and what it would do. A transaction that follows another one
 * `isLater`: before that one has landed, what it would do cannot be told.
 */
export const readFacts = async (node: SolanaNode, unsigned: UnsignedSolana, isLater: boolean): Promise<ChainFacts> => {
  const tables = await readTables(node, unsigned);
  const isWhole = unsigned.message.lookups.every(({ table }) => tables[table] !== undefined);
  return { tables, simulation: isLater || !isWhole ? undefined : await simulate(node, unsigned, tables) };
};
