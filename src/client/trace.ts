import { escapeText } from '../core/escape.ts';
import { printJson } from '../core/json.ts';
import { type Redaction, redact, redactionOf, redactUrl, secretsIn } from '../core/redact.ts';
import type { HttpAnswer, HttpFault } from '../io/http/http.ts';
import { parsed, secretsOf } from './guard.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Prints a line about a call, for --debug. */
export type Trace = (line: string) => void | Promise<void>;

/** The maximum length of a body in a trace. Longer bodies are cut. */
const LONGEST = 4000;
const LARGEST_SHOWN = 256 * 1024;

const bodyLine = (text: string, redaction: Redaction): string => {
  if (text.length > LARGEST_SHOWN) return `(${text.length} characters)`;
  const json = parsed(text);
  if (json === undefined) return `(${text.length} characters, not JSON)`;
  const shown = printJson(redact(json, redaction));
  return escapeText(shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown);
};

/** Traces a request and its end. Masks secrets by name, value and shape. */
export const traced = (trace: Trace | undefined, service: Service, request: WireRequest) => {
  if (!trace) return { sent: async () => undefined, ended: async () => undefined };
  const { method, url, body } = request;
  const secrets = secretsOf(service, request);
  const redactRequest = redactionOf(secrets);
  return {
    sent: async () => {
      await trace(`> ${method} ${escapeText(redactUrl(url, redactRequest))}`);
      if (body !== undefined) await trace(`> ${bodyLine(body, redactRequest)}`);
    },
    ended: async (answer: HttpAnswer | HttpFault, took: number) => {
      const time = `${Math.round(took)} ms`;
      if (answer.kind === 'fault')
        return trace(`< ${answer.reason} (${escapeText(redactRequest(answer.message))}), ${time}`);
      const text = new TextDecoder().decode(answer.body);
      const answerSecrets = text.length > LARGEST_SHOWN ? [] : secretsIn(parsed(text));
      const id = requestIdOf(answer);
      const idText = id === undefined ? '' : `, request ${redactRequest(id)}`;
      await trace(`< HTTP ${answer.http}, ${answer.body.length} bytes, ${time}${idText}`);
      await trace(`< ${bodyLine(text, redactionOf([...secrets, ...answerSecrets]))}`);
    },
  };
};

/** Headers with the id of a request, of services first, then of gateways and clouds. The service documents none. */
const NAMES = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-ms-request-id',
  'cf-ray',
];

/** A plain word of limited length. Any other value is not an id. */
const IS_ID = /^[\w.:=/+@-]{1,128}$/;

/** The id of the request in the headers of an answer, for a support request; `undefined` if there is none. */
export const requestIdOf = ({ headers }: HttpAnswer): string | undefined =>
  NAMES.map((name) => headers[name]?.trim()).find((value) => value !== undefined && IS_ID.test(value));
