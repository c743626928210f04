import type { Endpoint } from '../contract/define.ts';
import { Failure, isFailure } from '../core/failure.ts';
import { type Body, mergeBodies, readBody } from './body.ts';
import type { Cli } from './cli.ts';
import { type Field, fieldList, fieldValue, flagOf } from './fields.ts';
import { type Argument, type Given, type Option, textOf } from './options.ts';

/** How the input of one or more endpoints is put together from a command line. */
export type Gathering = {
  /** Fields that are arguments instead of options. */
  readonly arguments?: Readonly<Record<string, Argument>>;
  /** Options beside the fields, and the part of the body that they make. */
  readonly options?: readonly Option[];
  readonly bodyFrom?: (given: Given) => Body;
  readonly defaults?: Body;
  /** The option that sets a nested field, where one does. */
  readonly optionOf?: (field: string) => string | undefined;
};

export const BODY_OPTION: Option = {
  flag: '--body',
  value: 'FILE',
  says: 'Fields as JSON or YAML, - for stdin; options override',
};

/** An input: defaults, then the body file, then options and arguments. */
export const gatherInput = async (
  cli: Cli,
  endpoints: readonly Endpoint[],
  gathering: Gathering,
  given: Given,
): Promise<Body> => {
  const file = textOf(given, 'body');
  const typed = endpoints.flatMap(fieldList).map((field) => {
    const argument = gathering.arguments?.[field.name];
    return [field.name, argument ? given[argument.name.toLowerCase()] : fieldValue(field, given)];
  });
  const options = mergeBodies(Object.fromEntries(typed) as Body, gathering.bodyFrom?.(given) ?? {});
  return mergeBodies(mergeBodies(gathering.defaults ?? {}, file ? await readBody(cli.io, file) : {}), options);
};

/** How a field is set on the command line, for messages. */
export const optionNamer =
  (fields: readonly Field[], gathering: Gathering) =>
  (path: string): string => {
    const own = gathering.optionOf?.(path) ?? gathering.arguments?.[path]?.name;
    if (own) return own;
    const field = fields.find(({ name }) => name === path);
    return field && field.kind !== 'nested' ? flagOf(path) : `${path} in --body`;
  };

/** Names, at every wrong field of a failure, the option that sets it. */
export const namingOptions = async <T>(work: Promise<T>, optionOf: (field: string) => string): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || !error.details.errors) throw error;
    const errors = error.details.errors.map((one) => ({ option: optionOf(one.field), ...one }));
    throw new Failure(error.code, error.message, { ...error.details, errors });
  }
};
