import type { Kysely } from 'kysely';
import type { LedgerFile } from './file.ts';
import type { Tables } from './tables.ts';

/** The ledger's rows. A transaction of it has the same type. */
export type Ledger = Kysely<Tables>;

/** Queries over an open file. Loaded on first use: the query builder takes longer to load than the server to start. */
export const connect = async (file: LedgerFile): Promise<Ledger> => {
  const [{ Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler }, { groupDriver }] = await Promise.all([
    import('kysely'),
    import('./group-driver.ts'),
  ]);
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => groupDriver(file),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
};
