import { sql } from 'kysely';
import type { Ledger, Tables } from '../ledger/ledger.ts';
import { readSolanaGenesis, writeSolanaGenesis } from '../ledger/settings.ts';

/** An account after a change; one without lamports is gone. */
export type KeptAccount = Tables['solana_accounts'];
/** A transaction that was executed, as the ledger has it. */
export type KeptTransaction = Tables['solana_transactions'];

/** The record of one executed transaction. */
export type ExecutionRecord = {
  readonly transaction: KeptTransaction;
  /** All addresses that it names. */
  readonly keys: readonly string[];
  readonly accounts: readonly KeptAccount[];
  /** Addresses whose account is gone. */
  readonly gone: readonly string[];
};

/** A part of a list of transactions, the newest first: those before one and after another, by their signatures. */
export type Page = {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly until?: string | undefined;
};

/** The chain as the ledger keeps it. */
export type SolanaStore = Readonly<ReturnType<typeof solanaStore>>;

/** Rows of one statement: SQLite takes 32,766 values. */
const ROWS = 1000;

const put = async (step: Ledger, accounts: readonly KeptAccount[]): Promise<void> => {
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

/** Only the last state of each account is written. */
const lastOfEach = (executed: readonly ExecutionRecord[]): ReadonlyMap<string, KeptAccount | undefined> => {
  const last = new Map<string, KeptAccount | undefined>();
  for (const { accounts, gone } of executed) {
    for (const account of accounts) last.set(account.address, account);
    for (const address of gone) last.set(address, undefined);
  }
  return last;
};

/** By which a transaction is found by each address that it names. As JSON: a value for each costs kysely more time. */
const putKeys = async (
  step: Ledger,
  executed: readonly Pick<ExecutionRecord, 'keys' | 'transaction'>[],
): Promise<void> => {
  const rows = executed.flatMap(({ keys, transaction: { number } }) => keys.map((address) => [address, number]));
  const list = JSON.stringify(rows);
  await sql`INSERT INTO solana_transaction_keys SELECT value ->> 0, value ->> 1 FROM json_each(${list})`.execute(step);
};

const appendAll = async (step: Ledger, executed: readonly ExecutionRecord[]): Promise<void> => {
  const last = [...lastOfEach(executed)];
  const transactions = executed.map(({ transaction }) => transaction);
  await step.insertInto('solana_transactions').values(transactions).execute();
  await putKeys(step, executed);
  const there = last.flatMap(([, account]) => account ?? []);
  await put(step, there);
  const gone = last.filter(([, account]) => !account).map(([address]) => address);
  if (gone.length > 0) await step.deleteFrom('solana_accounts').where('address', 'in', gone).execute();
};

const numberOf = async (ledger: Ledger, signature: string | undefined, otherwise: number): Promise<number> => {
  if (signature === undefined) return otherwise;
  const found = ledger.selectFrom('solana_transactions').select('number').where('signature', '=', signature);
  return (await found.executeTakeFirst())?.number ?? 0;
};

const history = async (ledger: Ledger, address: string, page: Page): Promise<readonly KeptTransaction[]> => {
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
  const most = ledger.selectFrom('solana_transactions').select((row) => row.fn.max(column).as('most'));
  return (await most.executeTakeFirst())?.most ?? 0;
};

/** The Solana chain in the ledger: what was kept is on the disk. */
export const solanaStore = (ledger: Ledger) => ({
  /** When the chain started; `undefined` before its start. */
  genesis: () => readSolanaGenesis(ledger),
  begin: (genesisMs: number, accounts: readonly KeptAccount[]) =>
    ledger.transaction().execute(async (step) => {
      for (const table of ['solana_accounts', 'solana_transactions', 'solana_transaction_keys'] as const) {
        await step.deleteFrom(table).execute();
      }
      await put(step, accounts);
      await writeSolanaGenesis(step, genesisMs);
    }),
  accounts: () => ledger.selectFrom('solana_accounts').selectAll().execute(),
  /** Signatures of all transactions from a slot on, and the slot of the last one ever. */
  since: (slot: number) =>
    ledger.selectFrom('solana_transactions').select(['signature', 'slot']).where('slot', '>=', slot).execute(),
  lastSlot: () => highest(ledger, 'slot'),
  /** Keeps all of it or nothing, in this order. */
  append: (executed: readonly ExecutionRecord[]) => ledger.transaction().execute((step) => appendAll(step, executed)),
  find: (signature: string): Promise<KeptTransaction | undefined> =>
    ledger.selectFrom('solana_transactions').selectAll().where('signature', '=', signature).executeTakeFirst(),
  /** Transactions that name an address; none where `before` is not known. */
  history: (address: string, page: Page) => history(ledger, address, page),
  /** How many there are. */
  count: () => highest(ledger, 'number'),
});
