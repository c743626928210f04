import type { Io } from '../../../io/io.ts';
import type { Act } from './acts.ts';

/** What came of the last act, shown once. */
export type Outcome = { readonly isDone: boolean; readonly message: string };

/** A browser that may act. Its id is part of the address of its pages, and in no cookie. */
export type Session = Readonly<ReturnType<typeof openSession>>;

/** The sessions of a running sandbox. They end with it. */
export type Sessions = Readonly<ReturnType<typeof openSessions>>;

/** Older sessions and forms end when there are more. */
const MAX_SESSIONS = 8;
const MAX_FORMS = 50;

/** A session that was not used for so long has ended. */
const IDLE_MS = 8 * 3_600_000;

/** A random name of 128 bits. */
const newName = (io: Io): string => Buffer.from(io.random.bytes(16)).toString('hex');

const lastOf = <T>(map: Map<string, T>, most: number): void => {
  for (const name of [...map.keys()].slice(0, -most)) map.delete(name);
};

const openSession = (io: Io) => {
  const forms = new Map<string, Act>();
  let outcome: Outcome | undefined;
  let usedMs = io.clock.monotonic();
  return {
    /** Makes the token of one form. It stands for exactly this act, whatever else the form sends. */
    offer: (act: Act): string => {
      const token = newName(io);
      forms.set(token, act);
      lastOf(forms, MAX_FORMS);
      return token;
    },
    /** The act of a form, once; `undefined` for a token that is used up or is none of this session. */
    take: (token: string): Act | undefined => {
      const act = forms.get(token);
      forms.delete(token);
      return act;
    },
    finish: (result: Outcome) => {
      outcome = result;
    },
    takeOutcome: (): Outcome | undefined => {
      const last = outcome;
      outcome = undefined;
      return last;
    },
    isOver: () => io.clock.monotonic() - usedMs > IDLE_MS,
    use: () => {
      usedMs = io.clock.monotonic();
    },
  };
};

/** Opens the sessions of a sandbox: there is none yet. */
export const openSessions = (io: Io) => {
  const sessions = new Map<string, Session>();
  return {
    /** The id of a new session, for who came with the acting key. */
    begin: (): string => {
      const id = newName(io);
      sessions.set(id, openSession(io));
      lastOf(sessions, MAX_SESSIONS);
      return id;
    },
    find: (id: string): Session | undefined => {
      const session = sessions.get(id);
      if (!session || session.isOver()) return undefined;
      session.use();
      return session;
    },
  };
};
