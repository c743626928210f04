import { closest } from '../core/closest.ts';
import { isExactNumber, isJsonObject } from '../core/json.ts';

/** A place in a document. */
export type Path = readonly (string | number)[];

/** Collects what is wrong with a document. */
export type Complain = (path: Path, message: string) => void;

/** What a field can be. A name is a text that is not empty. */
const IS_OF_KIND = {
  name: { test: (value: unknown) => typeof value === 'string' && value !== '', needs: 'a text that is not empty' },
  text: { test: (value: unknown) => typeof value === 'string', needs: 'a text' },
  number: { test: (value: unknown) => typeof value === 'number' || isExactNumber(value), needs: 'a number' },
  flag: { test: (value: unknown) => typeof value === 'boolean', needs: 'true or false' },
  list: { test: Array.isArray, needs: 'a list' },
  names: {
    test: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    needs: 'a list of texts',
  },
  object: { test: isJsonObject, needs: 'an object' },
  any: { test: () => true, needs: 'a value' },
} as const;

type Fields = Readonly<Record<string, keyof typeof IS_OF_KIND>>;

/** The fields of each object of the document. Others are mistakes: a misspelt criterion would check nothing. */
const FIELDS = {
  document: { arazzo: 'any', info: 'any', sourceDescriptions: 'list', workflows: 'list', components: 'object' },
  source: { name: 'name', url: 'text', type: 'text' },
  workflow: {
    workflowId: 'name',
    summary: 'text',
    description: 'text',
    inputs: 'object',
    dependsOn: 'names',
    steps: 'list',
    successActions: 'list',
    failureActions: 'list',
    outputs: 'object',
    parameters: 'list',
    'x-bursar-inputs': 'object',
    'x-bursar-cleanup': 'name',
  },
  step: {
    stepId: 'name',
    description: 'text',
    operationId: 'name',
    operationPath: 'name',
    workflowId: 'name',
    parameters: 'list',
    requestBody: 'object',
    successCriteria: 'list',
    onSuccess: 'list',
    onFailure: 'list',
    outputs: 'object',
  },
  body: { contentType: 'name', payload: 'any', replacements: 'list' },
  criterion: { context: 'name', condition: 'name', type: 'any' },
  action: {
    name: 'name',
    type: 'name',
    workflowId: 'name',
    stepId: 'name',
    retryAfter: 'number',
    retryLimit: 'number',
    criteria: 'list',
  },
  parameter: { name: 'name', in: 'name', value: 'any' },
  reference: { reference: 'name', value: 'any' },
  'schema of inputs': {
    type: 'text',
    title: 'text',
    description: 'text',
    properties: 'object',
    required: 'names',
    additionalProperties: 'flag',
  },
  origin: { from: 'name', sandbox: 'any' },
} as const satisfies Readonly<Record<string, Fields>>;

/** The fields that each object of a kind must have. */
const REQUIRED: Readonly<Partial<Record<keyof typeof FIELDS, readonly string[]>>> = {
  criterion: ['condition'],
  action: ['name', 'type'],
  parameter: ['name', 'value'],
  source: ['name'],
};

/** The end of a message about an unknown name: the known one that it resembles. */
export const meant = (name: string, known: object): string => {
  const near = closest(name, Object.keys(known));
  return near === undefined ? '' : `; did you mean ${near}?`;
};

const an = (kind: string): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;

/** Reports unknown fields, missing ones, and those of another type. An extension of another program may stand there. */
export const checkFields = (wrong: Complain, value: unknown, kind: keyof typeof FIELDS, path: Path): void => {
  if (!isJsonObject(value)) {
    wrong(path, `${an(kind)} must be an object`);
    return;
  }
  const fields: Fields = FIELDS[kind];
  for (const [name, inner] of Object.entries(value)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isForeign = name.startsWith('x-') && !name.startsWith('x-bursar-');
    if (known === undefined && !isForeign)
      wrong([...path, name], `${an(kind)} has no field ${name}${meant(name, fields)}`);
    else if (known !== undefined && !IS_OF_KIND[known].test(inner))
      wrong([...path, name], `${name} must be ${IS_OF_KIND[known].needs}`);
  }
  for (const name of REQUIRED[kind] ?? [])
    if (!Object.hasOwn(value, name)) wrong(path, `${an(kind)} needs the field ${name}`);
};
