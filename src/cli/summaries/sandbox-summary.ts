import { nextStep } from '../../core/next.ts';
import type { Summary } from '../../output/summary.ts';

type Launcher = typeof import('../../sandbox/launcher.ts');

type SandboxStatus = Awaited<ReturnType<Launcher['sandboxStatus']>>;

const MINUTE_MS = 60_000;

const inMinutes = (milliseconds: number): string => {
  const count = Math.floor(milliseconds / MINUTE_MS);
  return count === 0 ? 'less than a minute' : `${count} minute${count === 1 ? '' : 's'}`;
};

/** Whether the sandbox runs, and where, as a person is told. */
export const sandboxSummary = (status: SandboxStatus): Summary =>
  status.running
    ? {
        tone: 'good',
        headline: `The sandbox answers on ${status.url}`,
        facts: [
          ['dashboard', status.dashboard],
          ['runs for', inMinutes(status.uptime_ms)],
          ['idle for', inMinutes(status.idle_ms)],
          ['EVM nodes', status.chains.join(', ') || 'none yet: each is started when it is needed'],
          ['Solana', status.solana_rpc ?? 'not yet: it is started when it is needed'],
          ['state', status.ephemeral ? 'is gone when it stops' : 'stays when it stops'],
          ['process', String(status.pid)],
        ],
      }
    : { tone: 'open', headline: 'No sandbox runs', facts: [], next: nextStep('sandbox.start') };
