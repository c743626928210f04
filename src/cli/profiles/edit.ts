import type * as z from 'zod';
import { Failure, type FieldError, isFailure } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Body } from '../command/body.ts';
import { partAt, partsOf, problemsOf, unknownName } from './problems.ts';
import type { Profile } from './profile.ts';
import { editable } from './schema.ts';

/** One change of a profile: a value at a path, or, without one, nothing there any more. */
type Edit = { readonly path: readonly string[]; readonly value: unknown };

const notRight = (errors: readonly FieldError[]): Failure =>
  new Failure('invalid_input', 'nothing was changed: a setting is not right', { errors });

const wrong = (field: string, message: string): Failure => notRight([{ field, message }]);

/** The path of a setting, and what it holds. The last name of an amount by symbol may have dots: USDC.e. */
const resolve = (
  schema: z.core.$ZodType,
  names: readonly string[],
  above: readonly string[] = [],
): { readonly path: readonly string[]; readonly schema: z.core.$ZodType } => {
  const [name, ...rest] = names;
  if (name === undefined) return { path: above, schema };
  const { shape, valueType } = partsOf(schema);
  if (valueType) return { path: [...above, names.join('.')], schema: valueType };
  const part = shape && partAt(schema, name);
  if (part) return resolve(part, rest, [...above, name]);
  const here = [...above, name].join('.');
  if (shape) throw wrong(here, unknownName(name, Object.keys(shape)));
  throw wrong(above.join('.'), `has no parts that are set one by one: give it whole, as JSON`);
};

const jsonOf = (field: string, text: string): unknown => {
  try {
    return parseJson(text);
  } catch (error) {
    throw wrong(field, `is not valid JSON${isFailure(error) ? `: ${error.message}` : ''}`);
  }
};

const valueFrom = (field: string, text: string, schema: z.core.$ZodType): unknown => {
  if (text === '') return undefined;
  if (/^\s*[[{]/.test(text)) return jsonOf(field, text);
  if (partsOf(schema).type !== 'array') return text;
  return text.split(',').map((one) => one.trim());
};

/** Reads KEY=VALUE. The value may be a secret, so that no message repeats it. */
const editFrom = (whole: z.core.$ZodType, text: string): Edit => {
  const at = text.indexOf('=');
  if (at < 1)
    throw new Failure('invalid_input', 'nothing was changed: give settings as KEY=VALUE, such as keys.evm=ops');
  const field = text.slice(0, at).trim();
  const { path, schema } = resolve(whole, field.split('.'));
  return { path, value: valueFrom(field, text.slice(at + 1), schema) };
};

/** An object with one value changed. What is left empty goes. */
const changed = (object: Body, { path: [name = '', ...rest], value }: Edit): Body => {
  const below = object[name];
  const next = rest.length > 0 ? changed(isJsonObject(below) ? below : {}, { path: rest, value }) : value;
  const isGone = next === undefined || (isJsonObject(next) && Object.keys(next).length === 0);
  const { [name]: _, ...others } = object;
  return isGone ? others : { ...object, [name]: next };
};

/** Settings with each KEY=VALUE laid over them. Throws `invalid_input` with everything that is wrong. */
export const withChanges = <T>(schema: z.ZodType<T>, base: Body, texts: readonly string[]): T => {
  const read = schema.safeParse(texts.map((text) => editFrom(schema, text)).reduce(changed, base));
  if (read.success) return read.data;
  throw notRight(problemsOf(schema, read.error));
};

/**
 * A profile as settings say that it shall be: `whole` in place of all that it has, and then each KEY=VALUE. Throws
 * `invalid_input` with everything that is wrong.
 */
export const edited = (
  { api_key, ...profile }: Profile,
  whole: Body | undefined,
  texts: readonly string[],
): Profile => {
  const { base_url } = profile;
  const base: Body = whole ? { ...(base_url && { base_url }), ...whole } : profile;
  return { ...withChanges(editable, base, texts), ...(api_key && { api_key }) };
};
