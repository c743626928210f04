import { SOLANA } from '../../contract/chains.ts';
import { nextStep } from '../../core/next.ts';
import type { Summary } from '../../output/summary.ts';

type SandboxStatus = Awaited<ReturnType<typeof import('../../sandbox/launcher.ts').sandboxStatus>>;

const MINUTE_MS = 60_000;

const inMinutes = (milliseconds: number): string => {
  const count = Math.floor(milliseconds / MINUTE_MS);
  return count === 0 ? 'less than a minute' : `${count} minute${count === 1 ? '' : 's'}`;
};

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A span such as `1 d 2 h`. */
const spanText = (milliseconds: number): string => {
  let rest = milliseconds;
  return UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  }).join(' ');
};

/** Where a clock is against that of this machine, such as `1 d ahead`; empty for less than a second. */
export const offsetText = (milliseconds: number): string => {
  const span = spanText(Math.abs(milliseconds));
  return span === '' ? '' : `${span} ${milliseconds < 0 ? 'behind' : 'ahead'}`;
};

/** The clock of the sandbox against that of this machine. */
export const clockSummary = ({ now, offset_ms }: { readonly now: string; readonly offset_ms: number }): Summary => {
  const offset = offsetText(offset_ms);
  const ahead = offset_ms < 0 ? `is ${offset} this machine` : `is ${offset} of this machine`;
  const stands = offset === '' ? 'agrees with the clock of this machine' : ahead;
  return {
    tone: 'good',
    headline: `The sandbox's clock ${stands}`,
    facts: [['now', `${now.slice(0, 19).replace('T', ' ')} UTC`]],
  };
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
