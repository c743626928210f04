import type { Client } from '../../src/client/call.ts';
import { checkBaseUrl } from '../../src/client/envelope.ts';
import { Failure } from '../../src/core/failure.ts';
import { secret } from '../../src/core/secret.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { testIo } from '../support/io.ts';

export const KEY = 'key-of-the-test';

/** A client over real HTTP. The client records pauses instead of sleeping, and records the lines for the user and the trace. */
export const patientClient = async (url: string, timeoutMs = 5000) => {
  const paused: number[] = [];
  const noted: string[] = [];
  const traced: string[] = [];
  const { io: plain } = await testIo({ io: { http: systemHttp(new AbortController().signal) } });
  let skipped = 0;
  const clock = {
    now: plain.clock.now,
    monotonic: () => plain.clock.monotonic() + skipped,
    sleep: async (milliseconds: number) => {
      paused.push(milliseconds);
      skipped += milliseconds;
    },
  };
  const io = { ...plain, clock, random: { bytes: plain.random.bytes, fraction: () => 0.5 } };
  const client: Client = {
    io,
    service: { profile: 'test', kind: 'live', baseUrl: checkBaseUrl(url), apiKey: secret(KEY) },
    deadline: clock.monotonic() + timeoutMs,
    note: (line) => void noted.push(line),
  };
  return { client, paused, noted, traced, withTrace: { ...client, trace: (line: string) => void traced.push(line) } };
};

/** The failure of a promise. Throws when the promise resolves. */
export const failureIn = async (work: Promise<unknown>): Promise<Failure> => {
  const error = await work.catch((caught: unknown) => caught);
  if (error instanceof Failure) return error;
  throw new Error(`the call did not fail: ${JSON.stringify(error)}`);
};
