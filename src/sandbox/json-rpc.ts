import * as z from 'zod';
import { isFailure, undefinedOn } from '../core/failure.ts';
import { parseJson, printJson } from '../core/json.ts';

/** An error of JSON-RPC 2.0, with the codes of the chain's nodes. */
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** The answer of a method that failed. */
export type RpcRefusal = { readonly error: RpcError };

/** The answer of a method: either a result or an error (JSON-RPC 2.0, section 5). */
export type RpcResult = { readonly result: unknown } | RpcRefusal;

/** The answer of a method that succeeded. */
export const result = (value: unknown): RpcResult => ({ result: value });

/** An error as the answer of a method. */
export const rpcError = (code: number, message: string, data?: unknown): RpcRefusal => ({
  error: { code, message, data },
});

const PARSE_ERROR = -32700;
/** The code of JSON-RPC 2.0 for JSON that is not a valid request. */
export const INVALID_REQUEST = -32600;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** An error about parameters, with the code of JSON-RPC 2.0. */
export const invalidParams = (message: string): RpcRefusal => rpcError(INVALID_PARAMS, `Invalid params: ${message}`);

const request = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
});

/** Calls one method; `undefined` for an unknown method. */
export type Dispatch = (method: string, params: readonly unknown[]) => Promise<RpcResult | undefined> | undefined;

/** Calls a method. A `Failure` becomes an error answer, so that the other calls of a list keep their answers. */
const tryDispatch = async (dispatch: Dispatch, method: string, params: readonly unknown[]): Promise<RpcResult> => {
  try {
    return (await dispatch(method, params)) ?? rpcError(UNKNOWN_METHOD, `Method not found: ${method.slice(0, 60)}`);
  } catch (error) {
    if (isFailure(error)) return rpcError(INTERNAL, error.message);
    throw error;
  }
};

/** Answers one request as text; `undefined` for a notification, which has no answer. */
const answerCall = async (dispatch: Dispatch, value: unknown): Promise<string | undefined> => {
  const parsed = request.safeParse(value);
  const id = parsed.data?.id;
  const answer = (body: RpcResult) => printJson({ jsonrpc: '2.0', id: id ?? null, ...body });
  if (!parsed.success) return answer(rpcError(INVALID_REQUEST, 'Invalid request'));
  const { method, params = [] } = parsed.data;
  if (id === undefined) return undefined;
  if (!Array.isArray(params)) return answer(invalidParams('they must be a list'));
  return answer(await tryDispatch(dispatch, method, params));
};

const MAX_CALLS = 100;

const errorText = (code: number, message: string): string =>
  printJson({ jsonrpc: '2.0', id: null, ...rpcError(code, message) });

const NOT_JSON = errorText(PARSE_ERROR, 'Parse error');

/** The answer when the sandbox itself fails. */
export const FAULT = errorText(INTERNAL, 'Internal error');
/** The answer to a body that is too large to read. */
export const TOO_LARGE = errorText(INVALID_REQUEST, 'Too large');

/**
 * Answers a request or a list of requests. Both are text; the answer to notifications is empty. JSON-RPC 2.0, section
 * 6.
 */
export const answerText = async (dispatch: Dispatch, text: string): Promise<string> => {
  const parsed = undefinedOn(() => ({ value: parseJson(text) }));
  if (!parsed) return NOT_JSON;
  const { value } = parsed;
  if (!Array.isArray(value)) return (await answerCall(dispatch, value)) ?? '';
  if (value.length === 0 || value.length > MAX_CALLS) return (await answerCall(dispatch, undefined)) ?? '';
  const answers: string[] = [];
  for (const each of value) answers.push((await answerCall(dispatch, each)) ?? '');
  const texts = answers.filter(Boolean);
  return texts.length === 0 ? '' : `[${texts.join(',')}]`;
};
