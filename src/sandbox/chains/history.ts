import { crc32 } from 'node:zlib';
import Database from 'libsql';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

type Json = Readonly<Record<string, unknown>>;
export type Log = Json & { readonly address: string; readonly topics: readonly string[] };
export type StoredReceipt = Json & { readonly transactionHash: string; readonly logs: readonly Log[] };
type StoredTransaction = Json & { readonly hash: string };

/** A block with whole transactions, and its receipts, in the JSON of the node. */
export type StoredBlock = {
  readonly block: Json & {
    readonly number: string;
    readonly hash: string;
    readonly parentHash: string;
    readonly transactions: readonly StoredTransaction[];
  };
  readonly receipts: readonly StoredReceipt[];
};

/** Past blocks of a chain in a SQLite file, without gaps in their numbers. */
export type History = Readonly<ReturnType<typeof openHistory>>;

const TABLES = `
  CREATE TABLE IF NOT EXISTS blocks (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    block TEXT NOT NULL,
    block_sum INTEGER NOT NULL,
    receipts TEXT NOT NULL,
    receipts_sum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS transactions (
    hash TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    place INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log_keys (
    key INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (key, number)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * A short search key: the last 48 bits of an address or topic. Two words can have the same key, so the caller
 * also checks the log itself.
 */
const keyOf = (word: string): number => Number.parseInt(word.slice(-12), 16);

/** Blocks of one query for logs. Other work runs between two queries. */
const BLOCKS_PER_QUERY = 500;

type NumberColumn = 'number' | 'place' | 'block_sum' | 'receipts_sum';
type Row = Readonly<Record<NumberColumn, number> & Record<'hash' | 'block' | 'receipts', string>>;

/** Parses a stored text. Throws `sandbox_unavailable` for a wrong checksum: SQLite does not detect a changed text. */
const parseChecked = (text: string, sum: number): unknown => {
  if (crc32(text) === sum) return JSON.parse(text);
  throw new Failure('sandbox_unavailable', "a stored block of the sandbox's chain is damaged", {
    hint: 'Nothing was changed in it. Keep a copy of the chains folder if you need it.',
    next: nextStep('sandbox.reset'),
  });
};

/** A search for addresses and topics: a block must have at least one word of each list. */
export type WordLists = readonly (readonly string[])[];

/**
 * Opens the history of a chain; without a path, in memory. The blocks are on the disk when `add` returns. Throws SQLite's
 * error for a damaged file.
 */
export const openHistory = (path: string | undefined) => {
  const file = new Database(path ?? ':memory:');
  try {
    checkHealth(file);
    file.prepare('PRAGMA journal_mode = WAL').all([]);
    file.exec(`PRAGMA synchronous = FULL; ${TABLES}`);
  } catch (error) {
    file.close();
    throw error;
  }
  const statements = prepareAll(file);
  const firstRow = (statement: Statement, ...values: readonly unknown[]) => statement.all(values)[0] as Row | undefined;
  let newestRow = firstRow(statements.newest);

  const add = (blocks: readonly StoredBlock[]): void => {
    const next = (newestRow?.number ?? -1) + 1;
    checkChain(blocks, next, newestRow?.hash);
    file.exec('BEGIN');
    try {
      for (const [at, each] of blocks.entries()) insert(statements, next + at, each);
      file.exec('COMMIT');
    } catch (error) {
      if (file.inTransaction) file.exec('ROLLBACK');
      throw error;
    }
    newestRow = firstRow(statements.newest);
  };
  const block = (number: number): StoredBlock | undefined => {
    const row = firstRow(statements.block, number);
    if (!row) return undefined;
    const stored = {
      block: parseChecked(row.block, row.block_sum),
      receipts: parseChecked(row.receipts, row.receipts_sum),
    };
    return stored as StoredBlock;
  };
  /** Yields the receipts of blocks that may have logs with these words. Both numbers are included. */
  const receipts = async function* (from: number, to: number, words: WordLists) {
    const find = file.prepare(searchFor(words));
    const keys = words.flat().map(keyOf);
    for (let first = from; first <= to; first += BLOCKS_PER_QUERY) {
      const range = [first, Math.min(first + BLOCKS_PER_QUERY - 1, to)];
      const rows = find.all([...range, ...keys]) as Row[];
      for (const row of rows) yield* parseChecked(row.receipts, row.receipts_sum) as StoredReceipt[];
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    /** The number of the newest block; -1 if there are no blocks. */
    newest: (): number => newestRow?.number ?? -1,
    newestHash: (): string | undefined => newestRow?.hash,
    /** Stores the next blocks. Throws `internal` if they do not continue the chain or miss transactions. */
    add,
    block,
    /** Returns the number of the block with this hash. */
    numberOf: (hash: string): number | undefined => firstRow(statements.numberOf, hash.toLowerCase())?.number,
    /** Returns a transaction and its receipt. */
    transaction: (hash: string) => {
      const place = firstRow(statements.place, hash.toLowerCase());
      const found = place && block(place.number);
      return found && { transaction: found.block.transactions[place.place], receipt: found.receipts[place.place] };
    },
    receipts,
    clear: (): void => {
      file.exec('BEGIN; DELETE FROM log_keys; DELETE FROM transactions; DELETE FROM blocks; COMMIT');
      newestRow = undefined;
    },
    close: (): void => {
      file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
      file.close();
    },
  };
};

type File = InstanceType<typeof Database>;
type Statement = ReturnType<File['prepare']>;

const checkHealth = (file: File): void => {
  const [row] = file.prepare('PRAGMA quick_check(1)').all([]) as { readonly quick_check: string }[];
  if (row?.quick_check !== 'ok') throw new Error(row?.quick_check ?? 'it cannot be checked');
};

const prepareAll = (file: File) => ({
  newest: file.prepare('SELECT number, hash FROM blocks ORDER BY number DESC LIMIT 1'),
  block: file.prepare('SELECT block, block_sum, receipts, receipts_sum FROM blocks WHERE number = ?'),
  numberOf: file.prepare('SELECT number FROM blocks WHERE hash = ?'),
  place: file.prepare('SELECT number, place FROM transactions WHERE hash = ?'),
  addBlock: file.prepare('INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)'),
  addTransaction: file.prepare('INSERT INTO transactions (hash, number, place) VALUES (?, ?, ?)'),
  addKey: file.prepare('INSERT INTO log_keys (key, number) VALUES (?, ?)'),
});

const searchFor = (words: WordLists): string => {
  const range = 'number BETWEEN ?1 AND ?2';
  let at = 2;
  const conditions = words.map((list) => {
    const keys = list.map(() => {
      at += 1;
      return `?${at}`;
    });
    return ` AND number IN (SELECT number FROM log_keys WHERE key IN (${keys.join(', ')}) AND ${range})`;
  });
  return `SELECT receipts, receipts_sum FROM blocks WHERE ${range}${conditions.join('')} ORDER BY number`;
};

const wordsOf = ({ logs }: StoredReceipt): readonly string[] =>
  logs.flatMap(({ address, topics }) => [address, ...topics]);

const insert = (statements: ReturnType<typeof prepareAll>, number: number, { block, receipts }: StoredBlock): void => {
  const [blockText, receiptsText] = [JSON.stringify(block), JSON.stringify(receipts)];
  const { addBlock, addTransaction, addKey } = statements;
  addBlock.run([number, block.hash, blockText, crc32(blockText), receiptsText, crc32(receiptsText)]);
  for (const [place, { hash }] of block.transactions.entries()) addTransaction.run([hash, number, place]);
  for (const key of new Set(receipts.flatMap(wordsOf).map(keyOf))) addKey.run([key, number]);
};

/** The transactions root of a block without transactions. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** A node that has dropped the transactions of an old block shows the block without them. Such a block is not stored. */
const isWhole = ({ block, receipts }: StoredBlock): boolean =>
  block.transactions.length === receipts.length && (receipts.length > 0 || block['transactionsRoot'] === EMPTY_ROOT);

const checkChain = (blocks: readonly StoredBlock[], next: number, parent: string | undefined): void => {
  let previous = parent;
  for (const [at, each] of blocks.entries()) {
    const { number, hash, parentHash } = each.block;
    const isNext = Number(number) === next + at && (previous === undefined || parentHash === previous);
    if (!isNext) throw new Failure('internal', `block ${Number(number)} does not continue the stored blocks`);
    if (!isWhole(each)) throw new Failure('internal', `the node has dropped the transactions of block ${next + at}`);
    previous = hash;
  }
};
