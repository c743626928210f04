import type { AnyEndpoint, Shape } from '../../contract/define.ts';
import { ERRORS } from '../../contract/errors.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { openApi } from '../../contract/openapi/document.ts';
import { openSchemas } from '../../contract/openapi/schemas.ts';
import { SERVICE_API } from '../../contract/openapi/service.ts';
import { printJson } from '../../core/json.ts';
import { type Column, tableOf } from './dashboard/table.ts';
import { facts, type Html, html, mono } from './html.ts';
import { page } from './page.ts';

/** A field as the reference lists it. */
type Listed = {
  readonly name: string;
  readonly where: string;
  readonly isRequired: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
};

const fieldsOf = ({ params, query, body }: AnyEndpoint): readonly Listed[] => {
  const parts: readonly (readonly [string, Shape | undefined])[] = [
    ['path', params],
    ['query', query],
    ['body', body],
  ];
  return parts.flatMap(([where, shape]) => {
    const { properties, required } = openSchemas().fieldsOf(shape ?? {});
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      where,
      isRequired: required.includes(name),
      schema: schema as Listed['schema'],
    }));
  });
};

/** The values that a field takes: its words, or its type. */
const valuesOf = ({ schema: { enum: words, type, $ref } }: Listed): string => {
  if (Array.isArray(words)) return words.join(', ');
  if (typeof type === 'string') return type;
  return $ref === undefined ? 'any' : 'object';
};

const FIELD_COLUMNS = [
  { name: 'Field', kind: 'whole', show: ({ name }: Listed) => mono(name) },
  { name: 'In', kind: 'whole', show: ({ where }: Listed) => where },
  { name: 'Required', show: ({ isRequired }: Listed) => (isRequired ? 'yes' : 'no') },
  { name: 'Values', show: valuesOf },
  { name: 'Meaning', show: ({ schema: { description } }: Listed) => String(description ?? '') },
] as const satisfies readonly Column<Listed>[];

type Answer = readonly [status: string, http: number | null, meaning: string];

const answersOf = ({ success, errors }: AnyEndpoint): readonly Answer[] => [
  ...Object.entries(success).map(([status, { http }]) => [status, http, 'Success'] as const),
  ...Object.entries(errors).map(
    ([status, http]) => [status, http ?? null, ERRORS[status as keyof typeof ERRORS]?.meaning ?? ''] as const,
  ),
];

const ANSWER_COLUMNS = [
  { name: 'HTTP', show: ([, http]: Answer) => http ?? 'not shown' },
  { name: 'Status', show: ([status]: Answer) => mono(status) },
  { name: 'Meaning', show: ([, , meaning]: Answer) => meaning },
];

const endpointView = (endpoint: AnyEndpoint): Html => {
  const { id, method, path, summary, rules = [] } = endpoint;
  const rows = [
    ['Call', mono(`${method} ${path}`)],
    ['Rules', rules.length > 0 && rules.map(({ message }) => html`<div>${message}</div>`)],
  ] as const;
  return html`<section class="card" id="${id}" aria-labelledby="${id}-name">
<h3 class="break" id="${id}-name">${summary}</h3>
${facts(rows)}
${tableOf(`Fields of ${id}`, FIELD_COLUMNS, fieldsOf(endpoint), 'It takes no fields.', '')}
${tableOf(`Answers of ${id}`, ANSWER_COLUMNS, answersOf(endpoint), '', '')}
</section>`;
};

const areaOf = ({ id }: AnyEndpoint): string => id.slice(0, id.indexOf('.'));

/** The reference of the service, from its contract. It is the same for every viewer. */
export const referencePage = (): Response => {
  const { title, tags } = SERVICE_API;
  const areas = Object.entries(tags).map(([area, { name, description }]) => {
    const own = ENDPOINTS.filter((endpoint) => areaOf(endpoint) === area);
    return html`<h2 id="${area}">${name}</h2>
<p class="quiet">${description}</p>
${own.map(endpointView)}`;
  });
  const ways = Object.entries(tags).map(([area, { name }]) => html`<li><a href="#${area}">${name}</a></li>`);
  const main = html`<h1>${title}</h1>
<p>The same as data: <a href="/openapi.json">openapi.json</a></p>
<nav aria-label="Areas"><ul class="tabs">${ways}</ul></nav>
${areas}`;
  return page({ title: 'API reference', main });
};

/** The OpenAPI document of the service at an address. */
export const openApiDocument = (version: string, baseUrl: string): Response =>
  new Response(`${printJson(openApi(SERVICE_API, { version, baseUrl }), 2)}\n`, {
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  });
