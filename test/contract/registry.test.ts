import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Endpoint, fieldsOf, validate } from '../../src/contract/define.ts';
import { ERRORS, type ErrorStatus, errorEntry } from '../../src/contract/errors.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { DOCUMENTED_ENDPOINTS, DOCUMENTED_ERRORS, DOCUMENTED_SUCCESSES, rowsOf } from './document.ts';
import { walk } from './schema-walk.ts';

const CASES = ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const);

/** Errors that the document states for an area, not for each of these endpoints. */
const BY_AREA: Readonly<Record<string, readonly string[]>> = {
  invalid_parameters: [
    'order.update',
    'order.toggle',
    'yield.strategies-of',
    'yield.opportunities-of',
    'yield.broadcast',
  ],
};

describe('the registry compared with the document of the service', () => {
  it('has exactly the documented endpoints with their methods and paths, in order', () => {
    const ours = ENDPOINTS.map(({ id, method, path }) => [id, method, path]);
    expect(ours).toEqual(rowsOf(DOCUMENTED_ENDPOINTS));
    expect(ours.length).toBeGreaterThan(20);
  });

  it('lists every endpoint that a file declares', async () => {
    const folder = new URL('../../src/contract/', import.meta.url);
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
    const declared = names.flatMap((name, at) =>
      [...(sources[at] ?? '').matchAll(/defineEndpoint\(\{\s+id: '(.+)'/g)].map(([, id]) => [id, name] as const),
    );
    // The endpoint for one asset is in the file of the endpoint for all assets.
    const fileOf = (id: string) => `${id.replace('.', '/').replace(/-of$/, '')}.ts`;
    expect(new Map(declared)).toEqual(new Map(ENDPOINTS.map(({ id }) => [id, fileOf(id)])));
  });

  it('has exactly the documented successes with their HTTP codes, with or without data', () => {
    const ours = ENDPOINTS.flatMap(({ id, success }) =>
      Object.entries(success).map(([status, { http, data }]) => [id, String(http), status, data ? 'data' : '-']),
    );
    // The document shows no status of GET /config/products.
    expect(ours.filter(([id]) => id !== 'products.list')).toEqual(rowsOf(DOCUMENTED_SUCCESSES));
  });

  it('has exactly the documented errors', () => {
    expect(new Set(Object.keys(ERRORS))).toEqual(new Set(rowsOf(DOCUMENTED_ERRORS).map(([, status]) => status)));
    expect(errorEntry('toString')).toBeUndefined();
  });

  it.each(rowsOf(DOCUMENTED_ERRORS))(
    '%s %s is declared by exactly the endpoints that the document names',
    (http = '', status = '', ...ids) => {
      const expectedIds = ids[0] === '*' ? ENDPOINTS.map(({ id }) => id) : ids;
      const code = http === '?' ? null : Number(http);
      const isStated = ({ errors, assumed }: Endpoint) => status in errors && !assumed?.includes(status as ErrorStatus);
      const ours = ENDPOINTS.filter(isStated).map(({ id }) => id as string);
      expect(new Set(ours)).toEqual(new Set([...expectedIds, ...(BY_AREA[status] ?? [])]));
      for (const { errors } of ENDPOINTS) if (status in errors) expect(errors[status as ErrorStatus]).toBe(code);
    },
  );
});

describe.each(CASES)('%s', (_, endpoint) => {
  const fields = fieldsOf(endpoint);

  it('describes every field and nested field in one short line', () => {
    const inputs = Object.entries(fields).flatMap(([name, schema]) => walk(name, schema));
    const outputs = Object.entries(endpoint.success).flatMap(([status, { data }]) => (data ? walk(status, data) : []));
    for (const { path, description } of [...inputs, ...outputs]) {
      expect(description, `${endpoint.id} ${path} has no description`).toBeTruthy();
      expect(description, path).not.toMatch(/\n|\.$/);
      expect(description?.length, `${path}: ${description}`).toBeLessThanOrEqual(70);
    }
  });

  it('has each field name only once in params, query and body', () => {
    const { params, query, body } = endpoint;
    const names = [params, query, body].flatMap((shape) => Object.keys(shape ?? {}));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });

  it('has exactly the params that its path names, and a body only if it is not a GET', () => {
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(placeholders).toEqual(Object.keys(endpoint.params ?? {}));
    expect(endpoint.method === 'GET' ? endpoint.body : endpoint.query).toBeUndefined();
  });

  it('rejects invalid input only with statuses that it declares as errors', () => {
    const statuses = [
      endpoint.invalid,
      ...Object.values(endpoint.invalidField ?? {}),
      ...(endpoint.rules ?? []).map((rule) => rule.status),
      ...(endpoint.assumed ?? []),
    ].filter((status) => status !== undefined);
    for (const status of statuses) expect(endpoint.errors).toHaveProperty(status);
    for (const field of Object.keys(endpoint.invalidField ?? {})) expect(fields).toHaveProperty(field);
    if (Object.keys(fields).length > 0) expect(endpoint.invalid).toBeDefined();
  });

  it('has rules that name only its own fields', () => {
    for (const { requires } of endpoint.rules ?? []) {
      for (const field of requires ? [...requires.fields, requires.when] : []) expect(fields).toHaveProperty(field);
    }
    for (const { message } of endpoint.rules ?? []) expect(message).toMatch(/^\S.*\S$/);
  });

  it('has a valid example without unknown fields', () => {
    const result = validate(endpoint, endpoint.example);
    expect(result).toMatchObject({ ok: true });
    for (const name of Object.keys(endpoint.example)) expect(fields).toHaveProperty(name);
  });

  it('has a one-line summary that fits a list of commands', () => {
    expect(endpoint.summary).toMatch(/^[A-Z][a-z]+ .{5,55}$/);
    expect(endpoint.summary).not.toMatch(/\.$/);
  });
});

describe('the effect of an endpoint, which decides about retries', () => {
  const withEffect = (effect: string) => ENDPOINTS.filter((endpoint) => endpoint.effect === effect).map(({ id }) => id);

  it('is moves_money for pay.execute and yield.broadcast', () => {
    expect(withEffect('moves_money')).toEqual(['pay.execute', 'yield.broadcast']);
  });

  it('is spends_quota for the KYC calls that use up e-mails, attempts or sessions', () => {
    expect(withEffect('spends_quota')).toEqual(['kyc.send-otp', 'kyc.verify-otp', 'kyc.create']);
  });

  it('is reads for exactly the GET endpoints', () => {
    expect(withEffect('reads')).toEqual(ENDPOINTS.filter(({ method }) => method === 'GET').map(({ id }) => id));
  });
});
