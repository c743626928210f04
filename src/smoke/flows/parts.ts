/** Fields of the document. */
export type Fields = Readonly<Record<string, unknown>>;

/** An input of a workflow, and where the runner takes it from if nobody gives it. */
export type FlowInput = {
  readonly schema: Fields;
  readonly origin?: { readonly from?: string; readonly sandbox?: string };
};

/** An input that is text. `origin` is a source of the runner, or a value for the sandbox. */
export const text = (description: string, schema: Fields = {}, origin?: FlowInput['origin']): FlowInput => ({
  schema: { type: 'string', description, ...schema },
  ...(origin && { origin }),
});

const API_KEY = text(
  'Key of the service. bursar takes it from the profile.',
  { format: 'password' },
  { from: 'profile' },
);

/**
 * The inputs of a workflow, with their origins beside their schema, because validators refuse an unknown keyword in it.
 * Inputs without a default are required.
 */
export const inputs = (properties: Readonly<Record<string, FlowInput>>): Fields => {
  const all = Object.entries({ api_key: API_KEY, ...properties });
  return {
    inputs: {
      type: 'object',
      properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
      required: all.filter(([, { schema }]) => schema['default'] === undefined).map(([name]) => name),
    },
    'x-bursar-inputs': Object.fromEntries(all.flatMap(([name, { origin }]) => (origin ? [[name, origin]] : []))),
  };
};

export const SERVICE = '$sourceDescriptions.service.';
export const SIGNER = '$sourceDescriptions.signer.';
export const DATA = '$response.body#/data';

/** A step with a JSON body, or without one. */
export const step = (
  stepId: string,
  operationId: string,
  description: string,
  payload: Fields | undefined,
  criteria: readonly (string | Fields)[],
  more: Fields = {},
): Fields => ({
  stepId,
  description,
  operationId,
  ...(payload && { requestBody: { contentType: 'application/json', payload } }),
  successCriteria: criteria.map((one) => (typeof one === 'string' ? { condition: one } : one)),
  ...more,
});

export const query = (fields: Readonly<Record<string, unknown>>) => ({
  parameters: Object.entries(fields).map(([name, value]) => ({ name, in: 'query', value })),
});

export const path = (name: string, value: string) => ({ name, in: 'path', value });

export const status = (...all: readonly string[]): string =>
  all.map((one) => `$response.body#/status == '${one}'`).join(' || ');

export const matches = (context: string, condition: string): Fields => ({ context, type: 'regex', condition });

/** Waits while a condition holds. */
export const retryWhile = (condition: string, retryAfter: number, retryLimit: number): Fields => ({
  onFailure: [{ name: 'wait', type: 'retry', retryAfter, retryLimit, criteria: [{ condition }] }],
});
