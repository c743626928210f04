import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CONTROL_ERRORS, type ControlEndpoint } from '../../src/contract/control/define.ts';
import { CONTROL_ENDPOINTS } from '../../src/contract/control/index.ts';
import { fieldsOf, validate } from '../../src/contract/define.ts';
import { walk } from './schema-walk.ts';

const ENDPOINTS: readonly ControlEndpoint[] = CONTROL_ENDPOINTS;

it('lists every endpoint that a file declares', async () => {
  const folder = new URL('../../src/contract/control/', import.meta.url);
  const sources = await Promise.all((await readdir(folder)).map((name) => readFile(new URL(name, folder), 'utf8')));
  const declared = sources.flatMap((text) => [...text.matchAll(/defineControl\(\{\s+id: '(.+)'/g)].map(([, id]) => id));
  expect(new Set(declared)).toEqual(new Set(ENDPOINTS.map(({ id }) => id)));
});

it('has each id, and each method of a path, once', () => {
  for (const names of [ENDPOINTS.map(({ id }) => id), ENDPOINTS.map(({ method, path }) => `${method} ${path}`)]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

it('answers every error that it has somewhere', () => {
  const answered = new Set(ENDPOINTS.flatMap(({ errors }) => Object.keys(errors)));
  expect(answered).toEqual(new Set(Object.keys(CONTROL_ERRORS)));
});

describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const fields = fieldsOf(endpoint);

  it('describes every field of its input and of its data in one short line', () => {
    const outputs = Object.entries(endpoint.success).flatMap(([status, { data }]) => (data ? walk(status, data) : []));
    for (const { path, says } of [
      ...Object.entries(fields).flatMap(([name, schema]) => walk(name, schema)),
      ...outputs,
    ]) {
      expect(says, `${endpoint.id} ${path} has no description`).toBeTruthy();
      expect(says, path).not.toMatch(/\n|\.$/);
      expect(says?.length, `${path}: ${says}`).toBeLessThanOrEqual(90);
    }
  });

  it('takes its fields in a query or in a body, and answers wrong ones with its own status', () => {
    expect(endpoint.path).toMatch(/^\/_sandbox\/[a-z/-]+$/);
    expect(endpoint.method === 'POST' ? endpoint.query : endpoint.body).toBeUndefined();
    expect(endpoint.errors.unauthorized).toBe(401);
    expect(endpoint.invalid).toBe(Object.keys(fields).length > 0 ? 'invalid_parameters' : undefined);
    expect(endpoint.errors.invalid_parameters).toBe(endpoint.invalid && 400);
  });

  it('has an example that passes, that sends nothing unknown, and data that its schema accepts', () => {
    expect(validate(endpoint, endpoint.example)).toMatchObject({ ok: true });
    for (const name of Object.keys(endpoint.example)) expect(fields).toHaveProperty(name);
    for (const { data, example } of Object.values(endpoint.success)) {
      expect(example === undefined).toBe(data === undefined);
      expect(data?.safeParse(example)).toMatchObject(data ? { success: true } : {});
    }
  });

  it('has a summary that starts with a verb and fits a list', () => {
    expect(endpoint.summary).toMatch(/^[A-Z][a-z]+ .{5,70}$/);
    expect(endpoint.summary).not.toMatch(/\.$/);
  });
});
