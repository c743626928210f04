import type { Io } from './io.ts';

/** A wrapper such as npm passes on a Ctrl-C that the terminal sends to all of its programs: both are one. */
const DOUBLED_MS = 500;

/**
 * Ctrl-C, SIGTERM or a closed terminal aborts the first signal. The second one aborts `forceQuit`: the command stops
 * waiting, and still reports payments in doubt. The third one ends the process.
 */
export const interruption = (host: NodeJS.Process): Pick<Io, 'interrupted' | 'forceQuit'> => {
  const [first, second] = [new AbortController(), new AbortController()];
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const [name, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    host.on(name, () => {
      const now = Number(process.hrtime.bigint()) / 1e6;
      if (name === 'SIGINT' && now - lastAt < DOUBLED_MS) return undefined;
      lastAt = now;
      const next = [first, second].find(({ signal }) => !signal.aborted);
      return next ? next.abort() : host.exit(exit);
    });
  }
  return { interrupted: first.signal, forceQuit: second.signal };
};
