import { answerText, type Dispatch, FAULT } from '../json-rpc.ts';
import { acceptWebSocket, type Peer, type Upgrade } from './websocket.ts';

/** What one client of JSON-RPC over a WebSocket may call, and what is to be done when it has gone. */
export type Session = { readonly dispatch: Dispatch; readonly end: () => void };

/** JSON-RPC over WebSockets: each client gets a session of its own. `onUse` is called for every message. */
export type Sockets = {
  readonly welcome: (upgrade: Upgrade, open: (send: (text: string) => void) => Session) => void;
  /** Ends all of them. */
  readonly close: () => void;
};

/** No client yet. */
export const openSockets = (onUse: () => void): Sockets => {
  const peers = new Set<Peer>();
  return {
    welcome: (upgrade, open) => {
      const session = open((text) => peer.send(text));
      const onText = (text: string): void => {
        onUse();
        answerText(session.dispatch, text).then(
          (answer) => answer && peer.send(answer),
          () => peer.send(FAULT),
        );
      };
      const onEnd = () => {
        peers.delete(peer);
        session.end();
      };
      const peer = acceptWebSocket(upgrade, { onText, onEnd });
      peers.add(peer);
    },
    close: () => {
      for (const peer of peers) peer.close();
    },
  };
};
