import { sql } from 'kysely';
import type { Ledger, Tables } from '../ledger/ledger.ts';
import { readSolanaGenesis, writeSolanaGenesis } from '../ledger/settings.ts';

/** An account in the ledger. */
export type StoredAccount = Tables['solana_accounts'];
/** An executed transaction in the ledger. */
export type StoredTransaction = Tables['solana_transactions'];

/** The record of one executed transaction. */
export type ExecutionRecord = {
  readonly transaction: StoredTransaction;
  /** The addresses of all its accounts. */
  readonly keys: readonly string[];
  /** The writable accounts after the transaction. */
  readonly accounts: readonly StoredAccount[];
  /** The addresses of writable accounts that do not exist after the transaction. */
  readonly gone: readonly string[];
};

/** A page of a list of transactions, newest first: older than `before` and newer than `until`, both signatures. */
export type Page = {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly until?: string | undefined;
};

/** The storage of the Solana chain in the ledger. */
export type SolanaStore = Readonly<ReturnType<typeof solanaStore>>;

/** Rows of one statement. SQLite allows 32,766 values. */
const ROWS = 1000;

const put = async (step: Ledger, accounts: readonly StoredAccount[]): Promise<void> => {
  for (let at = 0; at < accounts.length; at += ROWS) {
    await step
      .insertInto('solana_accounts')
      .values(accounts.slice(at, at + ROWS))
      .onConflict((conflict) =>
        conflict.column('address').doUpdateSet((row) => ({
          lamports: row.ref('excluded.lamports'),
          owner: row.ref('excluded.owner'),
          data: row.ref('excluded.data'),
          executable: row.ref('excluded.executable'),
        })),
      )
      .execute();
  }
};

/** The last state of each changed account; `undefined` for an account that does not exist any more. */
const lastStates = (executed: readonly ExecutionRecord[]): ReadonlyMap<string, StoredAccount | undefined> => {
  const last = new Map<string, StoredAccount | undefined>();
  for (const { accounts, gone } of executed) {
    for (const account of accounts) last.set(account.address, account);
    for (const address of gone) last.set(address, undefined);
  }
  return last;
};

/** Stores the addresses of transactions, for searches by address. One JSON value is faster than many values in kysely. */
const putKeys = async (
  step: Ledger,
  executed: readonly Pick<ExecutionRecord, 'keys' | 'transaction'>[],
): Promise<void> => {
  const rows = executed.flatMap(({ keys, transaction: { number } }) => keys.map((address) => [address, number]));
  const list = JSON.stringify(rows);
  await sql`INSERT INTO solana_transaction_keys SELECT value ->> 0, value ->> 1 FROM json_each(${list})`.execute(step);
};

const appendAll = async (step: Ledger, executed: readonly ExecutionRecord[]): Promise<void> => {
  const last = [...lastStates(executed)];
  const transactions = executed.map(({ transaction }) => transaction);
  await step.insertInto('solana_transactions').values(transactions).execute();
  await putKeys(step, executed);
  const existing = last.flatMap(([, account]) => account ?? []);
  await put(step, existing);
  const gone = last.filter(([, account]) => !account).map(([address]) => address);
  if (gone.length > 0) await step.deleteFrom('solana_accounts').where('address', 'in', gone).execute();
};

/** The number of a transaction; `fallback` without a signature, and 0 for an unknown signature. */
const numberOf = async (ledger: Ledger, signature: string | undefined, fallback: number): Promise<number> => {
  if (signature === undefined) return fallback;
  const query = ledger.selectFrom('solana_transactions').select('number').where('signature', '=', signature);
  return (await query.executeTakeFirst())?.number ?? 0;
};

const history = async (ledger: Ledger, address: string, page: Page): Promise<readonly StoredTransaction[]> => {
  const before = await numberOf(ledger, page.before, Number.MAX_SAFE_INTEGER);
  const until = await numberOf(ledger, page.until, 0);
  return ledger
    .selectFrom('solana_transaction_keys')
    .innerJoin('solana_transactions', 'solana_transactions.number', 'solana_transaction_keys.number')
    .selectAll('solana_transactions')
    .where('solana_transaction_keys.address', '=', address)
    .where('solana_transaction_keys.number', '<', before)
    .where('solana_transaction_keys.number', '>', until)
    .orderBy('solana_transaction_keys.number', 'desc')
    .limit(page.limit)
    .execute();
};

const highest = async (ledger: Ledger, column: 'slot' | 'number'): Promise<number> => {
  const query = ledger.selectFrom('solana_transactions').select((row) => row.fn.max(column).as('highest'));
  return (await query.executeTakeFirst())?.highest ?? 0;
};

/** Opens the storage of the Solana chain. Each write is on the disk when it resolves. */
export const solanaStore = (ledger: Ledger) => ({
  /** The time of the chain's start, in milliseconds since 1970; `undefined` before the start. */
  genesis: () => readSolanaGenesis(ledger),
  /** Removes the old chain, and stores the accounts and the start time of a new one. */
  begin: (genesisMs: number, accounts: readonly StoredAccount[]) =>
    ledger.transaction().execute(async (step) => {
      for (const table of ['solana_accounts', 'solana_transactions', 'solana_transaction_keys'] as const) {
        await step.deleteFrom(table).execute();
      }
      await put(step, accounts);
      await writeSolanaGenesis(step, genesisMs);
    }),
  accounts: () => ledger.selectFrom('solana_accounts').selectAll().execute(),
  /** The signatures and slots of all transactions from a slot on. */
  since: (slot: number) =>
    ledger.selectFrom('solana_transactions').select(['signature', 'slot']).where('slot', '>=', slot).execute(),
  /** The slot of the newest transaction; 0 without transactions. */
  lastSlot: () => highest(ledger, 'slot'),
  /** Stores all records or none, in this order. */
  append: (executed: readonly ExecutionRecord[]) => ledger.transaction().execute((step) => appendAll(step, executed)),
  find: (signature: string): Promise<StoredTransaction | undefined> =>
    ledger.selectFrom('solana_transactions').selectAll().where('signature', '=', signature).executeTakeFirst(),
  /** The transactions of an address, newest first; none for an unknown `before`. */
  history: (address: string, page: Page) => history(ledger, address, page),
  /** The number of transactions. */
  count: () => highest(ledger, 'number'),
});
