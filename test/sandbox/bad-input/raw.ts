import { connect } from 'node:net';

/** The received text, and whether the server closed the connection. */
export type Exchange = { readonly text: string; readonly isClosed: boolean };

/** Sends raw bytes and waits until the server closes the connection or sends nothing for `silenceMs`. */
export const exchange = (
  url: string,
  bytes: string | readonly (string | Uint8Array)[],
  silenceMs = 400,
): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part);
    });
    const end = (isClosed: boolean) => {
      socket.destroy();
      resolve({ text: Buffer.concat(parts).toString('latin1'), isClosed });
    };
    let timer = setTimeout(end, silenceMs, false);
    socket.on('data', (chunk) => {
      parts.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(end, silenceMs, false);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      end(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses the rest of a request resets the connection.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });

/** The answers of one exchange: HTTP status and body. */
export const answersIn = ({ text }: Exchange): readonly { readonly http: number; readonly body: string }[] =>
  text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part.startsWith('HTTP/'))
    .map((part) => ({
      http: Number(part.slice(9, 12)),
      body: part.slice(part.indexOf('\r\n\r\n') + 4),
    }));
