import type { Ledger } from './ledger.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Addresses on the Solana chain that hold coin and belong to nobody but their key, newest first. */
export const latestWallets = async (ledger: Ledger, most: number): Promise<readonly string[]> => {
  const rows = await ledger
    .selectFrom('solana_accounts')
    .select('address')
    .where('owner', '=', SYSTEM_PROGRAM)
    .orderBy(ledger.dynamic.ref<'address'>('rowid'), 'desc')
    .limit(most)
    .execute();
  return rows.map(({ address }) => address);
};
