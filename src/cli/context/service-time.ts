import type { Clock, Io } from '../../io/io.ts';

/** What this far apart are two clocks is no matter of seconds on the way, but of another time. */
const MAX_SKEW_MS = 60_000;

/** The same world; what each answer of a service says of the time, and when it came, is noted. */
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

/** The time by which the moments of a service are told, such as "2 minutes ago": no deadline is held against it. */
export type ServiceTime = {
  readonly now: () => number;
  /** The same world, whose answers from that address say what the time is. */
  readonly withServerClock: (io: Io, baseUrl: string) => Io;
};

/** The machine's time, until a service says another: a sandbox's clock can be moved. */
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
