import { EVM_CHAINS } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { walletOf } from '../../../flows/pay/nonce.ts';
import { laneOf } from '../../../flows/turn.ts';
import type { Claim } from '../../../io/files/claim.ts';
import type { Io } from '../../../io/io.ts';
import { storeOf } from '../../../journal/open-store.ts';
import { settleEarlier } from '../pay/bulk/doubts.ts';
import type { PoolKey } from '../pay/bulk/plan-row.ts';
import { workerOf } from '../pay/bulk/release-started.ts';
import type { BulkRun } from '../pay/bulk/row-context.ts';

/** The wallets of a worker: one worker on all machines pays from a wallet, so that it alone knows its doubts. */
export type OwnWallets = {
  /** Claims wallets that no worker has, and starts to settle their doubts: no row of theirs starts before. */
  readonly takeMore: (run: BulkRun) => Promise<void>;
  /** Resolves when the doubts of all wallets are settled, or given up. */
  readonly settled: () => Promise<void>;
  readonly isOwn: (address: string) => boolean;
  readonly own: () => readonly string[];
  /** Whether a wallet waits for a row in doubt, on one of its chains. */
  readonly isHeld: (run: BulkRun, address: string) => boolean;
  /** Stops the run after a wallet was taken over, or when all wallets wait for a row in doubt. */
  readonly mustStop: (run: BulkRun) => Promise<boolean>;
  readonly release: () => Promise<void>;
};

const takenOver = new Failure('not_final', 'another worker has taken over a wallet of this one', {
  hint: 'This process or its connection was stopped for longer than the lease of the journal.',
});

/** Claims the wallets of some keys in the journal of this command, as far as no other worker has them. */
export const ownWallets = (io: Io, kind: string, pool: readonly PoolKey[]): OwnWallets => {
  const claims = new Map<PoolKey, Claim>();
  const settling: Promise<void>[] = [];
  const addressOf = ({ address = '' }: PoolKey): string => address.toLowerCase();
  const isHeld = (run: BulkRun, address: string): boolean =>
    EVM_CHAINS.some(({ name }) => run.lanes.stateOf(laneOf(walletOf(run, { chain: name, payer: address }))) === 'held');
  return {
    takeMore: async (run) => {
      for (const key of pool) {
        if (claims.has(key)) continue;
        const claiming = await (await storeOf(io)).claim(workerOf(kind, addressOf(key)), 0);
        if (!('claim' in claiming)) continue;
        claims.set(key, claiming.claim);
        const settings = { ...run.settings, pool: [key] };
        const { end } = await settleEarlier({ ...run, settings }, [], async () => undefined);
        end.catch(run.fail);
        settling.push(end);
        await run.note(`Rows of ${key.name} (${key.address ?? ''}) are paid here.`);
      }
    },
    settled: async () => void (await Promise.allSettled(settling)),
    isOwn: (address) => [...claims.keys()].some((key) => addressOf(key) === address.toLowerCase()),
    own: () => [...claims.keys()].map(addressOf),
    isHeld,
    mustStop: async (run) => {
      for (const claim of claims.values()) {
        if (await claim.isHeld()) continue;
        run.stop(takenOver);
        return true;
      }
      if (claims.size === 0 || ![...claims.keys()].every(({ address = '' }) => isHeld(run, address))) return false;
      run.stop(new Failure('not_final', 'all wallets of this worker wait for a row in doubt'));
      return true;
    },
    release: async () => {
      for (const claim of claims.values()) await claim.release();
    },
  };
};
