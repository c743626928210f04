import { OWN_KINDS, TRICKS } from '../../contract/control/faults.ts';
import type { Endpoint } from '../../contract/define.ts';
import { ERRORS, type ErrorStatus, UNSHOWN_HTTP } from '../../contract/errors.ts';
import { type Answer, type RequestContext, send } from '../http/envelope.ts';
import type { Fault, Faults, Trick } from './faults.ts';

/** Further fields of some errors. Document: GET /yield/rebalance-opportunities; Response envelope (`errors`). */
const EXTRAS: Readonly<Record<string, Partial<Answer>>> = {
  get_rebalance_opportunities_failed: { data: { opportunities: [], sources: null } },
  validation_error: { errors: [{ field: 'body', message: 'a fault was injected' }] },
};

const isHttp = (kind: string): boolean => /^[2345]\d\d$/.test(kind);

/** The problem of a kind of fault that an endpoint does not allow, with all allowed kinds; `undefined` for a good kind. */
export const problemOfKind = ({ errors, id }: Endpoint, kind: string): string | undefined => {
  const named = [...TRICKS, ...(OWN_KINDS[id] ?? [])];
  if (Object.hasOwn(errors, kind) || isHttp(kind) || named.includes(kind)) return undefined;
  const own = Object.keys(errors).join(', ');
  return `must be an HTTP status from 200 to 599, one of ${named.join(', ')}, or an error of ${id}: ${own}`;
};

/** The documented answer of an endpoint to an error. */
export const documentedError = ({ errors }: Endpoint, status: ErrorStatus): Answer => ({
  http: errors[status] ?? UNSHOWN_HTTP,
  status,
  message: ERRORS[status].meaning,
  ...EXTRAS[status],
});

/** The answer of a fault that is no trick: a documented error, or a bare HTTP status. */
const faultAnswer = (endpoint: Endpoint, { kind, retry_after }: Fault): Answer => {
  const headers = retry_after === undefined ? {} : { headers: { 'retry-after': String(retry_after) } };
  return isHttp(kind)
    ? { http: Number(kind), status: 'injected_fault', message: 'A fault was injected.', ...headers }
    : { ...documentedError(endpoint, kind as ErrorStatus), ...headers };
};

const HTML = '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>\n';

const drop = ({ env }: RequestContext): Response => {
  env.incoming.socket.destroy();
  return new Response(null);
};

/** Sends no answer. Waits until the caller or the server closes the connection. */
const hang = async (context: RequestContext): Promise<Response> => {
  const { socket } = context.env.incoming;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return new Response(null);
};

/** Sends the first half of the body as a complete answer. */
const truncate = async (answer: Response): Promise<Response> => {
  const body = await answer.text();
  return new Response(body.slice(0, body.length >> 1), answer);
};

const runTrick = async (trick: Trick, context: RequestContext, work: () => Promise<Response>): Promise<Response> => {
  switch (trick) {
    case 'hang':
      return hang(context);
    case 'drop_before':
      return drop(context);
    case 'drop_after':
      await work();
      return drop(context);
    case 'truncate':
      return truncate(await work());
    case 'html':
      return new Response(HTML, { status: 502, headers: { 'content-type': 'text/html; charset=utf-8' } });
    default:
      return trick satisfies never;
  }
};

const trickOf = ({ kind }: Fault): Trick | undefined => TRICKS.find((trick) => trick === kind);

/** The two parts of a call under a fault. */
export type Work = {
  /** Does the call. `ownKind` is the fault that the handler makes itself. */
  readonly run: (ownKind?: string) => Promise<Response>;
  /** Changes the payment of the call like the real error with this status. */
  readonly applyError: (status: string) => Promise<void>;
};

/**
 * Answers a call by its work, or by the waiting fault of its endpoint. Of the tricks, `drop_after` and `truncate` do
 * the work.
 */
export const runWithFaults = async (
  faults: Faults,
  endpoint: Endpoint,
  context: RequestContext,
  { run: work, applyError }: Work,
): Promise<Response> => {
  const fault = faults.take(endpoint.id);
  if (!fault) return work();
  if (OWN_KINDS[endpoint.id]?.includes(fault.kind)) return work(fault.kind);
  const trick = trickOf(fault);
  if (!trick) {
    await applyError(fault.kind);
    return send(context, faultAnswer(endpoint, fault));
  }
  const answer = await runTrick(trick, context, work);
  context.env.answered = `fault ${trick}`;
  // The caller gets no answer or half of one, so the log stores no body.
  delete context.env.answerBody;
  return answer;
};
