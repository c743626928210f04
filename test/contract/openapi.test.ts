import { expect, it } from 'vitest';
import type * as z from 'zod';
import { fieldsOf } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { CONTROL_API } from '../../src/contract/openapi/control.ts';
import { type Api, openApi } from '../../src/contract/openapi/document.ts';
import { SERVICE_API } from '../../src/contract/openapi/service.ts';
import { PAYMENT_STATUSES, TRANSACTION_TYPES } from '../../src/contract/pay/shared.ts';
import { walk } from './schema-walk.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read freely
const documentOf = (api: Api) => openApi(api, { version: '1.2.3' }) as any;

const document = documentOf(SERVICE_API);

// biome-ignore lint/suspicious/noExplicitAny: the same
const followed = (value: any, within = document): any =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        // biome-ignore lint/suspicious/noExplicitAny: the same
        .reduce((part: any, key: string) => part[key], within)
    : value;

const APIS = [SERVICE_API, CONTROL_API].map((api) => ({ api, described: documentOf(api) }));

const EACH = APIS.flatMap(({ api, described }) =>
  api.endpoints.map((endpoint) => [endpoint.id, endpoint, described] as const),
);

it.each(EACH)(
  '%s: a generated client knows every answer, with its HTTP code',
  (_, { method, path, success, errors, unshownErrors }, described) => {
    const { responses } = described.paths[path][method.toLowerCase()];
    const answers = [
      ...Object.entries(success).map(([status, { http, isAssumed }]) => ({ status, http, isOpen: isAssumed === true })),
      ...Object.entries(errors).map(([status, http]) => ({
        status,
        http,
        isOpen: typeof http === 'number' && !!unshownErrors?.[http],
      })),
    ];
    for (const { status, http, isOpen } of answers) {
      const { schema } = followed(responses[http ?? 'default'], described).content['application/json'];
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

it.each(APIS)('$api.title: every reference leads somewhere, and every component is referred to', ({ described }) => {
  const text = JSON.stringify(described);
  const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`);
  const { schemas, responses } = described.components;
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
  const named = openApi(SERVICE_API, { version: '1', baseUrl: 'https://pay.example.org' });
  expect(named['servers']).toMatchObject([{ url: 'https://pay.example.org' }]);
});

/** All objects of the document, with the path that leads to each. */
const partsOf = (value: unknown, path = '#'): readonly (readonly [string, Record<string, unknown>])[] =>
  typeof value === 'object' && value !== null
    ? [
        [path, value as Record<string, unknown>] as const,
        ...Object.entries(value).flatMap(([name, part]) => partsOf(part, `${path}/${name}`)),
      ]
    : [];

it.each(EACH)(
  '%s: each of its answers has an example, whose data its schema takes',
  (_, { method, path, success, errors, errorData, errorExample }, described) => {
    const { responses } = described.paths[path][method.toLowerCase()];
    for (const [status, http] of [
      ...Object.entries(errors),
      ...Object.entries(success).map(([s, { http: h }]) => [s, h]),
    ]) {
      const { examples } = followed(responses[String(http ?? 'default')], described).content['application/json'];
      expect(examples[String(status)].value).toMatchObject({ status, message: expect.stringMatching(/\S/) });
    }
    for (const { data, example } of Object.values(success)) {
      expect(example === undefined).toBe(data === undefined);
      expect(data?.safeParse(example)).toMatchObject(data ? { success: true } : {});
    }
    expect(Object.keys(errorExample ?? {})).toEqual(Object.keys(errorData ?? {}));
  },
);

it('requests list their fields: none is open by a word of the document but an update of orders, and none is closed', () => {
  const { schemas } = document.components;
  const ofRequests = Object.keys(schemas).filter((name) => name.endsWith('Request') && name !== 'TransactionRequest');
  expect(ofRequests).toHaveLength(ENDPOINTS.filter(({ body }) => body).length);
  const open = partsOf(Object.fromEntries(ofRequests.map((name) => [name, schemas[name]])))
    .filter(([, part]) => 'additionalProperties' in part && 'properties' in part)
    .map(([path]) => path);
  expect(open).toEqual(['#/OrderUpdateRequest']);
  for (const shared of ['PaymentMethods', 'Receiver', 'CardAddress']) {
    expect(schemas[shared]).not.toHaveProperty('additionalProperties');
  }
  expect(partsOf(document).filter(([, part]) => part['additionalProperties'] === false)).toEqual([]);
});

it('text of a known form says which: addresses, e-mail, moments, base64', () => {
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

it.each(APIS)('$api.title: names no component as generators name the answers of an operation', ({ described }) => {
  const { schemas, responses } = described.components;
  const made = partsOf(described.paths).flatMap(([, { operationId, responses: all }]) =>
    typeof operationId === 'string'
      ? Object.keys(all as object).map((http) => `${operationId}${http}`.toLowerCase())
      : [],
  );
  expect(made.length).toBeGreaterThan(50);
  const names = [...Object.keys(schemas), ...Object.keys(responses)];
  expect(names.filter((name) => made.includes(name.toLowerCase()))).toEqual([]);
});

it('the control has its own key, server and tags, and no webhook', () => {
  const { described } = APIS[1] ?? {};
  const { security, servers, tags, webhooks, components, paths } = described;
  expect([security, webhooks]).toEqual([[{ ControlKey: [] }], undefined]);
  expect(components.securitySchemes.ControlKey).toMatchObject({ in: 'header', name: 'x-control-key' });
  expect(servers[0].url).toBe('{base_url}');
  const used = partsOf(paths).flatMap(([, part]) => (Array.isArray(part['tags']) ? part['tags'] : []));
  expect(new Set(used)).toEqual(new Set(tags.map(({ name }: { name: string }) => name)));
});

it('patterns escape no slash, which generators would escape again', () => {
  const patterns = partsOf(document).flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /(?<!\\)(?:\\\\)*\\\//.test(pattern))).toEqual([]);
  expect(
    document.components.schemas.PayRegisterRequest.properties.tenant_data.properties.webhook_url.pattern,
  ).toContain('://');
});

it('states that the document shows some values of a field, and not all; and which status has errors', () => {
  const { Payment, Envelope } = document.components.schemas;
  expect(Payment.properties.status).toMatchObject({ type: 'string', examples: PAYMENT_STATUSES });
  expect(Payment.properties.transaction_type).toMatchObject({ type: ['string', 'null'], examples: TRANSACTION_TYPES });
  expect(Envelope.properties.errors.description).toContain('`validation_error`');
  const { ValidationError, KycVerificationRequiredOrKycNotApproved: unshown } = document.components.responses;
  expect(ValidationError.content['application/json'].schema.allOf[1].required).toEqual(['errors']);
  expect(unshown.description).toContain('The sandbox of bursar answers 403');
});

it('the webhook is in it, with an example, and says that the service does not show its payload', () => {
  const { post } = document.webhooks.paymentStatusChanged;
  const { schema, example } = post.requestBody.content['application/json'];
  const { properties, required, additionalProperties } = followed(schema);
  expect([required, additionalProperties, properties.data]).toEqual([
    undefined,
    true,
    { $ref: '#/components/schemas/Payment' },
  ]);
  expect(post.description).toContain('not shown by the service');
  expect(example).toMatchObject({ event: 'payment.status_changed', data: { status: 'success' } });
});
