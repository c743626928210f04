import { closest } from '../../../core/closest.ts';
import { Failure, type FieldError, undefinedOn } from '../../../core/failure.ts';
import { isJsonObject, parseJson } from '../../../core/json.ts';
import type { Inputs } from '../../../smoke/call.ts';
import { resolved } from '../../../smoke/expression.ts';
import type { Flow, InputSpec } from '../../../smoke/flow.ts';
import { readDocument } from '../../command/body.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';

/** The inputs that the user gave, by name, and the values of the runner. */
export type InputSources = {
  readonly given: Inputs;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isSandbox: boolean;
  readonly ofRunner: Readonly<Partial<Record<NonNullable<InputSpec['from']>, string | undefined>>>;
};

const VARIABLE = 'BURSAR_INPUT_';

const pairOf = (text: string): readonly [string, string] => {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new Failure('invalid_input', `--input: "${text.slice(0, 40)}" is not NAME=VALUE`);
};

/** The inputs of --inputs and --input. The latter win. Throws for a name that no flow has. */
export const givenInputs = async (cli: CommandContext, given: ParsedArgs, flows: readonly Flow[]): Promise<Inputs> => {
  const file = stringArg(given, 'inputs');
  const document = file === undefined ? {} : await readDocument(cli.io, file);
  if (!isJsonObject(document)) throw new Failure('unreadable_file', `${file}: the inputs must be an object`);
  const all = { ...document, ...Object.fromEntries(stringArgs(given, 'input').map(pairOf)) };
  const names = [...new Set(flows.flatMap(({ inputs }) => inputs.map(({ name }) => name)))];
  const unknown = Object.keys(all).find((name) => !names.includes(name));
  if (unknown === undefined) return all;
  const near = closest(unknown, names);
  throw new Failure('invalid_input', `--input: no flow of this run has an input ${unknown}`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}Its inputs are ${names.filter((name) => name !== 'api_key').join(', ')}.`,
  });
};

/** Text of an option or variable in the type of its input. */
const typed = ({ type, name, choices }: InputSpec, value: unknown): unknown => {
  const isText = type === undefined || type === 'string' || typeof value !== 'string';
  const found = isText ? value : undefinedOn(() => parseJson(value));
  const isWrong =
    !isText && (found === undefined || (type !== 'array' && type !== 'object' && !matchesType(type, found)));
  if (isWrong) throw new Failure('invalid_input', `input ${name}: it must be of type ${type}`);
  if (choices && !choices.includes(found))
    throw new Failure('invalid_input', `input ${name}: it must be one of ${choices.join(', ')}`);
  return found;
};

const matchesType = (type: string | undefined, value: unknown): boolean =>
  type === 'boolean' ? typeof value === 'boolean' : typeof value === 'number' || typeof value === 'object';

const sourceOf = (spec: InputSpec, { given, env, isSandbox, ofRunner }: InputSources): unknown => {
  const { name, from, inSandbox, usual } = spec;
  if (Object.hasOwn(given, name)) return typed(spec, given[name]);
  const variable = env[VARIABLE + name.toUpperCase()];
  if (variable !== undefined) return typed(spec, variable);
  const ofRun = from && ofRunner[from];
  return ofRun ?? (isSandbox ? inSandbox : undefined) ?? usual;
};

/** The inputs of a flow. Adds what is missing to `missing`. */
export const inputsOf = (flow: Flow, sources: InputSources, missing: FieldError[]): Inputs => {
  const inputs: Record<string, unknown> = {};
  for (const spec of flow.inputs) {
    const value = resolved(sourceOf(spec, sources), { inputs, steps: {}, workflows: {} });
    if (value !== undefined) inputs[spec.name] = value;
    else if (spec.isRequired && spec.from !== 'profile') {
      const message = `required by ${flow.id}: ${spec.description}`;
      missing.push({ field: spec.name, message, option: `--input ${spec.name}=VALUE` });
    }
  }
  return inputs;
};

/** The values of secret inputs, which no report shows. */
export const secretInputs = ({ inputs: specs }: Flow, inputs: Inputs): readonly string[] =>
  specs.flatMap(({ name, isSecret }) => (isSecret && typeof inputs[name] === 'string' ? [inputs[name]] : []));
