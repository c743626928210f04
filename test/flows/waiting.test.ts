import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { waitFor } from '../../src/flows/read-back.ts';
import { failureIn, patientClient } from '../client/client.ts';

/** Waits this long for a state that never comes, with this random number; returns the pauses between two reads. */
const pausesOf = async (
  timeoutMs: number,
  fraction: () => number,
  read: () => Promise<string> = async () => 'open',
) => {
  const { client, paused } = await patientClient('http://127.0.0.1:1', timeoutMs);
  const io = { ...client.io, random: { ...client.io.random, fraction } };
  const failure = await failureIn(
    waitFor<string>(
      { ...client, io },
      {
        read,
        stateOf: (state) => state,
        onState: () => undefined,
        isDone: () => false,
        notFinal: (state) => new Failure('not_final', state),
      },
    ),
  );
  return { paused, code: failure.code };
};

describe('a wait', () => {
  it('pauses longer each time, up to ten seconds, and reads once more just before its end', async () => {
    const { paused, code } = await pausesOf(120_000, () => 0.5);
    expect(code).toBe('not_final');
    expect(paused.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
    for (const pause of paused.slice(6, -1)) expect(pause).toBe(10_000);
    const whole = paused.reduce((sum, pause) => sum + pause, 0);
    expect(whole).toBeGreaterThan(119_000);
    expect(whole).toBeLessThan(119_600);
  });

  it('varies each pause by a quarter, so that waits that started together do not read together', async () => {
    const [shortest, longest] = [await pausesOf(20_000, () => 0), await pausesOf(20_000, () => 1)];
    expect(shortest.paused.slice(0, 3)).toEqual([187.5, 375, 750]);
    expect(longest.paused.slice(0, 3)).toEqual([312.5, 625, 1250]);
  });

  it('never reads before the time that the service asks for', async () => {
    const limited = async (): Promise<string> => {
      throw new Failure('limit_reached', 'slow down', { http: 429, isTransient: true, retryAfterMs: 7000 });
    };
    for (const fraction of [0, 1]) {
      const { paused } = await pausesOf(30_000, () => fraction, limited);
      expect(paused[0]).toBeGreaterThanOrEqual(7000);
      expect(paused[0]).toBeLessThanOrEqual(10_500);
      expect(paused.length).toBeLessThan(5);
    }
  });

  it('continues after failed reads, and ends with the last state that it read', async () => {
    let reads = 0;
    const flaky = async (): Promise<string> => {
      reads += 1;
      if (reads > 1) throw new Failure('unavailable', 'gone for a moment');
      return 'processing';
    };
    const { code } = await pausesOf(5000, () => 0.5, flaky);
    expect({ code, isMany: reads > 3 }).toEqual({ code: 'not_final', isMany: true });
  });
});
