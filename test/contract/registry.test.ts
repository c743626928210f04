import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Endpoint, fieldsOf, validate } from '../../src/contract/define.ts';
import { ERRORS, type ErrorStatus, errorEntry } from '../../src/contract/errors.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { DOCUMENTED_ENDPOINTS, DOCUMENTED_ERRORS, DOCUMENTED_SUCCESSES, rowsOf } from './document.ts';
import { walk } from './schema-walk.ts';

const each = ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const);

/** Errors that an area's row of the table gives to endpoints which the document does not name one by one. */
const BY_AREA: Readonly<Record<string, readonly string[]>> = {
  invalid_parameters: [
    'order.update',
    'order.toggle',
    'yield.strategies-of',
    'yield.opportunities-of',
    'yield.broadcast',
  ],
};

describe('the registry is the document', () => {
  it('has every endpoint with its method and path, in order, and no other', () => {
    const ours = ENDPOINTS.map(({ id, method, path }) => [id, method, path]);
    expect(ours).toEqual(rowsOf(DOCUMENTED_ENDPOINTS));
    expect(ours.length).toBeGreaterThan(20);
  });

  it('lists every file that declares an endpoint: one that is forgotten would have no route and no help', async () => {
    const folder = new URL('../../src/contract/', import.meta.url);
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
    const declared = names.flatMap((name, at) =>
      [...(sources[at] ?? '').matchAll(/defineEndpoint\(\{\s+id: '(.+)'/g)].map(([, id]) => [id, name] as const),
    );
    // An endpoint of one provider stands beside that of all providers.
    const fileOf = (id: string) => `${id.replace('.', '/').replace(/-of$/, '')}.ts`;
    expect(new Map(declared)).toEqual(new Map(ENDPOINTS.map(({ id }) => [id, fileOf(id)])));
  });

  it('has every success with its HTTP code, and says which carry data', () => {
    const ours = ENDPOINTS.flatMap(({ id, success }) =>
      Object.entries(success).map(([status, { http, data }]) => [id, String(http), status, data ? 'data' : '-']),
    );
    // not shown: any status of GET /config/products.
    expect(ours.filter(([id]) => id !== 'products.list')).toEqual(rowsOf(DOCUMENTED_SUCCESSES));
  });

  it('knows every row of the error table and no other', () => {
    expect(new Set(Object.keys(ERRORS))).toEqual(new Set(rowsOf(DOCUMENTED_ERRORS).map(([, status]) => status)));
    expect(errorEntry('toString')).toBeUndefined();
  });

  it.each(rowsOf(DOCUMENTED_ERRORS))(
    '%s %s can be answered where the document says',
    (http = '', status = '', ...ids) => {
      const where = ids[0] === '*' ? ENDPOINTS.map(({ id }) => id) : ids;
      const code = http === '?' ? null : Number(http);
      const isStated = ({ errors, assumed }: Endpoint) => status in errors && !assumed?.includes(status as ErrorStatus);
      const ours = ENDPOINTS.filter(isStated).map(({ id }) => id as string);
      expect(new Set(ours)).toEqual(new Set([...where, ...(BY_AREA[status] ?? [])]));
      for (const { errors } of ENDPOINTS) if (status in errors) expect(errors[status as ErrorStatus]).toBe(code);
    },
  );
});

describe.each(each)('%s', (_, endpoint) => {
  const fields = fieldsOf(endpoint);

  it('describes every field, nested ones too, in one short line', () => {
    const inputs = Object.entries(fields).flatMap(([name, schema]) => walk(name, schema));
    const outputs = Object.entries(endpoint.success).flatMap(([status, { data }]) => (data ? walk(status, data) : []));
    for (const { path, says } of [...inputs, ...outputs]) {
      expect(says, `${endpoint.id} ${path} has no description`).toBeTruthy();
      expect(says, path).not.toMatch(/\n|\.$/);
      expect(says?.length, `${path}: ${says}`).toBeLessThanOrEqual(70);
    }
  });

  it('names each field once, so that a flat input is unambiguous', () => {
    const { params, query, body } = endpoint;
    const names = [params, query, body].flatMap((shape) => Object.keys(shape ?? {}));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });

  it('has exactly the parameters that its path names', () => {
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(placeholders).toEqual(Object.keys(endpoint.params ?? {}));
    expect(endpoint.method === 'GET' ? endpoint.body : endpoint.query).toBeUndefined();
  });

  it('answers a failed schema or rule with a status that it can answer', () => {
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

  it('names only fields that it has in its rules', () => {
    for (const { requires } of endpoint.rules ?? []) {
      for (const field of requires ? [...requires.fields, requires.when] : []) expect(fields).toHaveProperty(field);
    }
    for (const { message } of endpoint.rules ?? []) expect(message).toMatch(/^\S.*\S$/);
  });

  it('has an example that passes, and that sends nothing unknown', () => {
    const result = validate(endpoint, endpoint.example);
    expect(result).toMatchObject({ ok: true });
    for (const name of Object.keys(endpoint.example)) expect(fields).toHaveProperty(name);
  });

  it('has a summary that starts with a verb and fits a list of commands', () => {
    expect(endpoint.summary).toMatch(/^[A-Z][a-z]+ .{5,55}$/);
    expect(endpoint.summary).not.toMatch(/\.$/);
  });
});

describe('effects decide what is repeated when an answer is lost', () => {
  const withEffect = (effect: string) => ENDPOINTS.filter((endpoint) => endpoint.effect === effect).map(({ id }) => id);

  it('money moves in two calls', () => {
    expect(withEffect('moves_money')).toEqual(['pay.execute', 'yield.broadcast']);
  });

  it('e-mails, attempts and sessions are counted in three', () => {
    expect(withEffect('spends_quota')).toEqual(['kyc.send-otp', 'kyc.verify-otp', 'kyc.create']);
  });

  it('only what is read is safe to repeat', () => {
    expect(withEffect('reads')).toEqual(ENDPOINTS.filter(({ method }) => method === 'GET').map(({ id }) => id));
  });
});
