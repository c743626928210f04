import * as z from 'zod';
import { type Endpoint, fieldsOf } from '../../contract/define.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { exactNumber, parseJson } from '../../core/json.ts';
import { memoize } from '../../core/once.ts';
import { isCredential } from '../../core/secret.ts';
import type { Check, Option, ParsedArgs } from './options.ts';

/** A field of an endpoint, as needed for its option. */
export type Field = {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** `nested` fields have no option; --body sets them. */
  readonly kind: 'text' | 'number' | 'boolean' | 'texts' | 'nested';
  readonly choices: readonly string[] | undefined;
  readonly schema: z.ZodType | undefined;
  /** The example of the contract. */
  readonly example: string | undefined;
};

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const kindOf = (schema: JsonSchema): Field['kind'] => {
  const types = (schema.anyOf ?? [schema]).map((one) => (one as JsonSchema).type);
  if (types.includes('string') && types.includes('array')) return 'texts';
  if (types.includes('string')) return 'text';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'nested';
};

/** The whole input of an endpoint as JSON Schema. */
export const inputSchema = memoize(
  (endpoint: Endpoint): JsonSchema =>
    z.toJSONSchema(z.object(fieldsOf(endpoint)), { unrepresentable: 'any', io: 'input' }),
);

/** The fields of an endpoint, in the contract's order. */
export const fieldList = memoize((endpoint: Endpoint): readonly Field[] => {
  const shape = fieldsOf(endpoint);
  const schema = inputSchema(endpoint);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const one = property as JsonSchema;
    const values = one.enum ?? (one.const === undefined ? undefined : [one.const]);
    return {
      name,
      description: one.description ?? '',
      isRequired: schema.required?.includes(name) === true,
      kind: kindOf(one),
      choices: kindOf(one) === 'text' ? values?.map(String) : undefined,
      schema: shape[name],
      example: typeof endpoint.example[name] === 'string' ? endpoint.example[name] : undefined,
    };
  });
});

/** `payer_email` is written `--payer-email`. */
export const flagOf = (field: string): `--${string}` => `--${field.replaceAll('_', '-')}`;

/** Additions to the option that the contract declares for a field. */
export type OptionDetails = Partial<Omit<Option, 'flag' | 'choices' | 'isRepeatable'>>;

const PLACEHOLDERS = { text: 'TEXT', number: 'N', texts: 'TEXT' } as const;

/** Returns the first problem that a contract schema reports for a value. */
export const checkBy =
  (schema: z.core.$ZodType | undefined, read: (text: string) => unknown = (text) => text): Check =>
  (text) => {
    try {
      return schema && z.safeParse(schema, read(text)).error?.issues[0]?.message;
    } catch (error) {
      return messageOf(error);
    }
  };

/** Checks a typed value against the contract. */
export const checkOf = (field: Field): Check =>
  checkBy(field.schema, (text) => (field.kind === 'number' ? numberFrom(flagOf(field.name), text) : text));

/** The options of a field. A boolean field also has its opposite, `--no-…`. */
export const optionsFor = (field: Field, usual?: unknown, details: OptionDetails = {}): readonly Option[] => {
  const flag = flagOf(field.name);
  if (field.kind === 'nested') return [];
  if (field.kind === 'boolean') {
    return [
      { flag, description: field.description, ...details },
      {
        flag: flagOf(`no_${field.name}`),
        description: `The opposite of ${flag}`,
        ...details,
        ...(usual === false && { usual: '' }),
      },
    ];
  }
  const value = field.choices ? 'CHOICE' : PLACEHOLDERS[field.kind];
  return [
    {
      flag,
      value,
      description: field.description,
      example: field.example,
      ...(usual === undefined ? field.isRequired && { isRequired: true } : { usual: String(usual) }),
      ...(field.choices && { choices: field.choices }),
      ...(field.kind === 'texts' && { isRepeatable: true }),
      ...(isCredential(field.name) && { isHidden: true }),
      check: checkOf(field),
      ...details,
    },
  ];
};

const numberFrom = (flag: string, text: string): unknown => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new Failure('invalid_input', `${flag}: "${text}" is not a number`);
  return text.length > 15 ? exactNumber(text) : parseJson(text.replace(/^(-?)0+(?=\d)/, '$1'));
};

/** The typed value of a field, in the type of the contract; undefined if the option was not given. */
export const fieldValue = (field: Field, given: ParsedArgs): unknown => {
  const name = field.name.replaceAll('_', '-');
  const value = given[name];
  if (field.kind === 'boolean') {
    if (given[`no-${name}`] === true) return false;
    return value === true ? true : undefined;
  }
  if (Array.isArray(value)) return value.length > 1 ? value : value[0];
  if (typeof value !== 'string') return undefined;
  return field.kind === 'number' ? numberFrom(flagOf(field.name), value) : value;
};

/** The fields whose value is a wallet. */
export const WALLETS: readonly string[] = ['wallet', 'signer', 'payer_wallet'];

/** No name of a key is as long as the shortest address. */
export const MIN_ADDRESS = 32;
