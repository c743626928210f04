import type { Io } from '../../../io/io.ts';
import type { Act } from './acts.ts';

/** The result of the last act. A page shows it once. */
export type Outcome = { readonly isDone: boolean; readonly message: string };

/** A session in which the user may act. Its id is in the address of its pages, and in no cookie. */
export type Session = Readonly<ReturnType<typeof openSession>>;

/** The sessions of a running sandbox. They are in memory and end with it. */
export type Sessions = Readonly<ReturnType<typeof openSessions>>;

/** The oldest sessions and forms end when there are more than this. */
const MAX_SESSIONS = 8;
const MAX_FORMS = 50;

/** A session ends after this time without use. */
const IDLE_MS = 8 * 3_600_000;

/** A random name of 128 bits. */
const newName = (io: Io): string => Buffer.from(io.random.bytes(16)).toString('hex');

const deleteOldest = <T>(map: Map<string, T>, limit: number): void => {
  for (const name of [...map.keys()].slice(0, -limit)) map.delete(name);
};

const openSession = (io: Io) => {
  const forms = new Map<string, Act>();
  let outcome: Outcome | undefined;
  let usedMs = io.clock.monotonic();
  return {
    /** Stores the act of one form, and returns the form's token. Other fields of the form do not count. */
    addForm: (act: Act): string => {
      const token = newName(io);
      forms.set(token, act);
      deleteOldest(forms, MAX_FORMS);
      return token;
    },
    /** Removes and returns the act of a form; `undefined` for a used token or a token of another session. */
    takeForm: (token: string): Act | undefined => {
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
    isExpired: () => io.clock.monotonic() - usedMs > IDLE_MS,
    use: () => {
      usedMs = io.clock.monotonic();
    },
  };
};

/** Opens an empty list of sessions. */
export const openSessions = (io: Io) => {
  const sessions = new Map<string, Session>();
  return {
    /** Begins a session and returns its id. The caller has checked the acting key. */
    begin: (): string => {
      const id = newName(io);
      sessions.set(id, openSession(io));
      deleteOldest(sessions, MAX_SESSIONS);
      return id;
    },
    find: (id: string): Session | undefined => {
      const session = sessions.get(id);
      if (!session || session.isExpired()) return undefined;
      session.use();
      return session;
    },
  };
};
