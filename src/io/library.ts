import { systemHttp } from './http/http.ts';
import type { Io } from './io.ts';
import { clockFrom } from './system.ts';

/** The parts of `Io` for a call of the service. */
export type CallIo = Pick<Io, 'clock' | 'http' | 'random' | 'interrupted'>;

/**
 * The parts of `Io` for a program that imports bursar. That program owns its process: this function changes no signal
 * handler, no environment variable and no flag of Node. `ends` ends the calls.
 */
export const libraryIo = (ends?: AbortSignal): CallIo => {
  // A program may end hundreds of calls by one signal. Node warns about more than ten listeners of a signal.
  const interrupted = AbortSignal.any(ends ? [ends] : []);
  return {
    clock: clockFrom(Date.now, () => performance.now()),
    random: { bytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count), fraction: Math.random },
    http: systemHttp(interrupted, process.env, undefined, { isOwnProcess: false }),
    interrupted,
  };
};
