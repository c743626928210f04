import { isJsonObject } from '../core/json.ts';
import type { Complain, Path } from './check-flow.ts';

/** The fields of each object of the document. Others are mistakes: a misspelt criterion would check nothing. */
const FIELDS = {
  workflow:
    'workflowId summary description inputs dependsOn steps successActions failureActions outputs parameters x-bursar-inputs x-bursar-cleanup',
  step: 'stepId description operationId operationPath workflowId parameters requestBody successCriteria onSuccess onFailure outputs',
  body: 'contentType payload replacements',
  criterion: 'context condition type',
  action: 'name type workflowId stepId retryAfter retryLimit criteria reference',
  parameter: 'name in value reference',
} as const;

const LISTS = [
  'steps',
  'dependsOn',
  'successActions',
  'failureActions',
  'parameters',
  'successCriteria',
  'onSuccess',
  'onFailure',
  'criteria',
];

/** Reports unknown fields, and lists that are none. An extension of another program may stand there. */
export const checkFields = (wrong: Complain, value: unknown, kind: keyof typeof FIELDS, path: Path): void => {
  if (!isJsonObject(value)) {
    wrong(path, `a ${kind} must be an object`);
    return;
  }
  const known = FIELDS[kind].split(' ');
  for (const [name, inner] of Object.entries(value)) {
    const isForeign = name.startsWith('x-') && !name.startsWith('x-bursar-');
    if (!isForeign && !known.includes(name)) wrong([...path, name], `a ${kind} has no field ${name}`);
    if (LISTS.includes(name) && inner !== undefined && !Array.isArray(inner))
      wrong([...path, name], `${name} must be a list`);
  }
};
