import type { AnyEndpoint } from '../../contract/define.ts';
import { ERRORS, UNSHOWN_HTTP } from '../../contract/errors.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { openApi } from '../../contract/openapi/document.ts';
import { SERVICE_API } from '../../contract/openapi/service.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
import { curlCommand } from './curl.ts';
import { type Column, tableOf } from './dashboard/table.ts';
import { facts, type Html, html, mono } from './html.ts';
import { page } from './page.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The version of bursar, and the base URL of the service. */
type ServiceInfo = { readonly version: string; readonly baseUrl: string };

/** A value inside a document by its keys; an empty object without one. */
const within = (value: unknown, ...keys: readonly string[]): JsonObject => {
  const found = keys.reduce<unknown>((part, key) => (isJsonObject(part) ? part[key] : undefined), value);
  return isJsonObject(found) ? found : {};
};

const listIn = (schema: JsonObject, key: string): readonly unknown[] => {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
};

/** A schema with its reference resolved and without its variant for null. The outer description has priority. */
const resolved = (document: JsonObject, schema: unknown): JsonObject => {
  if (!isJsonObject(schema)) return {};
  const { $ref: reference, description } = schema;
  const other = listIn(schema, 'anyOf').find((each) => isJsonObject(each) && each['type'] !== 'null');
  const target = typeof reference === 'string' ? within(document, ...reference.split('/').slice(1)) : other;
  if (target === undefined) return schema;
  const inner = resolved(document, target);
  return { ...inner, description: description ?? inner['description'] };
};

/** A field with its path, such as `card_data.address.city`. */
type Field = { readonly path: string; readonly isRequired: boolean; readonly schema: JsonObject };

/** The fields of an object and of its nested objects. Nested fields follow their object. */
const fieldsIn = (document: JsonObject, schema: unknown, before = ''): readonly Field[] => {
  const whole = resolved(document, schema);
  const required = listIn(whole, 'required');
  return Object.entries(within(whole, 'properties')).flatMap(([name, each]): readonly Field[] => {
    const [own, path] = [resolved(document, each), `${before}${name}`];
    const inner = 'items' in own ? fieldsIn(document, own['items'], `${path}[].`) : fieldsIn(document, own, `${path}.`);
    return [{ path, isRequired: required.includes(name), schema: own }, ...inner];
  });
};

/** The values of a field: its fixed words, or its type with the values that the document shows. */
const valuesOf = ({ schema: { enum: words, const: only, type, examples: observed } }: Field): string => {
  if (Array.isArray(words)) return words.join(', ');
  if (only !== undefined) return String(only);
  const types = [type ?? 'any'].flat().join(' or ');
  return Array.isArray(observed) ? `${types}, such as ${observed.join(', ')}` : types;
};

const meaningOf = ({ schema: { description } }: Field): string => String(description ?? '');

const FIELD_COLUMNS = [
  { name: 'Field', show: ({ path }: Field) => html`<span class="break">${mono(path)}</span>` },
  { name: 'Required', kind: 'whole', show: ({ isRequired }: Field) => (isRequired ? 'yes' : 'no') },
  { name: 'Values', show: valuesOf },
  { name: 'Meaning', show: meaningOf },
] as const satisfies readonly Column<Field>[];

const DATA_COLUMNS = FIELD_COLUMNS.filter(({ name }) => name !== 'Required');

const parametersOf = (operation: JsonObject, where: string): readonly Field[] =>
  listIn(operation, 'parameters')
    .filter(isJsonObject)
    .filter((each) => each['in'] === where)
    .map(({ name, required, schema, description }) => ({
      path: String(name),
      isRequired: required === true,
      schema: { ...within({ schema }, 'schema'), description },
    }));

const code = (text: string): Html => html`<pre class="code" tabindex="0">${text}</pre>`;

const sampleOf = (operation: JsonObject): unknown =>
  within(operation, 'requestBody', 'content', 'application/json')['example'];

/** An example call as a curl command. Parts of the path are shell variables. */
const curlOf = ({ method, path }: AnyEndpoint, operation: JsonObject, { baseUrl }: ServiceInfo): string => {
  const query = listIn(operation, 'parameters').flatMap((each) =>
    isJsonObject(each) && each['in'] === 'query' && each['example'] !== undefined
      ? [`${String(each['name'])}=${encodeURIComponent(String(each['example']))}`]
      : [],
  );
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const address = `"${baseUrl}${at}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
  return curlCommand({ method, address, body: sampleOf(operation) });
};

type Success = {
  readonly http: string;
  readonly status: string;
  readonly data: readonly Field[];
  readonly example: unknown;
};

/** The successful answers of an operation, with the fields of their data. */
const successesOf = (document: JsonObject, operation: JsonObject): readonly Success[] =>
  Object.entries(within(operation, 'responses')).flatMap(([http, answer]) => {
    const content = within(answer, 'content', 'application/json');
    return Object.entries(within(content, 'examples')).flatMap(([status, example]): readonly Success[] => {
      const value = within(example, 'value');
      if (value['success'] !== true) return [];
      const schemas = listIn(within(content, 'schema'), 'allOf');
      const data = schemas.flatMap((each) => fieldsIn(document, within(each, 'properties', 'data')));
      return [{ http, status, data, example: value }];
    });
  });

type Refusal = { readonly status: string; readonly http: number | null; readonly isAssumed: boolean };

const refusalsOf = ({ errors, assumed = [] }: AnyEndpoint): readonly Refusal[] =>
  Object.entries(errors).map(([status, http]) => ({ status, http: http ?? null, isAssumed: assumed.includes(status) }));

/** The HTTP code of an error, with a note if the document does not show it. */
const httpOf = ({ http, isAssumed }: Refusal): string => {
  if (http === null) return `not in the document; the sandbox answers ${UNSHOWN_HTTP}`;
  return isAssumed ? `${http}, not in the document` : `${http}`;
};

const REFUSAL_COLUMNS = [
  { name: 'HTTP', show: httpOf },
  { name: 'Status', show: ({ status }: Refusal) => html`<span class="break">${mono(status)}</span>` },
  { name: 'Meaning', show: ({ status }: Refusal) => ERRORS[status as keyof typeof ERRORS]?.meaning ?? '' },
];

const successView = (id: string, { http, status, data, example }: Success): Html => html`<details>
<summary class="break">${http} ${mono(status)}</summary>
${data.length > 0 && tableOf(`Data of ${status} of ${id}`, DATA_COLUMNS, data, '', '')}
${code(printJson(example, 2))}
</details>`;

const endpointView = (document: JsonObject, endpoint: AnyEndpoint, info: ServiceInfo): Html => {
  const { id, method, path, summary, rules = [] } = endpoint;
  const operation = within(document, 'paths', path, method.toLowerCase());
  const sent = [
    ...['path', 'query'].flatMap((where) => parametersOf(operation, where)),
    ...fieldsIn(document, within(operation, 'requestBody', 'content', 'application/json', 'schema')),
  ];
  const rows = [
    ['Call', mono(`${method} ${path}`)],
    ['Rules', rules.length > 0 && rules.map(({ message }) => html`<div>${message}</div>`)],
  ] as const;
  return html`<section class="card" id="${id}" aria-labelledby="${id}-name">
<h3 class="break" id="${id}-name">${summary}</h3>
${facts(rows)}
${code(curlOf(endpoint, operation, info))}
<h4>Request</h4>
${tableOf(`Fields of ${id}`, FIELD_COLUMNS, sent, 'It takes no fields.', '')}
<h4>Answers</h4>
${successesOf(document, operation).map((each) => successView(id, each))}
${tableOf(`Refusals of ${id}`, REFUSAL_COLUMNS, refusalsOf(endpoint), '', '')}
</section>`;
};

const areaOf = ({ id }: AnyEndpoint): string => id.slice(0, id.indexOf('.'));

const documentOf = (info: ServiceInfo): JsonObject => openApi(SERVICE_API, info) as JsonObject;

const firstView = (
  document: JsonObject,
  { baseUrl }: ServiceInfo,
): Html => html`<section class="card" id="start" aria-labelledby="start-name">
<h2 id="start-name">Every call</h2>
${facts([
  ['Address', mono(baseUrl)],
  [
    'Key',
    html`${mono('x-api-key')}, a header of each request. <code>bursar sandbox status --json</code> has the key of this sandbox.`,
  ],
])}
<p>Each answer is one envelope. <code>success</code> and <code>status</code> show the outcome, and <code>data</code> holds the result.</p>
${tableOf('Fields of the envelope', DATA_COLUMNS, fieldsIn(document, within(document, 'components', 'schemas', 'Envelope')), '', '')}
</section>`;

const webhookView = (document: JsonObject): Html => {
  const operation = within(document, 'webhooks', 'paymentStatusChanged', 'post');
  const content = within(operation, 'requestBody', 'content', 'application/json');
  return html`<section class="card" id="webhooks" aria-labelledby="webhooks-name">
<h2 id="webhooks-name">Webhooks</h2>
<p>${String(operation['description'] ?? '').replaceAll('`', '')}</p>
${tableOf('Fields of a webhook', DATA_COLUMNS, fieldsIn(document, content['schema']), '', '')}
<details><summary>An example</summary>${code(printJson(content['example'], 2))}</details>
</section>`;
};

/** The reference of the service, from its OpenAPI document. It is the same for every viewer. */
export const referencePage = (info: ServiceInfo): Response => {
  const document = documentOf(info);
  const { title, tags } = SERVICE_API;
  const areas = Object.entries(tags).map(([area, { name, description }]) => {
    const own = ENDPOINTS.filter((endpoint) => areaOf(endpoint) === area);
    return html`<h2 id="${area}">${name}</h2>
<p class="quiet">${description}</p>
${own.map((endpoint) => endpointView(document, endpoint, info))}`;
  });
  const ways = Object.entries(tags).map(([area, { name }]) => html`<li><a href="#${area}">${name}</a></li>`);
  const main = html`<h1>${title}</h1>
<p>The same as data: <a href="/openapi.json">openapi.json</a></p>
<nav aria-label="Areas"><ul class="tabs">${ways}<li><a href="#webhooks">Webhooks</a></li></ul></nav>
${firstView(document, info)}
${areas}
${webhookView(document)}`;
  return page({ title: 'API reference', main });
};

/** The OpenAPI document of the service at an address. */
export const openApiDocument = (info: ServiceInfo): Response =>
  new Response(`${printJson(documentOf(info), 2)}\n`, {
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  });
