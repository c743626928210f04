import { type Fault, page, passOrBreak } from './faults.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A request: its method, its path and its whole text. */
export type Seen = { readonly method: string; readonly path: string; readonly text: string };

type Settings = {
  /** The fault of a request. `undefined` forwards the request. */
  readonly faultOf?: (seen: Seen) => Fault | undefined;
  /** The fault of every call to a node of the sandbox. */
  readonly nodeFault?: Fault;
  /** Runs when a request was read, before it is forwarded or broken. */
  readonly onRequest?: (seen: Seen) => void | Promise<void>;
};

/** A proxy before a service that breaks calls by its settings. */
export type FaultProxy = TcpProxy & {
  /** The requests in order. */
  readonly seen: Seen[];
  readonly set: (settings: Settings) => void;
};

const seenIn = (request: Buffer): Seen => {
  const text = request.toString('latin1');
  const [method = '', path = ''] = text.split(' ', 2);
  return { method, path, text };
};

/** Answers by path that the proxy itself returns. */
type FixedAnswers = Readonly<Record<string, string>>;

/** Starts a proxy before a service. Without settings it forwards every call. `seen` excludes calls to nodes. */
export const startFaultProxy = async (target: string, fixed: FixedAnswers = {}): Promise<FaultProxy> => {
  const seen: Seen[] = [];
  let settings: Settings = {};
  const proxy = await startTcpProxy(target, async (call) => {
    const request = seenIn(call.request);
    const answer = fixed[request.path];
    if (answer !== undefined) return void call.socket.end(page('200 OK', 'application/json', answer));
    // A call to a node of the sandbox is no call of the service.
    if (request.path.startsWith('/_chain/')) return passOrBreak(settings.nodeFault, call);
    seen.push(request);
    await settings.onRequest?.(request);
    return passOrBreak(settings.faultOf?.(request), call);
  });
  return {
    ...proxy,
    seen,
    set: (next) => {
      settings = next;
    },
  };
};
