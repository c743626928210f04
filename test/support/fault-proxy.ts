import { type Fault, page, passOrBreak } from './faults.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A request, in parts and as its whole text. */
export type Seen = { readonly method: string; readonly path: string; readonly text: string };

type Settings = {
  /** The fault of a request; `undefined` passes it on. */
  readonly faultOf?: (seen: Seen) => Fault | undefined;
  /** What happens to every question to a node of the sandbox. */
  readonly nodeFault?: Fault;
  /** Awaited when a request was read whole, and before anything becomes of it. */
  readonly onRequest?: (seen: Seen) => void | Promise<void>;
};

/** A proxy before a service that breaks what it is told to. */
export type FaultProxy = TcpProxy & {
  /** Requests in the order in which they came. */
  readonly seen: Seen[];
  readonly set: (settings: Settings) => void;
};

const seenIn = (request: Buffer): Seen => {
  const text = request.toString('latin1');
  const [method = '', path = ''] = text.split(' ', 2);
  return { method, path, text };
};

/** Answers that are always the same, by their path: they need no service. */
type Fixed = Readonly<Record<string, string>>;

/** Starts a proxy before the service at a URL. Without settings it passes everything on; what goes to a node is not seen. */
export const startFaultProxy = async (target: string, fixed: Fixed = {}): Promise<FaultProxy> => {
  const seen: Seen[] = [];
  let settings: Settings = {};
  const proxy = await startTcpProxy(target, async (call) => {
    const one = seenIn(call.request);
    const known = fixed[one.path];
    if (known !== undefined) return void call.socket.end(page('200 OK', 'application/json', known));
    // Questions to a node of the sandbox are no calls of the service.
    if (one.path.startsWith('/_chain/')) return passOrBreak(settings.nodeFault, call);
    seen.push(one);
    await settings.onRequest?.(one);
    return passOrBreak(settings.faultOf?.(one), call);
  });
  return {
    ...proxy,
    seen,
    set: (next) => {
      settings = next;
    },
  };
};
