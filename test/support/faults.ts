import { HEAD_END, type TcpCall } from './tcp-proxy.ts';

const KINDS = ['drop', 'hang', 'reset', 'HTML 502', '500', '429'] as const;

/** What happens to a call: before it reaches the service, or after the proxy has the whole answer. */
export type Fault = `${(typeof KINDS)[number]} ${'before' | 'after'}` | 'truncate';

/** Faults before a call reaches the service. A reset is left out, because it equals a drop there. */
export const BEFORE: readonly Fault[] = KINDS.filter((kind) => kind !== 'reset').map((kind): Fault => `${kind} before`);

/** Faults after the service has answered a call. */
export const AFTER: readonly Fault[] = [...KINDS.map((kind): Fault => `${kind} after`), 'truncate'];

/** A whole HTTP answer. */
export const page = (status: string, type: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close${HEAD_END}${body}`;

const envelope = (statusCode: number, status: string): string =>
  JSON.stringify({ statusCode, success: false, status, message: `a gateway says ${status}` });

/** Answers of a gateway instead of the service's answer. */
const GATEWAY_ANSWERS: Readonly<Record<string, string>> = {
  'HTML 502': page('502 Bad Gateway', 'text/html', '<html><h1>Bad Gateway</h1></html>'),
  '500': page('500 Internal Server Error', 'application/json', envelope(500, 'internal_error')),
  '429': page('429 Too Many Requests', 'application/json', envelope(429, 'too_many_requests')),
};

/** Forwards a call, or breaks it. */
export const passOrBreak = async (fault: Fault | undefined, { socket, forward }: TcpCall): Promise<void> => {
  const kind = fault?.replace(/ (?:before|after)$/, '') ?? '';
  const answer = fault?.endsWith(' before') ? '' : await forward();
  if (kind === 'hang') return;
  if (kind === 'drop') socket.destroy();
  else if (kind === 'reset') socket.resetAndDestroy();
  else if (kind === 'truncate') socket.end(answer.slice(0, answer.length - 20));
  else socket.end(GATEWAY_ANSWERS[kind] ?? answer);
};
