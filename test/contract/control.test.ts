import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CONTROL_ERRORS, type ControlEndpoint } from '../../src/contract/control/define.ts';
import { CONTROL_ENDPOINTS } from '../../src/contract/control/index.ts';
import { fieldsOf, validate } from '../../src/contract/define.ts';
import { walk } from './schema-walk.ts';

const ENDPOINTS: readonly ControlEndpoint[] = CONTROL_ENDPOINTS;

it('CONTROL_ENDPOINTS lists every endpoint that a file declares', async () => {
  const folder = new URL('../../src/contract/control/', import.meta.url);
  const sources = await Promise.all((await readdir(folder)).map((name) => readFile(new URL(name, folder), 'utf8')));
  const declared = sources.flatMap((text) => [...text.matchAll(/defineControl\(\{\s+id: '(.+)'/g)].map(([, id]) => id));
  expect(new Set(declared)).toEqual(new Set(ENDPOINTS.map(({ id }) => id)));
});

it('CONTROL_ENDPOINTS has each id once, and each method of a path once', () => {
  for (const names of [ENDPOINTS.map(({ id }) => id), ENDPOINTS.map(({ method, path }) => `${method} ${path}`)]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

it('each error of CONTROL_ERRORS is declared by an endpoint', () => {
  const declaredErrors = new Set(ENDPOINTS.flatMap(({ errors }) => Object.keys(errors)));
  expect(declaredErrors).toEqual(new Set(Object.keys(CONTROL_ERRORS)));
});

describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const fields = fieldsOf(endpoint);

  it('describes every field of its input and its data in one short line', () => {
    const outputs = Object.entries(endpoint.success).flatMap(([status, { data }]) => (data ? walk(status, data) : []));
    for (const { path, description } of [
      ...Object.entries(fields).flatMap(([name, schema]) => walk(name, schema)),
      ...outputs,
    ]) {
      expect(description, `${endpoint.id} ${path} has no description`).toBeTruthy();
      expect(description, path).not.toMatch(/\n|\.$/);
      expect(description?.length, `${path}: ${description}`).toBeLessThanOrEqual(90);
    }
  });

  it('has its fields in a query or a body, and status invalid_parameters only if it has fields', () => {
    expect(endpoint.path).toMatch(/^\/_sandbox\/[a-z/-]+$/);
    expect(endpoint.method === 'POST' ? endpoint.query : endpoint.body).toBeUndefined();
    expect(endpoint.errors.unauthorized).toBe(401);
    expect(endpoint.invalid).toBe(Object.keys(fields).length > 0 ? 'invalid_parameters' : undefined);
    expect(endpoint.errors.invalid_parameters).toBe(endpoint.invalid && 400);
  });

  it('has a valid example without unknown fields, and example data that match its schema', () => {
    expect(validate(endpoint, endpoint.example)).toMatchObject({ ok: true });
    for (const name of Object.keys(endpoint.example)) expect(fields).toHaveProperty(name);
    for (const { data, example } of Object.values(endpoint.success)) {
      expect(example === undefined).toBe(data === undefined);
      expect(data?.safeParse(example)).toMatchObject(data ? { success: true } : {});
    }
  });

  it('has a one-line summary of at most 80 characters', () => {
    expect(endpoint.summary).toMatch(/^[A-Z][a-z]+ .{5,70}$/);
    expect(endpoint.summary).not.toMatch(/\.$/);
  });
});
