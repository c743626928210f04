import { expect } from 'vitest';
import type { Endpoint } from '../../../src/contract/define.ts';
import { UNSHOWN_HTTP } from '../../../src/contract/errors.ts';
import { OWN_ERRORS } from '../../../src/sandbox/assumptions.ts';
import type { Seen } from '../sandbox.ts';

/** Every status that an endpoint may answer with, and its HTTP. */
const answersOf = ({ id, success, errors }: Endpoint): Readonly<Record<string, number | null>> => ({
  ...errors,
  ...OWN_ERRORS[id as keyof typeof OWN_ERRORS],
  ...Object.fromEntries(Object.entries(success).map(([status, { http }]) => [status, http])),
});

/** Words of a stack, of SQLite, of a parser: what is inside the service and none of the caller's business. */
const INSIDE =
  /\bat .*\.(?:ts|js)|node:|SQLITE|no such (?:table|column)|constraint|\bzod\b|undefined is not|Cannot read/i;

/** An answer that the contract has for the endpoint, whole, and without a word of what is inside. */
export const expectDocumented = (endpoint: Endpoint, { http, body }: Seen, what: string): void => {
  const documented = answersOf(endpoint);
  expect(Object.keys(documented), `${endpoint.id}: ${what}`).toContain(body.status);
  const wanted = documented[body.status] ?? UNSHOWN_HTTP;
  expect([http, body.statusCode, body.success], `${endpoint.id}: ${what}`).toEqual([wanted, http, http < 400]);
  expect(body.message, what).not.toMatch(INSIDE);
  expect(JSON.stringify(body.errors ?? []), what).not.toMatch(INSIDE);
  if (body.status === endpoint.invalid && http === 400) expect(body.message).not.toBe('');
};

/** An answer to what belongs to no endpoint: an envelope, and not a failure of the service. */
export const expectEnvelope = (http: number, text: string, what: string): void => {
  const body = JSON.parse(text);
  expect([body.statusCode, body.success, typeof body.status, typeof body.message], what).toEqual([
    ...[http, http < 400, 'string', 'string'],
  ]);
  expect(http, `${what}: ${text}`).toBeLessThan(500);
  expect(body.message, what).not.toMatch(INSIDE);
};
