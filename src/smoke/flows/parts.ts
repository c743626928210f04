/** Fields of the document. */
export type Fields = Readonly<Record<string, unknown>>;

export const text = (description: string, more: Fields = {}): Fields => ({ type: 'string', description, ...more });

const API_KEY = text('Key of the service. bursar takes it from the profile.', {
  format: 'password',
  'x-bursar-from': 'profile',
});

/** The inputs of a workflow. Inputs without a default are required, and some of them have a value in the sandbox. */
export const inputs = (properties: Readonly<Record<string, Fields>>): Fields => ({
  type: 'object',
  properties: { api_key: API_KEY, ...properties },
  required: ['api_key', ...Object.keys(properties).filter((name) => properties[name]?.['default'] === undefined)],
});

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

export const jsonpath = (condition: string): Fields => ({ context: '$response.body', type: 'jsonpath', condition });

export const matches = (context: string, condition: string): Fields => ({ context, type: 'regex', condition });

/** Waits while a condition holds. */
export const retryWhile = (condition: string, retryAfter: number, retryLimit: number): Fields => ({
  onFailure: [{ name: 'wait', type: 'retry', retryAfter, retryLimit, criteria: [{ condition }] }],
});
