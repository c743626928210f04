import { closest } from '../../../core/closest.ts';
import { Failure, type FieldError, undefinedOn } from '../../../core/failure.ts';
import { isJsonObject, parseJson } from '../../../core/json.ts';
import { credentialsIn, isCoin, isCredential } from '../../../core/secret.ts';
import type { Inputs } from '../../../smoke/call.ts';
import { resolved } from '../../../smoke/expression.ts';
import type { Flow, InputSpec } from '../../../smoke/flow.ts';
import { problemOfInput } from '../../../smoke/input-schema.ts';
import { readDocument } from '../../command/body.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';
import { splitField } from '../api/fields.ts';

/** The inputs that the user gave, by name, and the values of the runner. */
export type InputSources = {
  readonly given: Inputs;
  readonly isSandbox: boolean;
  readonly ofRunner: Readonly<Partial<Record<NonNullable<InputSpec['from']>, string | undefined>>>;
};

const VARIABLE = 'BURSAR_INPUT_';

/**
 * The inputs of variables, of --inputs, and of --input. The latter win. Throws for a name that no flow has, or takes from the
 * user.
 */
export const givenInputs = async (cli: CommandContext, given: ParsedArgs, flows: readonly Flow[]): Promise<Inputs> => {
  const file = stringArg(given, 'inputs');
  const document = file === undefined ? {} : await readDocument(cli.io, file);
  if (!isJsonObject(document)) throw new Failure('unreadable_file', `${file}: the inputs must be an object`);
  const specs = flows.flatMap(({ inputs }) => inputs);
  const taken = specs.filter(({ from }) => from !== 'profile');
  const names = [...new Set(taken.map(({ name }) => name))];
  const variables = names.flatMap((name) => {
    const value = cli.io.env[VARIABLE + name.toUpperCase()];
    return value === undefined ? [] : [[name, value] as const];
  });
  const options = stringArgs(given, 'input').map((text) => splitField('--input', text));
  const all = { ...Object.fromEntries(variables), ...document, ...Object.fromEntries(options) };
  const unknown = Object.keys(all).find((name) => !names.includes(name));
  if (unknown === undefined) return all;
  if (specs.some(({ name }) => name === unknown))
    throw new Failure('invalid_input', `--input: the flows take ${unknown} from the profile, and not from the user`, {
      hint: 'The API key is that of the profile: see bursar login, or BURSAR_API_KEY_FILE.',
    });
  const near = closest(unknown, names);
  const known = names.join(', ');
  throw new Failure('invalid_input', `--input: no flow of this run has an input ${unknown}`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}${known ? `The inputs are ${known}.` : 'The run has no inputs.'}`,
  });
};

/** A value that the schema of its input accepts. Throws `invalid_input` for another one. */
const accepted = ({ name, schema }: InputSpec, value: unknown): unknown => {
  const problem = value === undefined ? undefined : problemOfInput(schema, value);
  if (problem !== undefined) throw new Failure('invalid_input', `input ${name}: ${problem}`);
  return value;
};

/** Text of an option or a variable is read as JSON for any type but text. */
const typed = ({ schema: { type = 'string' } }: InputSpec, value: unknown): unknown =>
  type === 'string' || typeof value !== 'string' ? value : (undefinedOn(() => parseJson(value)) ?? value);

/** The value of an input. Only a value of the file can have expressions: what users give stays as it is. */
const sourceOf = (spec: InputSpec, { given, isSandbox, ofRunner }: InputSources, inputs: Inputs): unknown => {
  const { name, from, inSandbox, usual } = spec;
  if (Object.hasOwn(given, name)) return accepted(spec, typed(spec, given[name]));
  const ofFile = () => resolved((isSandbox ? inSandbox : undefined) ?? usual, { inputs, steps: {}, workflows: {} });
  return accepted(spec, (from && ofRunner[from]) ?? ofFile());
};

/** The inputs of a flow. Adds what is missing to `missing`. */
export const inputsOf = (flow: Flow, sources: InputSources, missing: FieldError[]): Inputs => {
  const inputs: Record<string, unknown> = {};
  for (const spec of flow.inputs) {
    const value = sourceOf(spec, sources, inputs);
    if (value !== undefined) inputs[spec.name] = value;
    else if (spec.isRequired && spec.from !== 'profile') {
      const message = `required by ${flow.id}${spec.description && `: ${spec.description}`}`;
      missing.push({ field: spec.name, message, option: `--input ${spec.name}=VALUE` });
    }
  }
  return inputs;
};

const OF_RUNNER: readonly InputSpec['from'][] = ['evm-key', 'solana-key', 'run-id'];

/** The inputs of a flow that a user must give for a live service. Keys are chosen later. */
export const missingInputs = (flow: Flow, given: Inputs): readonly FieldError[] => {
  const missing: FieldError[] = [];
  inputsOf(flow, { given, isSandbox: false, ofRunner: {} }, missing);
  const isOfRunner = (field: string) =>
    flow.inputs.some(({ name, from }) => name === field && OF_RUNNER.includes(from));
  return missing.filter(({ field }) => !isOfRunner(field));
};

/** Whether an input is a secret: by its name. A token whose value is the symbol of a coin is none. */
export const isSecretInput = (name: string, value?: unknown): boolean =>
  !isCoin(name, value) &&
  (isCredential(name) || /pass(?:word|wd|phrase)?$|pw$|secret|token$|code$|key$|pin$/i.test(name));

/** All texts and numbers of secret inputs, which no report shows. */
export const secretInputs = ({ inputs: specs }: Flow, inputs: Inputs): readonly string[] =>
  specs.flatMap(({ name, isSecret }) =>
    isSecret || isSecretInput(name, inputs[name]) ? credentialsIn({ password: inputs[name] }) : [],
  );

/** The given inputs that are no secrets, by name. Two runs of the same flows differ by them, wherever they come from. */
export const publicInputs = (
  jobs: readonly { readonly flow: Flow; readonly inputs: Inputs }[],
  given: Inputs,
): readonly unknown[] =>
  Object.keys(given)
    .toSorted()
    .flatMap((name) =>
      jobs.flatMap(({ flow, inputs }) => {
        const spec = flow.inputs.find((input) => input.name === name);
        const isPublic = spec !== undefined && !spec.isSecret && !isSecretInput(name, inputs[name]);
        return isPublic ? [[flow.id, name, inputs[name]]] : [];
      }),
    );
