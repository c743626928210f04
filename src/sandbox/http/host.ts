/** Names of this machine's loopback. Anything else in a Host header is a web page that was pointed at it. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a request was meant for this server: a loopback name with the server's own port. */
export const isOwnHost = (host: string | undefined, port: number | undefined): boolean =>
  host !== undefined && NAMES.some((name) => host.toLowerCase() === `${name}:${port}`);
