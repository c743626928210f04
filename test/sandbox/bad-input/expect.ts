import { expect } from 'vitest';
import type { Endpoint } from '../../../src/contract/define.ts';
import { UNSHOWN_HTTP } from '../../../src/contract/errors.ts';
import { OWN_ERRORS } from '../../../src/sandbox/assumptions.ts';
import type { Answer } from '../sandbox.ts';

/** Each documented status of an endpoint, with its HTTP status. */
const answersOf = ({ id, success, errors }: Endpoint): Readonly<Record<string, number | null>> => ({
  ...errors,
  ...OWN_ERRORS[id as keyof typeof OWN_ERRORS],
  ...Object.fromEntries(Object.entries(success).map(([status, { http }]) => [status, http])),
});

/** Texts from a stack, from SQLite or from a parser, which an answer must not have. */
const INSIDE =
  /\bat .*\.(?:ts|js)|node:|SQLITE|no such (?:table|column)|constraint|\bzod\b|undefined is not|Cannot read/i;

/** Expects a documented answer of the endpoint, without internal texts. */
export const expectDocumented = (endpoint: Endpoint, { http, body }: Answer, label: string): void => {
  const documented = answersOf(endpoint);
  expect(Object.keys(documented), `${endpoint.id}: ${label}`).toContain(body.status);
  const expectedHttp = documented[body.status] ?? UNSHOWN_HTTP;
  expect([http, body.statusCode, body.success], `${endpoint.id}: ${label}`).toEqual([expectedHttp, http, http < 400]);
  expect(body.message, label).not.toMatch(INSIDE);
  expect(JSON.stringify(body.errors ?? []), label).not.toMatch(INSIDE);
  if (body.status === endpoint.invalid && http === 400) expect(body.message).not.toBe('');
};

/** Expects an envelope with an HTTP status below 500. */
export const expectEnvelope = (http: number, text: string, label: string): void => {
  const body = JSON.parse(text);
  expect([body.statusCode, body.success, typeof body.status, typeof body.message], label).toEqual([
    ...[http, http < 400, 'string', 'string'],
  ]);
  expect(http, `${label}: ${text}`).toBeLessThan(500);
  expect(body.message, label).not.toMatch(INSIDE);
};
