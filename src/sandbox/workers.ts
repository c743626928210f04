import { startExpiry } from './charges/expiry.ts';
import { startPayouts } from './payouts/worker.ts';
import type { Services } from './services.ts';
import { startCourier } from './webhooks/courier.ts';
import type { Worker } from './worker.ts';

/** All that goes on beside the requests, as one. */
export const startWorkers = (services: Services): Worker => {
  const all = [startPayouts, startExpiry, startCourier].map((start) => start(services));
  return {
    nudge: () => {
      for (const worker of all) worker.nudge();
    },
    stop: async () => {
      await Promise.all(all.map((worker) => worker.stop()));
    },
  };
};
