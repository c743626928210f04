import type { Io } from '../../io/io.ts';

/** The one-time links of a running sandbox. They are in memory and end with it. */
export type Links = Readonly<ReturnType<typeof openLinks>>;

/** Other users of the machine can see the command line of a browser. So a link is valid once, for a short time. */
const VALID_MS = 60_000;
const MAX_LINKS = 8;

/** Opens an empty list of links. */
export const openLinks = ({ random, clock }: Io) => {
  const ends = new Map<string, number>();
  return {
    /** Makes a new link and returns its token. */
    offer: (): string => {
      const token = Buffer.from(random.bytes(16)).toString('base64url');
      ends.set(token, clock.monotonic() + VALID_MS);
      for (const old of [...ends.keys()].slice(0, -MAX_LINKS)) ends.delete(old);
      return token;
    },
    /** Whether a token is valid. The call uses up the token. */
    take: (token: string): boolean => {
      const end = ends.get(token);
      ends.delete(token);
      return end !== undefined && clock.monotonic() <= end;
    },
  };
};
