import { type Fault, passOrBreak } from './faults.ts';
import { startTcpProxy, type TcpCall } from './tcp-proxy.ts';

/** What is done with the first call that names some text: a fault, or something of the test's own before it goes on. */
export type Trap = {
  /** What the call must hold, such as a path. */
  readonly names: string;
  /** A wallet that it must be about: in its body as text, or in the bytes of a transaction. */
  readonly about?: { readonly wallet: string; readonly publicKey: Uint8Array };
  readonly fault?: Fault;
  /** When the whole call is here; whether it goes on to the service. */
  readonly onCall?: () => boolean;
  /** It catches every such call, not the first alone. */
  readonly isLasting?: true;
};

/** A TCP proxy before the service and one before its Solana node. */
export type YieldFaults = {
  readonly url: string;
  readonly rpcUrl: string;
  /** Sets a trap for one call; gives how often it was met. */
  readonly set: (trap: Trap) => { readonly met: () => number };
  readonly end: () => void;
};

/** Base64 in a call, as bytes: a transaction holds its wallet so. */
const isAbout = (text: string, about: Trap['about']): boolean =>
  about === undefined ||
  text.includes(about.wallet) ||
  [...text.matchAll(/[A-Za-z0-9+/]{100,}={0,2}/g)].some(([found]) =>
    Buffer.from(found, 'base64').includes(Buffer.from(about.publicKey)),
  );

/** Starts both proxies; what no trap is set for goes through as it is. */
export const startYieldFaults = async (service: string, node: string): Promise<YieldFaults> => {
  const traps: { trap: Trap; met: number }[] = [];
  const handle = async (call: TcpCall): Promise<void> => {
    const text = call.request.toString('latin1');
    const found = traps.find(
      ({ trap, met }) => (met === 0 || trap.isLasting) && text.includes(trap.names) && isAbout(text, trap.about),
    );
    if (found) found.met += 1;
    if (found?.trap.onCall && !found.trap.onCall()) return void call.socket.destroy();
    return passOrBreak(found?.trap.fault, call);
  };
  const [front, back] = [await startTcpProxy(service, handle), await startTcpProxy(node, handle)];
  return {
    url: front.url,
    rpcUrl: back.url + new URL(node).pathname,
    set: (trap) => {
      const kept = { trap, met: 0 };
      traps.push(kept);
      return { met: () => kept.met };
    },
    end: () => {
      front.close();
      back.close();
    },
  };
};
