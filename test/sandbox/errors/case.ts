import type { Endpoint } from '../../../src/contract/define.ts';
import type { Io } from '../../../src/io/io.ts';
import type { RunOptions } from '../../../src/sandbox/run.ts';
import { type Seen, sandboxIo, startTestSandbox, type TestSandbox } from '../sandbox.ts';

/** Starts a sandbox of this case's own home, which it may do more than once. */
export type Start = ((options?: RunOptions) => Promise<TestSandbox>) & { readonly io: Io };

/** One documented error of one endpoint, and how it comes about: never by an injected fault. */
export type Case = {
  readonly endpoint: Endpoint['id'];
  readonly error: string;
  /** What went wrong, in words for the table. */
  readonly cause: string;
  /** Makes it go wrong; resolves with the answer of the endpoint. */
  readonly provoke: (start: Start) => Promise<Seen>;
};

/** Requests by their answers, so that a case cannot show the answer of another endpoint. */
export type Sources = WeakMap<Seen, string>;

const remembering = (sandbox: TestSandbox, sources: Sources): TestSandbox => {
  const note = async (request: string, answer: Promise<Seen>): Promise<Seen> => {
    const seen = await answer;
    sources.set(seen, request);
    return seen;
  };
  return {
    ...sandbox,
    call: (method, path, ask) => note(`${method} ${path}`, sandbox.call(method, path, ask)),
    get: (path) => note(`GET ${path}`, sandbox.get(path)),
    post: (path, body) => note(`POST ${path}`, sandbox.post(path, body)),
    control: (method, path, body) => {
      if (path.startsWith('fault')) throw new Error('an error of the table is not to be injected');
      return sandbox.control(method, path, body);
    },
  };
};

/** What a case starts its sandboxes with. */
export const startsFor = async (sources: Sources): Promise<Start> => {
  const io = await sandboxIo();
  const start = async (options: RunOptions = { ephemeral: true }) =>
    remembering(await startTestSandbox(io, options), sources);
  return Object.assign(start, { io });
};

/** A case that needs one sandbox, and keeps nothing. */
export const inOne = (
  endpoint: Endpoint['id'],
  error: string,
  cause: string,
  provoke: (sandbox: TestSandbox) => Promise<Seen>,
): Case => ({ endpoint, error, cause, provoke: async (start) => provoke(await start()) });

/** A case whose sandbox is stopped in between, and comes back with what was changed behind its back. */
export const afterDamage = (
  endpoint: Endpoint['id'],
  error: string,
  cause: string,
  damage: (io: Io) => Promise<unknown>,
  before: (sandbox: TestSandbox) => Promise<(sandbox: TestSandbox) => Promise<Seen>>,
): Case => ({
  endpoint,
  error,
  cause,
  provoke: async (start) => {
    const first = await start({});
    const provoke = await before(first);
    await first.stop();
    await damage(start.io);
    return provoke(await start({}));
  },
});
