import type { Endpoint } from '../../../src/contract/define.ts';
import type { Io } from '../../../src/io/io.ts';
import type { RunOptions } from '../../../src/sandbox/run.ts';
import { type Answer, sandboxIo, startTestSandbox, type TestSandbox } from '../sandbox.ts';

/** Starts a sandbox in the home of the case; a case may start it more than once. */
export type Start = ((options?: RunOptions) => Promise<TestSandbox>) & { readonly io: Io };

/** One documented error of one endpoint, and how to provoke it without an injected fault. */
export type Case = {
  readonly endpoint: Endpoint['id'];
  readonly error: string;
  /** The cause in the table of errors. */
  readonly cause: string;
  /** Provokes the error; resolves with the answer of the endpoint. */
  readonly provoke: (start: Start) => Promise<Answer>;
};

/** The request of each answer, which shows when a case returns the answer of another endpoint. */
export type Sources = WeakMap<Answer, string>;

const recordSources = (sandbox: TestSandbox, sources: Sources): TestSandbox => {
  const record = async (request: string, pending: Promise<Answer>): Promise<Answer> => {
    const answer = await pending;
    sources.set(answer, request);
    return answer;
  };
  return {
    ...sandbox,
    call: (method, path, options) => record(`${method} ${path}`, sandbox.call(method, path, options)),
    get: (path) => record(`GET ${path}`, sandbox.get(path)),
    post: (path, body) => record(`POST ${path}`, sandbox.post(path, body)),
    control: (method, path, body) => {
      if (path.startsWith('fault')) throw new Error('a case must not inject its error as a fault');
      return sandbox.control(method, path, body);
    },
  };
};

/** The `start` function of one case. */
export const startsFor = async (sources: Sources): Promise<Start> => {
  const io = await sandboxIo();
  const start = async (options: RunOptions = { ephemeral: true }) =>
    recordSources(await startTestSandbox(io, options), sources);
  return Object.assign(start, { io });
};

/** A case that needs one ephemeral sandbox. */
export const inOneSandbox = (
  endpoint: Endpoint['id'],
  error: string,
  cause: string,
  provoke: (sandbox: TestSandbox) => Promise<Answer>,
): Case => ({ endpoint, error, cause, provoke: async (start) => provoke(await start()) });

/** A case that stops its sandbox, damages its files, and provokes the error after a restart. */
export const afterDamage = (
  endpoint: Endpoint['id'],
  error: string,
  cause: string,
  damage: (io: Io) => Promise<unknown>,
  before: (sandbox: TestSandbox) => Promise<(sandbox: TestSandbox) => Promise<Answer>>,
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
