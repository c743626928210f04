import { expect, it } from 'vitest';
import type * as z from 'zod';
import { fieldsOf } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { openApi } from '../../src/contract/openapi/document.ts';
import { walk } from './schema-walk.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read freely
const document = openApi(ENDPOINTS, { version: '1.2.3' }) as any;

// biome-ignore lint/suspicious/noExplicitAny: the same
const followed = (value: any): any =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        // biome-ignore lint/suspicious/noExplicitAny: the same
        .reduce((part: any, key: string) => part[key], document)
    : value;

it.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s: a generated client knows every answer, with its HTTP code',
  (_, { method, path, success, errors, unshownErrors }) => {
    const { responses } = document.paths[path][method.toLowerCase()];
    const answers = [
      ...Object.entries(success).map(([status, { http, isAssumed }]) => ({ status, http, isOpen: isAssumed === true })),
      ...Object.entries(errors).map(([status, http]) => ({
        status,
        http,
        isOpen: http !== null && !!unshownErrors?.[http],
      })),
    ];
    for (const { status, http, isOpen } of answers) {
      const { schema } = followed(responses[http ?? 'default']).content['application/json'];
      const [envelope] = (schema.oneOf ?? [schema])
        .map(({ allOf }: { allOf: readonly { properties: object }[] }) => allOf[1]?.properties)
        .filter(({ status: own }: { status: { const?: string; enum?: string[]; examples?: string[] } }) =>
          [own.const, ...(own.enum ?? []), ...(own.examples ?? [])].includes(status),
        );
      expect(envelope, `${http} ${status}`).toBeDefined();
      expect(envelope.status.type, `${status} is open`).toBe(isOpen ? 'string' : undefined);
    }
  },
);

it('every reference leads somewhere, and every component is referred to', () => {
  const text = JSON.stringify(document);
  const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`);
  const { schemas, responses } = document.components;
  const kept = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`),
  ];
  expect(new Set(refs)).toEqual(new Set(kept));
});

it('wei are a number without a format: none of JSON Schema holds them', () => {
  const { value } = document.components.schemas.TransactionRequest.properties;
  expect(value).toEqual({ type: 'number', description: expect.stringContaining('wei') });
});

it('no pattern of the contract has flags, which JSON Schema would lose', () => {
  const schemas = ENDPOINTS.flatMap((endpoint) =>
    Object.entries(fieldsOf(endpoint)).flatMap(([name, one]) => walk(name, one)),
  );
  const patterns = schemas.flatMap(({ path, schema }) => {
    const checks = (schema as z.ZodType).def.checks ?? [];
    return checks.map(({ _zod }) => ({ path, pattern: (_zod.def as { pattern?: RegExp }).pattern }));
  });
  const regular = patterns.filter(({ pattern }) => pattern);
  expect(regular.length).toBeGreaterThan(10);
  expect(regular.filter(({ pattern }) => pattern?.flags)).toEqual([]);
});

it('a deployment that is named is the server; otherwise its address is open', () => {
  expect(document.servers[0].url).toBe('{base_url}');
  const named = openApi(ENDPOINTS, { version: '1', baseUrl: 'https://pay.example.org' });
  expect(named['servers']).toMatchObject([{ url: 'https://pay.example.org' }]);
});
