import type { Endpoint } from '../../contract/define.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure, type FieldError, isFailure } from '../../core/failure.ts';
import { inSentence } from '../../core/remote-text.ts';
import type { ReadContext } from '../context/context.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import { toDeploymentNames } from '../profiles/providers.ts';
import { type Body, mergeBodies, readBody } from './body.ts';
import { type Field, fieldList, fieldValue, flagOf, type OptionDetails } from './fields.ts';
import { type Argument, type Option, type ParsedArgs, stringArg } from './options.ts';
import { eitherOf } from './required.ts';

/** How the input of one or more endpoints is put together from a command line. */
export type InputSpec = {
  /** Fields that are arguments instead of options. */
  readonly arguments?: Readonly<Record<string, Argument>>;
  /** What the options of fields have beside what the contract says of them. */
  readonly fields?: Readonly<Record<string, OptionDetails>>;
  /** Options beside the fields, and the part of the body that they make. */
  readonly options?: readonly Option[];
  readonly bodyFrom?: (given: ParsedArgs) => Body;
  readonly defaults?: Body;
  /** What the profile gives where nothing else does. */
  readonly defaultsOf?: (settings: ProfileSettings) => Body;
  /** The nested fields that options of its own set. */
  readonly sets?: readonly string[];
  /** Fields of a file that only state something: they are of no endpoint, and are not sent. */
  readonly statements?: readonly string[];
  /** The next or last step of the same thing: a file may be for both, and each takes its own fields of it. */
  readonly sibling?: Endpoint;
  /** The option that sets a nested field, or several of which any one does; none where --body alone does. */
  readonly optionsOf?: (field: string) => readonly string[];
};

export const BODY_OPTION: Option = {
  flag: '--body',
  value: 'FILE',
  readsStdin: true,
  heading: 'Where values come from',
  description: 'Fields as JSON or YAML; options override them',
};

const namesIn = (endpoint: Endpoint): readonly string[] => fieldList(endpoint).map(({ name }) => name);

/** A file without the fields that are the sibling's alone. */
const ownFields = (endpoints: readonly Endpoint[], sibling: Endpoint | undefined, body: Body): Body => {
  if (!sibling) return body;
  const own = endpoints.flatMap(namesIn);
  const others = namesIn(sibling).filter((name) => !own.includes(name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !others.includes(name)));
};

/** What nobody documents may be a typing error, or something that the service knows more of: it is told, and sent. */
const readFile = async (
  cli: ReadContext,
  endpoints: readonly Endpoint[],
  { sibling, statements = [] }: InputSpec,
  file: string,
): Promise<Body> => {
  const body = ownFields(endpoints, sibling, await readBody(cli.io, file));
  const { meantInstead, unknownFields } = await import('./unknown-fields.ts');
  for (const unknown of unknownFields(endpoints, body)) {
    if (statements.includes(unknown.field)) continue;
    const named = `warning: --body: the service's document names no ${unknown.field}`;
    await cli.say(escapeText(`${named}${meantInstead(unknown) || '.'} It is sent as it stands.`));
  }
  return body;
};

/** A file in the folder of a project is somebody else's: who is told of a payment by it, the user sees first. */
const showProject = async (cli: ReadContext, gathering: InputSpec, input: Body): Promise<void> => {
  const { project } = await cli.selection();
  if (project === undefined || !gathering.defaultsOf) return;
  const { tenant_data: used } = input as { readonly tenant_data?: Readonly<Record<string, unknown>> };
  const shown = (['webhook_url', 'public_client_id'] as const).filter(
    (name) => project[name] !== undefined && used?.[name] === project[name],
  );
  if (shown.length === 0) return;
  const says = shown.map((name) => `${name} ${project[name]}`).join(', ');
  await cli.warn(escapeText(`${project.path} sets ${says}`));
};

/** An input: defaults, then the profile's, then the body file, then options and arguments. Providers get the deployment's names. */
export const buildInput = async (
  cli: ReadContext,
  endpoints: readonly Endpoint[],
  gathering: InputSpec,
  given: ParsedArgs,
): Promise<Body> => {
  const file = stringArg(given, 'body');
  const fields = endpoints.flatMap(fieldList);
  const typed = fields.map((field) => {
    const argument = gathering.arguments?.[field.name];
    return [field.name, argument ? given[argument.name.toLowerCase()] : fieldValue(field, given)];
  });
  const options = mergeBodies(Object.fromEntries(typed) as Body, gathering.bodyFrom?.(given) ?? {});
  const settings = await cli.profile();
  const under = mergeBodies(gathering.defaults ?? {}, gathering.defaultsOf?.(settings) ?? {});
  const input = mergeBodies(mergeBodies(under, file ? await readFile(cli, endpoints, gathering, file) : {}), options);
  await showProject(cli, gathering, input);
  return toDeploymentNames(
    settings,
    fields.map(({ name }) => name),
    input,
  );
};

/** What sets a field on the command line, for messages: of several any one does. */
export const optionNamer =
  (fields: readonly Field[], gathering: InputSpec) =>
  (path: string): readonly string[] => {
    const own = gathering.optionsOf?.(path) ?? [];
    if (own.length > 0) return own;
    const argument = gathering.arguments?.[path];
    if (argument) return [argument.name];
    const field = fields.find(({ name }) => name === path);
    return [field && field.kind !== 'nested' ? flagOf(path) : `${inSentence(path)} in --body`];
  };

/** Names, at every wrong field of a failure, the option that sets it. What a review refuses is no field of an input. */
export const namingOptions = async <T>(
  work: Promise<T>,
  optionsOf: (field: string) => readonly string[],
): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || !error.details.errors || error.code === 'refused_by_review') throw error;
    const errors = error.details.errors.map((one): FieldError => {
      const anyOf = one.option === undefined ? optionsOf(one.field) : undefined;
      return anyOf === undefined ? one : { ...one, option: eitherOf(anyOf), anyOf };
    });
    throw new Failure(error.code, error.sentence, { ...error.details, errors });
  }
};
