import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What happens to the statement of a chunk: it or its answer is lost with the connection, or it passes. `stay away`: its answer
 * is lost, and from then on the server is unreachable.
 */
export type StatementFate = 'pass' | 'lose statement' | 'lose answer' | 'stay away';

type PgSettings = {
  /** Called with the text that the client sends, before it is forwarded. */
  readonly fateOf?: (text: string) => StatementFate | Promise<StatementFate>;
  /** Every new connection is closed at once. */
  readonly isDown?: boolean;
};

/** A proxy before PostgreSQL. */
export type PgProxy = {
  /** The address of a journal through the proxy. */
  readonly through: (url: string) => string;
  readonly set: (settings: PgSettings) => void;
  /** Closes all connections, and refuses new ones until the next `set`. */
  readonly cut: () => void;
  /** Leads all later connections to another server, and closes those that exist. */
  readonly moveTo: (port: number) => void;
};

/** The end of the answer to a statement: the server is ready, and outside a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** The step of the entry that a text sends to the database; `undefined` for other texts. */
export const stepOfEntry = (text: string): string | undefined =>
  text.includes('"movement":') ? /"step":"([a-z_]+)"/.exec(text)?.[1] : undefined;

/** Starts a proxy before PostgreSQL, until the end of the test. Without settings it forwards everything. */
export const startPgProxy = async (firstPort: number): Promise<PgProxy> => {
  let settings: PgSettings = {};
  let port = firstPort;
  const open = new Set<Socket>();
  const tracked = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const cut = (): void => {
    settings = { isDown: true };
    for (const socket of open) socket.destroy();
  };
  const serve = (client: Socket): void => {
    if (settings.isDown) return void client.destroy();
    const server = tracked(connect(port, '127.0.0.1'));
    let lost: StatementFate | undefined;
    let forwarded = Promise.resolve();
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    const forward = async (chunk: Buffer): Promise<void> => {
      const fate = (await settings.fateOf?.(chunk.toString('latin1'))) ?? 'pass';
      if (fate === 'lose statement') return end();
      if (fate !== 'pass') lost = fate;
      server.write(chunk);
    };
    client.on('data', (chunk) => {
      forwarded = forwarded.then(() => forward(Buffer.from(chunk)));
    });
    server.on('data', (chunk) => {
      if (lost === undefined) return void client.write(chunk);
      if (!Buffer.from(chunk).subarray(-READY.length).equals(READY)) return;
      if (lost === 'stay away') cut();
      else end();
    });
    client.on('close', end);
    server.on('close', end);
  };
  const listener = createServer((socket) => serve(tracked(socket)));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const own = (listener.address() as AddressInfo).port;
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    listener.close();
  });
  return {
    through: (url) => url.replace(/:\d+\//, `:${own}/`),
    set: (next) => {
      settings = next;
    },
    cut,
    moveTo: (next) => {
      port = next;
      for (const socket of open) socket.destroy();
    },
  };
};
