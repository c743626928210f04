import { type Fault, passOrBreak } from './faults.ts';
import { startTcpProxy, type TcpCall } from './tcp-proxy.ts';

/** A fault, or an action of the test, for the first call that contains a text. */
export type Trap = {
  /** The text that the call must contain, such as a path. */
  readonly names: string;
  /** A wallet that the call must contain: as text, or in the bytes of a transaction. */
  readonly about?: { readonly wallet: string; readonly publicKey: Uint8Array };
  readonly fault?: Fault;
  /** Runs when the whole call was read. Returns whether the proxy forwards the call. */
  readonly onCall?: () => boolean;
  /** The trap applies to every such call, not only to the first. */
  readonly isLasting?: true;
};

/** A TCP proxy before the service and one before its Solana node. */
export type YieldFaults = {
  readonly url: string;
  readonly rpcUrl: string;
  /** Sets a trap. `met` returns how many calls it caught. */
  readonly set: (trap: Trap) => { readonly met: () => number };
  readonly end: () => void;
};

/** Whether a call contains the wallet, as text or in the bytes of a transaction in base64. */
const isAbout = (text: string, about: Trap['about']): boolean =>
  about === undefined ||
  text.includes(about.wallet) ||
  [...text.matchAll(/[A-Za-z0-9+/]{100,}={0,2}/g)].some(([found]) =>
    Buffer.from(found, 'base64').includes(Buffer.from(about.publicKey)),
  );

/** Starts both proxies. They forward a call that no trap catches. */
export const startYieldFaults = async (service: string, node: string): Promise<YieldFaults> => {
  const traps: { trap: Trap; met: number }[] = [];
  const handle = async (call: TcpCall): Promise<void> => {
    const text = call.request.toString('latin1');
    const caught = traps.find(
      ({ trap, met }) => (met === 0 || trap.isLasting) && text.includes(trap.names) && isAbout(text, trap.about),
    );
    if (caught) caught.met += 1;
    if (caught?.trap.onCall && !caught.trap.onCall()) return void call.socket.destroy();
    return passOrBreak(caught?.trap.fault, call);
  };
  const [front, back] = [await startTcpProxy(service, handle), await startTcpProxy(node, handle)];
  return {
    url: front.url,
    rpcUrl: back.url + new URL(node).pathname,
    set: (trap) => {
      const entry = { trap, met: 0 };
      traps.push(entry);
      return { met: () => entry.met };
    },
    end: () => {
      front.close();
      back.close();
    },
  };
};
