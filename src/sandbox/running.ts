import { type Health, health as readHealth } from '../contract/control/process.ts';
import { isFailure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { type Address, readAddress } from './address.ts';
import { control } from './control-client.ts';
import { withPackages } from './packages.ts';

const HEALTH_TIMEOUT_MS = 2_000;

/** A sandbox that answers, and its health. */
export type Running = { readonly address: Address; readonly health: Health };

/** A running sandbox of this home. An address left by one that died, or whose port answers as something else, is none. */
export const findRunning = async (io: Io): Promise<Running | undefined> => {
  const address = await readAddress(io);
  if (!address || !io.processes.isRunning(address.pid)) return undefined;
  try {
    const health = await control(io, address, HEALTH_TIMEOUT_MS)(readHealth);
    return health.pid === address.pid ? { address, health } : undefined;
  } catch (error) {
    if (isFailure(error, 'sandbox_unavailable') || isFailure(error, 'rejected')) return undefined;
    throw error;
  }
};

/** Whether some process runs, or is about to run, the sandbox of this home. */
export const isLocked = async (io: Io): Promise<boolean> => {
  const { lockHome } = await withPackages(() => import('./ledger/lock.ts'));
  try {
    (await lockHome(io))();
    return false;
  } catch (error) {
    if (isFailure(error, 'sandbox_unavailable')) return true;
    throw error;
  }
};
