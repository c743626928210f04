import type * as z from 'zod';
import { normaliseEvmAddress } from '../../chain/evm/address.ts';
import { extendNetwork, networkFor } from '../../chain/evm/network.ts';
import { problemsInPolicy } from '../../chain/review/policy-problems.ts';
import type { Input } from '../../client/call.ts';
import { closest } from '../../core/closest.ts';
import { Failure, type FieldError, isFailure, messageOf } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isSameText } from '../../core/text.ts';
import { partAt, partsOf } from '../command/schema-parts.ts';
import { messageThrownBy } from '../context/failures.ts';
import { kindOfProfile, type Profile } from './profile.ts';
import { editable } from './schema.ts';

/** The valid names of the object at a path. */
const namesAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] => {
  const at = path.reduce<z.core.$ZodType | undefined>((part, name) => part && partAt(part, String(name)), schema);
  return Object.keys((at && partsOf(at).shape) ?? {});
};

/** The message for an unknown name: the closest valid name, or all valid names. */
export const unknownName = (name: string, known: readonly string[]): string => {
  const meant = closest(name, known);
  return meant === undefined ? `is unknown; valid are ${known.join(', ')}` : `is unknown; did you mean ${meant}?`;
};

/** The mistakes in a value, by dotted path. The path of an unknown name includes that name. */
export const problemsOf = (schema: z.core.$ZodType, error: z.ZodError): readonly FieldError[] =>
  error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      const known = namesAt(schema, issue.path);
      return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: unknownName(key, known) }));
    }
    const [first] = issue.code === 'invalid_key' ? issue.issues : [issue];
    return [{ field: path.join('.'), message: first?.message ?? issue.message }];
  });

/** An unknown setting could be a limit or an address, so bursar never ignores one. */
const UNKNOWN = {
  hint: 'An unknown setting is never ignored: it could be a limit. Correct or remove it. If a newer bursar wrote it, use that version.',
  next: nextStep('doctor'),
};

/** Reads a file of settings. Throws `bad_settings` with its path and all mistakes. */
export const settingsFrom = <T>(path: string, bytes: Uint8Array, schema: z.ZodType<T>): T => {
  const bad = (message: string, rest = {}) => new Failure('bad_settings', `${path}: ${message}`, rest);
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw bad(`the file is damaged: ${messageOf(error)}`, {
      hint: 'Correct the file or move it away.',
      next: nextStep('file.aside', path),
      cause: error,
    });
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = problemsOf(schema, read.error);
  const more = read.error.issues.some(({ code }) => code === 'unrecognized_keys') ? UNKNOWN : {};
  const [only, ...others] = problems;
  if (only && others.length === 0) throw bad([only.field, only.message].filter(Boolean).join(' '), more);
  throw bad('its settings are wrong', { ...more, errors: problems });
};

/** One change of a profile: a new value at a path, or `undefined` to remove the value. */
type Edit = { readonly path: readonly string[]; readonly value: unknown };

const wrongSettings = (errors: readonly FieldError[]): Failure =>
  new Failure('invalid_input', 'nothing was changed: a setting is not right', { errors });

const wrongSetting = (field: string, message: string): Failure => wrongSettings([{ field, message }]);

/** The path of a setting and its schema. The symbol of a token may contain dots, such as USDC.e. */
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
  if (shape) throw wrongSetting(here, unknownName(name, Object.keys(shape)));
  throw wrongSetting(above.join('.'), `has no parts: set it as a whole, as JSON`);
};

const jsonOf = (field: string, text: string): unknown => {
  try {
    return parseJson(text);
  } catch (error) {
    throw wrongSetting(field, `is not valid JSON${isFailure(error) ? `: ${error.message}` : ''}`);
  }
};

const valueFrom = (field: string, text: string, schema: z.core.$ZodType): unknown => {
  if (text === '') return undefined;
  if (/^\s*[[{]/.test(text)) return jsonOf(field, text);
  if (partsOf(schema).type !== 'array') return text;
  return text.split(',').map((one) => one.trim());
};

/** Reads KEY=VALUE. No message repeats the value, because it may be a secret. */
const editFrom = (whole: z.core.$ZodType, text: string): Edit => {
  const at = text.indexOf('=');
  if (at < 1)
    throw new Failure('invalid_input', 'nothing was changed: give each setting as KEY=VALUE, with an equals sign');
  const field = text.slice(0, at).trim();
  const { path, schema } = resolve(whole, field.split('.'));
  return { path, value: valueFrom(field, text.slice(at + 1), schema) };
};

/** Applies one edit to an object. Objects that become empty are removed. */
const withEdit = (object: Input, { path: [name = '', ...rest], value }: Edit): Input => {
  const below = object[name];
  const next = rest.length > 0 ? withEdit(isJsonObject(below) ? below : {}, { path: rest, value }) : value;
  const isGone = next === undefined || (isJsonObject(next) && Object.keys(next).length === 0);
  const { [name]: _, ...others } = object;
  return isGone ? others : { ...object, [name]: next };
};

/** Applies each KEY=VALUE to settings. Throws `invalid_input` with all mistakes. */
export const withChanges = <T>(schema: z.ZodType<T>, base: Input, texts: readonly string[]): T => {
  const read = schema.safeParse(texts.map((text) => editFrom(schema, text)).reduce(withEdit, base));
  if (read.success) return read.data;
  throw wrongSettings(problemsOf(schema, read.error));
};

/**
 * Edits a profile: `whole` replaces all its settings, then each KEY=VALUE applies. The base URL and the stored key stay.
 * Throws `invalid_input` with all mistakes.
 */
export const editProfile = (
  { api_key, ...profile }: Profile,
  whole: Input | undefined,
  texts: readonly string[],
): Profile => {
  const { base_url } = profile;
  const base: Input = whole ? { ...(base_url && { base_url }), ...whole } : profile;
  return { ...withChanges(editable, base, texts), ...(api_key && { api_key }) };
};

const SOLANA = 'solana';

/** The chains that a profile may name: those of its kind of service, its own, and Solana. */
const chainsOf = (name: string, { chains = [] }: Profile): readonly string[] => {
  try {
    return [...extendNetwork(networkFor(kindOfProfile(name)), chains).chains.map((chain) => chain.name), SOLANA];
  } catch (error) {
    const message = messageOf(error);
    throw new Failure('invalid_input', `nothing was changed: ${message}`, { errors: [{ field: 'chains', message }] });
  }
};

const unknownChain = (typed: string, known: readonly string[]): string | undefined => {
  if (known.some((name) => isSameText(name, typed))) return undefined;
  const meant = closest(typed, known);
  return `there is no chain "${typed}"; ${meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`}`;
};

const notEvm = (text: string): string | undefined => messageThrownBy(() => normaliseEvmAddress(text));

/**
 * Checks the chains that a profile names and the checksums of its addresses. Throws `invalid_input` with all mistakes.
 */
export const checkProfile = (name: string, profile: Profile): void => {
  const known = chainsOf(name, profile);
  const { policy = {}, rpc_urls = {}, pins = [] } = profile;
  const all = (field: string, texts: readonly string[], problemOf: (text: string) => string | undefined) =>
    texts.flatMap((text) => {
      const message = problemOf(text);
      return message === undefined ? [] : [{ field, message }];
    });
  const notChain = (text: string) => unknownChain(text, known);
  const errors = [
    ...problemsInPolicy(policy, { kinds: [kindOfProfile(name)], chains: profile.chains }, 'policy.'),
    ...all('rpc_urls', Object.keys(rpc_urls), notChain),
    ...pins.flatMap(({ chain, address }, at) => [
      ...all(`pins.${at}.chain`, [chain], notChain),
      ...all(`pins.${at}.address`, [address], notEvm),
    ]),
  ];
  if (errors.length > 0) throw wrongSettings(errors);
};
