import type { Io } from '../../io/io.ts';

/** The one-time links of a running sandbox. They end with it. */
export type Links = Readonly<ReturnType<typeof openLinks>>;

/** Other users of the machine see the command line of a browser. So its link is valid once, and for a short time. */
const VALID_MS = 60_000;
const MAX_LINKS = 8;

/** Opens the links of a sandbox: there is none yet. */
export const openLinks = ({ random, clock }: Io) => {
  const ends = new Map<string, number>();
  return {
    /** Makes the token of a new link. */
    offer: (): string => {
      const token = Buffer.from(random.bytes(16)).toString('base64url');
      ends.set(token, clock.monotonic() + VALID_MS);
      for (const old of [...ends.keys()].slice(0, -MAX_LINKS)) ends.delete(old);
      return token;
    },
    /** Whether the token is valid. It is used up by this. */
    take: (token: string): boolean => {
      const end = ends.get(token);
      ends.delete(token);
      return end !== undefined && clock.monotonic() <= end;
    },
  };
};
