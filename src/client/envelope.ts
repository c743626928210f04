import { type FieldError, messageOf } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import type { HttpAnswer } from '../io/io.ts';

/** The service's answer. Document: Response envelope. */
export type Envelope = {
  readonly statusCode: number;
  readonly success: boolean;
  readonly status: string;
  readonly message: string;
  readonly data?: unknown;
  readonly errors?: readonly FieldError[];
};

type Reading = { readonly envelope: Envelope } | { readonly problem: string };

/** Remote values that should be text; what is neither text nor a number is shown as JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : printJson(value ?? ''));

const fieldErrors = (value: unknown): readonly FieldError[] | undefined =>
  Array.isArray(value)
    ? value.filter(isJsonObject).map(({ field, message }) => ({ field: asText(field), message: asText(message) }))
    : undefined;

const describeBody = (answer: HttpAnswer): string => {
  const type = answer.headers['content-type'] ?? 'no content type';
  return `HTTP ${answer.http}, ${type}, ${answer.body.length} bytes`;
};

/** Only the origin: the rest of an address may hold what is nobody's business. */
const originOf = (location: string | undefined, from: string): string => {
  if (location === undefined || !URL.canParse(location, from)) return 'nowhere';
  const { origin, protocol } = new URL(location, from);
  if (origin === 'null') return `an address of ${protocol}`;
  return origin === new URL(from).origin ? 'another path of its own' : origin;
};

/** `application/json`, and what is a kind of it (RFC 6839). An answer that names no type may be the service's. */
const isJsonType = (type: string | undefined): boolean =>
  type === undefined || /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);

/**
 * Reads an answer as the service's envelope, or says why it is none: a redirect, a proxy's page, half a
 * document, or a `statusCode` that differs from the HTTP status. `url` is what was asked.
 */
export const readEnvelope = (answer: HttpAnswer, url: string): Reading => {
  if (answer.http >= 300 && answer.http < 400) {
    const to = originOf(answer.headers['location'], url);
    return { problem: `a redirect to ${to} (HTTP ${answer.http}), and redirects are never followed` };
  }
  if (answer.body.length === 0) return { problem: `nothing at all (HTTP ${answer.http}, an empty body)` };
  if (!isJsonType(answer.headers['content-type'])) {
    return { problem: `something else than JSON (${describeBody(answer)})` };
  }
  let json: unknown;
  try {
    json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(answer.body));
  } catch (error) {
    return { problem: `no whole JSON document (${describeBody(answer)}): ${messageOf(error)}` };
  }
  if (!isJsonObject(json) || typeof json['status'] !== 'string' || typeof json['success'] !== 'boolean') {
    return { problem: `JSON without the service's envelope (${describeBody(answer)})` };
  }
  if (json['statusCode'] !== answer.http) {
    return { problem: `an envelope for ${asText(json['statusCode'])} in an answer with HTTP ${answer.http}` };
  }
  if (json['success'] !== answer.http < 300) {
    return { problem: `an envelope with success ${json['success']} in an answer with HTTP ${answer.http}` };
  }
  const errors = fieldErrors(json['errors']);
  return {
    envelope: {
      statusCode: answer.http,
      success: json['success'],
      status: json['status'],
      message: typeof json['message'] === 'string' ? json['message'] : '',
      ...(json['data'] !== undefined && { data: json['data'] }),
      ...(errors && { errors }),
    },
  };
};
