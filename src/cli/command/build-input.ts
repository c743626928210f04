import type { Input } from '../../client/call.ts';
import type { Endpoint } from '../../contract/define.ts';
import { Failure, type FieldError, isFailure } from '../../core/failure.ts';
import { isJsonObject, valueAt } from '../../core/json.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import { mergeBodies, readBody } from './body.ts';
import type { CommandContext, ReadContext } from './command.ts';
import { type Field, fieldList, fieldValue, flagOf, MIN_ADDRESS, type OptionDetails, WALLETS } from './fields.ts';
import { type Argument, eitherOf, type Option, type ParsedArgs, sourceOption, stringArg } from './options.ts';

const FIELDS: readonly string[] = ['provider', 'provider_in', 'provider_out'];

type Names = Readonly<Record<string, string>>;

const nameIn = (names: Names, name: unknown): unknown =>
  typeof name === 'string' && Object.hasOwn(names, name) ? names[name] : name;

/** Replaces the user's provider names in an input by the deployment's. `fields`: the fields of the endpoints. */
const toDeploymentNames = ({ providers }: ProfileSettings, fields: readonly string[], input: Input): Input => {
  if (!providers) return input;
  const named = FIELDS.filter((field) => fields.includes(field) && Object.hasOwn(input, field));
  return { ...input, ...Object.fromEntries(named.map((field) => [field, nameIn(providers, input[field])])) };
};

const renamed = (names: Names, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => renamed(names, one));
  if (!isJsonObject(value)) return value;
  const field = ([key, inner]: [string, unknown]) => [
    key,
    FIELDS.includes(key) ? nameIn(names, inner) : renamed(names, inner),
  ];
  return Object.fromEntries(Object.entries(value).map(field));
};

/** Replaces the deployment's provider names by the user's in a table on a terminal. Other output keeps them. */
export const withOwnNames = async (cli: CommandContext, rows: unknown): Promise<unknown> => {
  const { providers } = await cli.profile();
  if (!providers || !cli.io.stdout.isTerminal || cli.globals.json) return rows;
  return renamed(Object.fromEntries(Object.entries(providers).map(([own, theirs]) => [theirs, own])), rows);
};

/** How a command builds the input of its endpoints from options, arguments, profile and body file. */
export type InputSpec = {
  /** Fields that are positional arguments instead of options. */
  readonly arguments?: Readonly<Record<string, Argument>>;
  /** Additions to the options that the contract declares for fields. */
  readonly fields?: Readonly<Record<string, OptionDetails>>;
  /** Options that are not fields. `bodyFrom` makes their part of the body. */
  readonly options?: readonly Option[];
  readonly bodyFrom?: (given: ParsedArgs) => Input;
  readonly defaults?: Input;
  /** Values from the profile. Every other source overrides them. */
  readonly defaultsOf?: (settings: ProfileSettings) => Input;
  /** The nested fields that these options set. */
  readonly sets?: readonly string[];
  /** Fields of a body file that only state facts. They belong to no endpoint and are not sent. */
  readonly statements?: readonly string[];
  /** The previous or next endpoint of the same operation. One file may contain the fields of both. */
  readonly sibling?: Endpoint;
  /** The options that set a nested field; any one of them is enough. Empty if only --body sets it. */
  readonly optionsOf?: (field: string) => readonly string[];
};

export const BODY_OPTION = sourceOption('--body', 'Fields as JSON or YAML; options override them', {
  value: 'FILE',
  readsStdin: true,
});

const namesIn = (endpoint: Endpoint): readonly string[] => fieldList(endpoint).map(({ name }) => name);

/** Removes the fields that belong to the sibling endpoint alone. */
const ownFields = (endpoints: readonly Endpoint[], sibling: Endpoint | undefined, body: Input): Input => {
  if (!sibling) return body;
  const own = endpoints.flatMap(namesIn);
  const others = namesIn(sibling).filter((name) => !own.includes(name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !others.includes(name)));
};

/** Reads the body file. An undocumented field may be a typing error, so a warning names it; it is sent unchanged. */
const readFile = async (
  cli: ReadContext,
  endpoints: readonly Endpoint[],
  { sibling, statements = [] }: InputSpec,
  file: string,
): Promise<Input> => {
  const body = ownFields(endpoints, sibling, await readBody(cli.io, file));
  const { meantInstead, unknownFields } = await import('./unknown-fields.ts');
  for (const unknown of unknownFields(endpoints, body)) {
    if (statements.includes(unknown.field)) continue;
    const named = `warning: --body: the service's document names no ${unknown.field}`;
    await cli.printNote(escapeText(`${named}${meantInstead(unknown) || '.'} It is sent as it stands.`));
  }
  return body;
};

/** Shows which payment settings come from a project file. Another user may have written the file. */
const showProject = async (cli: ReadContext, spec: InputSpec, input: Input): Promise<void> => {
  const { project } = await cli.selection();
  if (project === undefined || !spec.defaultsOf) return;
  const { tenant_data: used } = input as { readonly tenant_data?: Readonly<Record<string, unknown>> };
  const shown = (['webhook_url', 'public_client_id'] as const).filter(
    (name) => project[name] !== undefined && used?.[name] === project[name],
  );
  if (shown.length === 0) return;
  const settings = shown.map((name) => `${name} ${project[name]}`).join(', ');
  await cli.warn(escapeText(`${project.path} sets ${settings}`));
};

/** The address of the running `webhook listen`, for a payment of the sandbox that has no webhook URL from elsewhere. */
const withListener = async (cli: ReadContext, spec: InputSpec, input: Input): Promise<Input> => {
  const isMissing = spec.defaultsOf !== undefined && valueAt(input, 'tenant_data', 'webhook_url') === undefined;
  if (!isMissing || (await cli.selection()).as !== 'sandbox') return input;
  const webhook_url = await (await import('../context/listener.ts')).listenerUrl(cli);
  return webhook_url === undefined ? input : mergeBodies({ tenant_data: { webhook_url } }, input);
};

const mayBeKeyName = (value: unknown): boolean => typeof value === 'string' && value.length < MIN_ADDRESS;

/**
 * Builds the input. Options override the body file, which overrides the profile, which overrides defaults. Provider
 * names become those of the deployment.
 */
export const buildInput = async (
  cli: ReadContext,
  endpoints: readonly Endpoint[],
  spec: InputSpec,
  given: ParsedArgs,
): Promise<Input> => {
  const file = stringArg(given, 'body');
  const fields = endpoints.flatMap(fieldList);
  const typed = fields.map((field) => {
    const argument = spec.arguments?.[field.name];
    return [field.name, argument ? given[argument.name.toLowerCase()] : fieldValue(field, given)];
  });
  const options = mergeBodies(Object.fromEntries(typed) as Input, spec.bodyFrom?.(given) ?? {});
  const settings = await cli.profile();
  const under = mergeBodies(spec.defaults ?? {}, spec.defaultsOf?.(settings) ?? {});
  const input = mergeBodies(mergeBodies(under, file ? await readFile(cli, endpoints, spec, file) : {}), options);
  if (WALLETS.some((name) => mayBeKeyName(input[name]))) {
    await (await import('../operations/check-receivers.ts')).assertNoKeyNames(cli, input);
  }
  await showProject(cli, spec, input);
  return toDeploymentNames(settings, endpoints.flatMap(namesIn), await withListener(cli, spec, input));
};

/** The options that set a field, for messages; any one of them is enough. A field `inBody` has no option of its own. */
export type FieldNames = { readonly anyOf: readonly string[]; readonly inBody?: true };

/** Returns the names of a field. Without a body, an unknown field has none. */
export const optionNamer =
  (fields: readonly Field[], spec: InputSpec, hasBody = true) =>
  (path: string): FieldNames => {
    const own = spec.optionsOf?.(path) ?? [];
    if (own.length > 0) return { anyOf: own };
    const argument = spec.arguments?.[path];
    if (argument) return { anyOf: [argument.name] };
    const field = fields.find(({ name }) => name === path);
    if (field && field.kind !== 'nested') return { anyOf: [flagOf(path)] };
    if (path === 'body' || !hasBody) return { anyOf: hasBody ? [BODY_OPTION.flag] : [] };
    return { anyOf: [`${inSentence(path)} in ${BODY_OPTION.flag}`], inBody: true };
  };

/** Adds the option names to each wrong field of a failure. Review failures stay unchanged: they name no fields. */
export const namingOptions = async <T>(work: Promise<T>, optionsOf: (field: string) => FieldNames): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || !error.details.errors || error.code === 'refused_by_review') throw error;
    const errors = error.details.errors.map((one): FieldError => {
      const names = one.option === undefined ? optionsOf(one.field) : undefined;
      if (names === undefined || names.anyOf.length === 0) return one;
      return {
        ...one,
        option: eitherOf(names.anyOf),
        anyOf: names.anyOf,
        ...(names.inBody && { by: BODY_OPTION.flag }),
      };
    });
    throw new Failure(error.code, error.sentence, { ...error.details, errors });
  }
};
