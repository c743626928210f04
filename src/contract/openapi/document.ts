import type { Endpoint } from '../define.ts';
import type { Schema } from '../rule-schema.ts';
import { ENVELOPE } from './answers.ts';
import { listedInRequests, operationOf, requestsOf } from './operation.ts';
import { openSchemas, type Schemas } from './schemas.ts';
import { openShared, type Shared } from './shared-answers.ts';
import { TAGS } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

/** What a document says that the contract does not. */
export type DocumentOptions = {
  /** Version of this description: the service shows none of its own. */
  readonly version: string;
  /** Address of a deployment; without one it is left open. */
  readonly baseUrl?: string | undefined;
};

const ABOUT = `Payments and their on-chain transactions, reusable orders, identity verification (KYC), yield on lending
markets and spot quotes. Every answer is an envelope: \`status\` is its stable code, \`data\` what was asked for.

Objects are open: a deployment may send fields and statuses that are not described here. Amounts of money are decimal
text. The one exception is \`value\` of an unsigned transaction, a JSON number in wei: read it without losing digits.`;

const infoOf = (version: string): Schema => ({
  title: 'Payment, Yield and KYC Service',
  version,
  description: ABOUT,
  contact: { name: 'Whoever runs the deployment' },
  license: { name: 'MIT', identifier: 'MIT' },
});

const serverOf = (baseUrl: string | undefined): Schema =>
  baseUrl
    ? { url: baseUrl, description: 'The deployment' }
    : {
        url: '{base_url}',
        description: 'A deployment, by its address',
        variables: { base_url: { default: 'https://api.example.com' } },
      };

const API_KEY: Schema = {
  type: 'apiKey',
  in: 'header',
  name: 'x-api-key',
  description: 'API key, made in the account dashboard and shown once',
};

const pathsOf = (schemas: Schemas, shared: Shared, endpoints: readonly Endpoint[]): Schema => {
  const paths: Record<string, Schema> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(schemas, shared, endpoint) };
  }
  return paths;
};

const sorted = (named: Readonly<Record<string, Schema>>): Schema =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The service as an OpenAPI 3.1 document, from the contract alone. */
export const openApi = (endpoints: readonly Endpoint[], { version, baseUrl }: DocumentOptions): Schema => {
  const schemas = openSchemas();
  const shared = openShared();
  const paths = pathsOf(schemas, shared, endpoints);
  const webhooks = webhooksOf(schemas);
  const requests = requestsOf(schemas, endpoints);
  return {
    openapi: '3.1.0',
    info: infoOf(version),
    servers: [serverOf(baseUrl)],
    security: [{ ApiKey: [] }],
    tags: Object.values(TAGS),
    paths,
    webhooks,
    components: {
      securitySchemes: { ApiKey: API_KEY },
      schemas: sorted(listedInRequests({ Envelope: ENVELOPE, ...schemas.named() }, requests)),
      responses: shared.all(),
    },
  };
};
