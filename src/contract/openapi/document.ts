import type { AnyEndpoint } from '../define.ts';
import type { Schema } from '../rules.ts';
import { ENVELOPE } from './answers.ts';
import { listedInRequests, operationOf, requestsOf } from './operation.ts';
import { type DocumentParts, openShared, type Tag } from './parts.ts';
import { openSchemas, type Schemas } from './schemas.ts';

/** What a document states about one deployment. */
export type DocumentOptions = {
  /** Version of this description: the service shows none of its own. */
  readonly version: string;
  /** Address of a deployment; without one it is left open. */
  readonly baseUrl?: string | undefined;
};

/** An API as a document describes it: its endpoints, and the facts that they share. */
export type Api = {
  readonly title: string;
  readonly description: string;
  readonly endpoints: readonly AnyEndpoint[];
  /** The tag of each area, in the order of the reference. */
  readonly tags: Readonly<Record<string, Tag>>;
  /** Name of the security scheme, the header of its key, and what the key is. */
  readonly key: { readonly name: string; readonly header: string; readonly description: string };
  readonly server: { readonly description: string; readonly openDescription: string; readonly example: string };
  /** The meaning of each error, and the error whose answer lists the wrong fields. */
  readonly meanings: DocumentParts['meanings'];
  readonly namesFields: string;
  /** What the service sends by itself. */
  readonly webhooks?: (schemas: Schemas) => Schema;
};

const infoOf = ({ title, description }: Api, version: string): Schema => ({
  title,
  version,
  description,
  contact: { name: 'Operator of the deployment' },
  license: { name: 'MIT', identifier: 'MIT' },
});

const serverOf = ({ server }: Api, baseUrl: string | undefined): Schema =>
  baseUrl
    ? { url: baseUrl, description: server.description }
    : {
        url: '{base_url}',
        description: server.openDescription,
        variables: { base_url: { default: server.example } },
      };

const pathsOf = (parts: DocumentParts, endpoints: readonly AnyEndpoint[]): Schema => {
  const paths: Record<string, Schema> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(parts, endpoint) };
  }
  return paths;
};

const sorted = (named: Readonly<Record<string, Schema>>): Schema =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

/** An API as an OpenAPI 3.1 document, from its endpoints alone. */
export const openApi = (api: Api, { version, baseUrl }: DocumentOptions): Schema => {
  const { endpoints, tags, meanings, namesFields, key } = api;
  const parts: DocumentParts = { schemas: openSchemas(), shared: openShared(), tags, meanings, namesFields };
  const { schemas, shared } = parts;
  const paths = pathsOf(parts, endpoints);
  const webhooks = api.webhooks?.(schemas);
  const requests = requestsOf(schemas, endpoints);
  return {
    openapi: '3.1.0',
    info: infoOf(api, version),
    servers: [serverOf(api, baseUrl)],
    security: [{ [key.name]: [] }],
    tags: Object.values(tags),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: {
        [key.name]: { type: 'apiKey', in: 'header', name: key.header, description: key.description },
      },
      schemas: sorted(listedInRequests({ Envelope: ENVELOPE, ...schemas.named() }, requests)),
      responses: shared.all(),
    },
  };
};
