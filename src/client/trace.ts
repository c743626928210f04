import { escapeText } from '../core/escape.ts';
import { printJson } from '../core/json.ts';
import { type Redaction, redact, redactionOf, redactUrl, secretsIn } from '../core/redact.ts';
import type { HttpAnswer, HttpFault } from '../io/exchange.ts';
import { parsed, secretsOf } from './guard.ts';
import type { WireRequest } from './request.ts';
import { requestIdOf } from './request-id.ts';
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
  const asked = redactionOf(secrets);
  return {
    sent: async () => {
      await trace(`> ${method} ${escapeText(redactUrl(url, asked))}`);
      if (body !== undefined) await trace(`> ${bodyLine(body, asked)}`);
    },
    ended: async (answer: HttpAnswer | HttpFault, took: number) => {
      const time = `${Math.round(took)} ms`;
      if (answer.kind === 'fault') return trace(`< ${answer.reason} (${escapeText(asked(answer.message))}), ${time}`);
      const text = new TextDecoder().decode(answer.body);
      const found = text.length > LARGEST_SHOWN ? [] : secretsIn(parsed(text));
      const id = requestIdOf(answer);
      const named = id === undefined ? '' : `, request ${asked(id)}`;
      await trace(`< HTTP ${answer.http}, ${answer.body.length} bytes, ${time}${named}`);
      await trace(`< ${bodyLine(text, redactionOf([...secrets, ...found]))}`);
    },
  };
};
