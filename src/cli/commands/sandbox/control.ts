import * as z from 'zod';
import type { ControlData, ControlEndpoint, ControlInput } from '../../../contract/control/define.ts';
import type { ControlId } from '../../../contract/control/index.ts';
import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, fieldOfFlag, type Option, type ParsedArgs } from '../../command/options.ts';

/** A command of the sandbox, and the endpoints of its control that it calls. */
export type SandboxCommand = Command & { readonly controls: readonly ControlId[] };

type Known = ControlEndpoint & { readonly id: ControlId };

/** Calls an endpoint that the command has declared. The first call starts the sandbox, if it does not run. */
export type ControlCall<E extends Known> = <const X extends E>(
  endpoint: X,
  ...input: Record<never, never> extends ControlInput<X> ? [ControlInput<X>?] : [ControlInput<X>]
) => Promise<ControlData<X>>;

type Spec<E extends Known> = Omit<Command, 'words' | 'run'> & {
  readonly verb: string;
  readonly controls: readonly E[];
  readonly run: (cli: CommandContext, given: ParsedArgs, call: ControlCall<E>) => Promise<void>;
};

/** A command that acts by the control alone. Failures follow from the errors of its endpoints; `fails` names others. */
export const controlCommand = <const E extends Known>({
  verb,
  controls,
  run,
  fails = [],
  ...spec
}: Spec<E>): SandboxCommand => {
  const https = controls.flatMap(({ errors }) => Object.values(errors));
  return {
    words: ['sandbox', verb],
    ...spec,
    controls: controls.map(({ id }) => id),
    fails: [
      'sandbox_unavailable',
      ...fails,
      ...(https.includes(404) ? (['not_found'] as const) : []),
      ...(https.includes(400) ? (['rejected'] as const) : []),
    ],
    run: (cli, given) => run(cli, given, callWith(cli, spec)),
  };
};

type Named = Pick<Command, 'arguments' | 'options'>;

/** The option or argument of a field. */
const nameOf = ({ arguments: places = [], options = [] }: Named, field: string): string | undefined =>
  options.find(({ flag }) => fieldOfFlag(flag) === field)?.flag ??
  places.find(({ name }) => name.toLowerCase() === field)?.name;

/** Throws `invalid_input` for a value that the endpoint refuses: the mistake is found before a sandbox starts. */
const assertValid = async (endpoint: Known, input: Readonly<Record<string, unknown>>, named: Named): Promise<void> => {
  const { validate } = await import('../../../contract/define.ts');
  const validated = validate(endpoint, input);
  if (validated.ok) return;
  const errors = validated.problems.map(({ field, message, isMissing }) => {
    const option = nameOf(named, field);
    return { field, message, isMissing, ...(option !== undefined && { option }) };
  });
  throw new Failure('invalid_input', 'nothing was sent: a value is invalid', { errors });
};

const callWith = (cli: CommandContext, named: Named): ControlCall<Known> => {
  const opened = async () => {
    const { startSandbox } = await import('../../../sandbox/launcher.ts');
    const { control } = await import('../../../sandbox/control-client.ts');
    const address = await startSandbox(cli.io, {});
    return control(cli.withServerClock(address.url), address);
  };
  return async (endpoint, ...input) => {
    await assertValid(endpoint, input[0] ?? {}, named);
    return (await opened())(endpoint, ...input);
  };
};

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? bare(schema.unwrap() as z.ZodType) : schema;

/** The description of a field. */
export const descriptionOf = (schema: z.ZodType): string => z.globalRegistry.get(bare(schema))?.description ?? '';

/** The default of a field that help names; the default of a switch needs no note. */
const defaultOf = (schema: z.ZodType): Pick<Option, 'usual'> =>
  schema instanceof z.ZodDefault && typeof schema.def.defaultValue !== 'boolean'
    ? { usual: String(schema.def.defaultValue) }
    : {};

/** The option of a field; without a name for its value it is a switch. */
export const fieldOption = (flag: Option['flag'], schema: z.ZodType, value?: string): Option => {
  const inner = bare(schema);
  return {
    flag,
    ...(value !== undefined && { value }),
    ...(inner instanceof z.ZodEnum && { choices: inner.options.map(String) }),
    ...defaultOf(schema),
    description: descriptionOf(schema),
  };
};

/** A word of a closed list. `noun` and `plural` name the list in the failure. Throws `invalid_input` for any other word. */
export const wordFrom = <T extends string>(text: string, all: readonly T[], noun: string, plural: string): T => {
  const word = all.find((each) => each === text);
  if (word !== undefined) return word;
  const near = closest(text, all);
  throw new Failure('invalid_input', `"${text}" is no ${noun}`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}The ${plural} are ${all.join(', ')}.`,
  });
};

/** A switch for each word of a choice. */
export const switchesOf = (schema: z.ZodEnum): readonly Option[] => {
  const meanings = z.globalRegistry.get(schema)?.['x-enumDescriptions'] as Readonly<Record<string, string>> | undefined;
  return Object.entries(meanings ?? {}).map(([word, description]) => ({ flag: `--${word}`, description }));
};

/** The words of a choice whose switches were given. */
export const switchesIn = <M extends z.core.util.EnumLike>(
  given: ParsedArgs,
  schema: z.ZodEnum<M>,
): readonly M[keyof M][] => schema.options.filter((word) => boolArg(given, String(word)));
