import { expect, it } from 'vitest';
import type * as z from 'zod';
import { fieldsOf } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { CONTROL_API } from '../../src/contract/openapi/control.ts';
import { type Api, openApi } from '../../src/contract/openapi/document.ts';
import { SERVICE_API } from '../../src/contract/openapi/service.ts';
import { PAYMENT_STATUSES, TRANSACTION_TYPES } from '../../src/contract/pay/shared.ts';
import { walk } from './schema-walk.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read an untyped JSON document
const documentOf = (api: Api) => openApi(api, { version: '1.2.3' }) as any;

const document = documentOf(SERVICE_API);

// biome-ignore lint/suspicious/noExplicitAny: the same
const resolveRef = (value: any, within = document): any =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        // biome-ignore lint/suspicious/noExplicitAny: the same
        .reduce((part: any, key: string) => part[key], within)
    : value;

const APIS = [SERVICE_API, CONTROL_API].map((api) => ({ api, spec: documentOf(api) }));

const ENDPOINT_CASES = APIS.flatMap(({ api, spec }) =>
  api.endpoints.map((endpoint) => [endpoint.id, endpoint, spec] as const),
);

it.each(ENDPOINT_CASES)(
  '%s: the document has every response with its HTTP code and status',
  (_, { method, path, success, errors, unshownErrors }, spec) => {
    const { responses } = spec.paths[path][method.toLowerCase()];
    const declaredResponses = [
      ...Object.entries(success).map(([status, { http, isAssumed }]) => ({ status, http, isOpen: isAssumed === true })),
      ...Object.entries(errors).map(([status, http]) => ({
        status,
        http,
        isOpen: typeof http === 'number' && !!unshownErrors?.[http],
      })),
    ];
    for (const { status, http, isOpen } of declaredResponses) {
      const { schema } = resolveRef(responses[http ?? 'default'], spec).content['application/json'];
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

it.each(APIS)('$api.title: every reference resolves, and every component is referenced', ({ spec }) => {
  const text = JSON.stringify(spec);
  const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`);
  const { schemas, responses } = spec.components;
  const components = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`),
  ];
  expect(new Set(refs)).toEqual(new Set(components));
});

it('a wei value is a number without a format, because no JSON Schema format holds it', () => {
  const { value } = document.components.schemas.TransactionRequest.properties;
  expect(value).toEqual({ type: 'number', description: expect.stringContaining('wei') });
});

it('no pattern of the contract has flags, which JSON Schema cannot express', () => {
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

it('the server is the given base URL, or the variable base_url without one', () => {
  expect(document.servers[0].url).toBe('{base_url}');
  const named = openApi(SERVICE_API, { version: '1', baseUrl: 'https://pay.example.org' });
  expect(named['servers']).toMatchObject([{ url: 'https://pay.example.org' }]);
});

/** All objects inside a value, each with its path. */
const partsOf = (value: unknown, path = '#'): readonly (readonly [string, Record<string, unknown>])[] =>
  typeof value === 'object' && value !== null
    ? [
        [path, value as Record<string, unknown>] as const,
        ...Object.entries(value).flatMap(([name, part]) => partsOf(part, `${path}/${name}`)),
      ]
    : [];

it.each(ENDPOINT_CASES)(
  '%s: every response has an example with data that match the schema',
  (_, { method, path, success, errors, errorData, errorExample }, spec) => {
    const { responses } = spec.paths[path][method.toLowerCase()];
    for (const [status, http] of [
      ...Object.entries(errors),
      ...Object.entries(success).map(([s, { http: h }]) => [s, h]),
    ]) {
      const { examples } = resolveRef(responses[String(http ?? 'default')], spec).content['application/json'];
      expect(examples[String(status)].value).toMatchObject({ status, message: expect.stringMatching(/\S/) });
    }
    for (const { data, example } of Object.values(success)) {
      expect(example === undefined).toBe(data === undefined);
      expect(data?.safeParse(example)).toMatchObject(data ? { success: true } : {});
    }
    expect(Object.keys(errorExample ?? {})).toEqual(Object.keys(errorData ?? {}));
  },
);

it('only the order update declares additional fields, and no schema forbids additional fields', () => {
  const { schemas } = document.components;
  const requestNames = Object.keys(schemas).filter((name) => name.endsWith('Request') && name !== 'TransactionRequest');
  expect(requestNames).toHaveLength(ENDPOINTS.filter(({ body }) => body).length);
  const open = partsOf(Object.fromEntries(requestNames.map((name) => [name, schemas[name]])))
    .filter(([, part]) => 'additionalProperties' in part && 'properties' in part)
    .map(([path]) => path);
  expect(open).toEqual(['#/OrderUpdateRequest']);
  for (const shared of ['PaymentMethods', 'Receiver', 'CardAddress']) {
    expect(schemas[shared]).not.toHaveProperty('additionalProperties');
  }
  expect(partsOf(document).filter(([, part]) => part['additionalProperties'] === false)).toEqual([]);
});

it('text fields with URLs, e-mail addresses, times and base64 declare their format', () => {
  const formatOf = (component: string, field: string) => {
    const { format, contentEncoding } = document.components.schemas[component].properties[field];
    return format ?? contentEncoding;
  };
  const { webhook_url } = document.components.schemas.PayRegisterRequest.properties.tenant_data.properties;
  expect(webhook_url.format).toBe('uri');
  expect(formatOf('PayerTransaction', 'session_payment')).toBe('uri');
  expect(formatOf('HostedSession', 'session_url')).toBe('uri');
  expect(formatOf('PayTransactionRequest', 'payer_email')).toBe('email');
  expect(formatOf('KycSendOtpRequest', 'email')).toBe('email');
  expect(formatOf('Payment', 'created_at')).toBe('date-time');
  expect(formatOf('UnsignedDeposit', 'transaction')).toBe('base64');
});

it.each(APIS)('$api.title: no component has a name that generators give to responses of an operation', ({ spec }) => {
  const { schemas, responses } = spec.components;
  const generatedNames = partsOf(spec.paths).flatMap(([, { operationId, responses: all }]) =>
    typeof operationId === 'string'
      ? Object.keys(all as object).map((http) => `${operationId}${http}`.toLowerCase())
      : [],
  );
  expect(generatedNames.length).toBeGreaterThan(50);
  const names = [...Object.keys(schemas), ...Object.keys(responses)];
  expect(names.filter((name) => generatedNames.includes(name.toLowerCase()))).toEqual([]);
});

it('the control API has its own key, server and tags, and no webhook', () => {
  const { spec } = APIS[1] ?? {};
  const { security, servers, tags, webhooks, components, paths } = spec;
  expect([security, webhooks]).toEqual([[{ ControlKey: [] }], undefined]);
  expect(components.securitySchemes.ControlKey).toMatchObject({ in: 'header', name: 'x-control-key' });
  expect(servers[0].url).toBe('{base_url}');
  const used = partsOf(paths).flatMap(([, part]) => (Array.isArray(part['tags']) ? part['tags'] : []));
  expect(new Set(used)).toEqual(new Set(tags.map(({ name }: { name: string }) => name)));
});

it('patterns have no escaped slash, because generators would escape it again', () => {
  const patterns = partsOf(document).flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /(?<!\\)(?:\\\\)*\\\//.test(pattern))).toEqual([]);
  expect(
    document.components.schemas.PayRegisterRequest.properties.tenant_data.properties.webhook_url.pattern,
  ).toContain('://');
});

it('fields with incomplete lists of values have examples, not an enum; validation_error requires errors', () => {
  const { Payment, Envelope } = document.components.schemas;
  expect(Payment.properties.status).toMatchObject({ type: 'string', examples: PAYMENT_STATUSES });
  expect(Payment.properties.transaction_type).toMatchObject({ type: ['string', 'null'], examples: TRANSACTION_TYPES });
  expect(Envelope.properties.errors.description).toContain('`validation_error`');
  const { ValidationError, KycVerificationRequiredOrKycNotApproved: kycResponse } = document.components.responses;
  expect(ValidationError.content['application/json'].schema.allOf[1].required).toEqual(['errors']);
  expect(kycResponse.description).toContain('The sandbox of bursar answers 403');
});

it('the webhook has an example and a note that the service does not document its payload', () => {
  const { post } = document.webhooks.paymentStatusChanged;
  const { schema, example } = post.requestBody.content['application/json'];
  const { properties, required, additionalProperties } = resolveRef(schema);
  expect([required, additionalProperties, properties.data]).toEqual([
    undefined,
    true,
    { $ref: '#/components/schemas/Payment' },
  ]);
  expect(post.description).toContain('not shown by the service');
  expect(example).toMatchObject({ event: 'payment.status_changed', data: { status: 'success' } });
});
