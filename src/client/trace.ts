import { escapeText } from '../core/escape.ts';
import { parseJson, printJson } from '../core/json.ts';
import { redact, redactUrl, secretsIn } from '../core/redact.ts';
import type { HttpAnswer, HttpFault } from '../io/io.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Takes a line about a call, for --debug. */
export type Trace = (line: string) => void | Promise<void>;

/** Longer bodies are cut: a trace is read by a person. */
const LONGEST = 4000;
const LARGEST_SHOWN = 256 * 1024;

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const bodyLine = (text: string, secrets: readonly string[]): string => {
  if (text.length > LARGEST_SHOWN) return `(${text.length} characters)`;
  const json = parsed(text);
  if (json === undefined) return `(${text.length} characters that are no JSON)`;
  const shown = printJson(redact(json, secrets));
  return escapeText(shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown);
};

/** Tells a trace of a request and, later, of how it ended. Secrets are masked by name and by value. */
export const traced = (trace: Trace | undefined, service: Service, { method, url, body }: WireRequest) => {
  const own = service.apiKey ? [service.apiKey.reveal()] : [];
  const secrets = [...own, ...secretsIn(body === undefined ? undefined : parsed(body))];
  return {
    sent: async () => {
      await trace?.(`> ${method} ${escapeText(redactUrl(url, secrets))}`);
      if (body !== undefined) await trace?.(`> ${bodyLine(body, secrets)}`);
    },
    ended: async (answer: HttpAnswer | HttpFault, took: number) => {
      const time = `${Math.round(took)} ms`;
      if (answer.kind === 'fault') return trace?.(`< ${answer.reason} (${escapeText(answer.message)}), ${time}`);
      await trace?.(`< HTTP ${answer.http}, ${answer.body.length} bytes, ${time}`);
      await trace?.(`< ${bodyLine(new TextDecoder().decode(answer.body), secrets)}`);
    },
  };
};
