import { SOLANA } from '../../contract/chains.ts';
import { nextStep } from '../../core/next.ts';
import type { Summary } from '../../output/summary.ts';

type SandboxStatus = Awaited<ReturnType<typeof import('../../sandbox/launcher.ts').sandboxStatus>>;

const MINUTE_MS = 60_000;

const inMinutes = (milliseconds: number): string => {
  const count = Math.floor(milliseconds / MINUTE_MS);
  return count === 0 ? 'less than a minute' : `${count} minute${count === 1 ? '' : 's'}`;
};

/** Whether the sandbox runs, with its addresses. */
export const sandboxSummary = (status: SandboxStatus, actingLink?: string): Summary =>
  status.running
    ? {
        tone: 'good',
        headline: `The sandbox answers on ${status.url}`,
        facts: [
          ['dashboard', status.dashboard],
          ...(actingLink === undefined ? [] : [['to act on it', actingLink] as const]),
          ['runs for', inMinutes(status.uptime_ms)],
          ['idle for', inMinutes(status.idle_ms)],
          [
            'EVM nodes',
            status.chains.filter((chain) => chain !== SOLANA).join(', ') || 'none yet: each starts on first use',
          ],
          ['Solana', status.solana_rpc ?? 'not running: it starts on first use'],
          ['state', status.ephemeral ? 'deleted when the sandbox stops' : 'kept when the sandbox stops'],
          ['process', String(status.pid)],
        ],
      }
    : { tone: 'open', headline: 'No sandbox is running', facts: [], next: nextStep('sandbox.start') };
