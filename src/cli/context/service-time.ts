import type { Clock, Io } from '../../io/io.ts';

/** A larger difference between two clocks is not the delay of an answer. */
const MAX_SKEW_MS = 60_000;

/** `io` with an observer of the `Date` header of each answer, from one origin or from all. `at` is the local time. */
export const observeDates = (io: Io, note: (date: string, at: number) => void, origin?: string): Io => ({
  ...io,
  http: {
    send: async (request) => {
      const answer = await io.http.send(request);
      const date = answer.kind === 'answer' ? answer.headers['date'] : undefined;
      const isSameOrigin = origin === undefined || new URL(request.url).origin === origin;
      if (date !== undefined && isSameOrigin) note(date, io.clock.now());
      return answer;
    },
  },
});

/** The clock for relative times of a service, such as "2 minutes ago". No deadline uses it. */
export type ServiceTime = {
  readonly now: () => number;
  /** `io` whose answers from that address set this clock. */
  readonly withServerClock: (io: Io, baseUrl: string) => Io;
};

/** Makes a clock with the machine's time, adjusted by the service's answers: a sandbox's clock can be moved. */
export const serviceTime = (clock: Clock): ServiceTime => {
  let skew = 0;
  const observe = (date: string, at: number): void => {
    const ahead = Date.parse(date) - at;
    skew = Math.abs(ahead) > MAX_SKEW_MS ? ahead : 0;
  };
  return {
    now: () => clock.now() + skew,
    withServerClock: (io, baseUrl) => observeDates(io, observe, new URL(baseUrl).origin),
  };
};
