import { Failure } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import type { HttpAnswer, HttpFault } from '../io/exchange.ts';
import type { Io } from '../io/io.ts';

/** How long one call may take and how large its answer may be; `deadline` is of `io.clock.monotonic()`. */
export type RpcLimits = { readonly deadline: number; readonly longestMs: number; readonly mostBytes: number };

/** One call of JSON-RPC 2.0. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

const written = (call: RpcCall, at: number) => ({ jsonrpc: '2.0', id: at + 1, ...call });

/**
 * Posts one call of JSON-RPC 2.0, or a batch whose calls are numbered from 1, and gives what came back. Throws
 * `unavailable` when there is no time left.
 */
export const postJsonRpc = (
  io: Io,
  url: string,
  call: RpcCall | readonly RpcCall[],
  { deadline, longestMs, mostBytes }: RpcLimits,
): Promise<HttpAnswer | HttpFault> => {
  const left = deadline - io.clock.monotonic();
  if (left <= 0) throw new Failure('unavailable', 'the time given by --timeout is over');
  return io.http.send({
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'bursar' },
    body: printJson('method' in call ? written(call, 0) : call.map(written)),
    timeoutMs: Math.min(left, longestMs),
    mostBytes,
  });
};
