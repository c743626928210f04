import { escapeText } from '../core/escape.ts';
import { printJson } from '../core/json.ts';
import { type Redaction, redact, redactionOf, redactUrl, secretsIn } from '../core/redact.ts';
import type { HttpAnswer, HttpFault } from '../io/exchange.ts';
import { parsed, secretsOf } from './guard.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Takes a line about a call, for --debug. */
export type Trace = (line: string) => void | Promise<void>;

/** Longer bodies are cut: a trace is read by a person. */
const LONGEST = 4000;
const LARGEST_SHOWN = 256 * 1024;

const bodyLine = (text: string, redaction: Redaction): string => {
  if (text.length > LARGEST_SHOWN) return `(${text.length} characters)`;
  const json = parsed(text);
  if (json === undefined) return `(${text.length} characters that are no JSON)`;
  const shown = printJson(redact(json, redaction));
  return escapeText(shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown);
};

/** Tells a trace of a request and, later, of how it ended. Secrets are masked by name, by value and by shape. */
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

/** Headers by which services, gateways and clouds name a request; no document names one. The service's own come first. */
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

/** A plain word of some length: anything else helps nobody to find the request. */
const IS_ID = /^[\w.:=/+@-]{1,128}$/;

/** The name that an answer gives its request, for who asks the service's operators about it; `undefined` where it has none. */
export const requestIdOf = ({ headers }: HttpAnswer): string | undefined =>
  NAMES.map((name) => headers[name]?.trim()).find((value) => value !== undefined && IS_ID.test(value));
