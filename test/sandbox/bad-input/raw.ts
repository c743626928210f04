import { connect } from 'node:net';

/** What came back over a connection, and whether the server ended it. */
export type Exchange = { readonly text: string; readonly isClosed: boolean };

/** Sends bytes as they are and waits until the server closes, or says nothing more for a while. */
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
      // A server that refuses the rest of what is being written resets the connection.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });

/** The answers of one exchange: HTTP and the envelope, or what there was instead. */
export const answersIn = ({ text }: Exchange): readonly { readonly http: number; readonly body: string }[] =>
  text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part.startsWith('HTTP/'))
    .map((part) => ({
      http: Number(part.slice(9, 12)),
      body: part.slice(part.indexOf('\r\n\r\n') + 4),
    }));
