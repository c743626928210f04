import type * as z from 'zod';
import { call, checkInput, type Input, prepare } from '../../client/call.ts';
import type { Endpoint } from '../../contract/define.ts';
import { Failure } from '../../core/failure.ts';
import { type CallResult, isEnvelope } from '../../flows/read-back.ts';
import type { DeclaredFields } from '../../output/render.ts';
import type { Summary } from '../../output/summary.ts';
import { isDryRun } from '../argv/command-line.ts';
import { showRequests } from '../print/dry-run.ts';
import type { PipeRows, TerminalList } from '../print/print-result.ts';
import {
  BODY_OPTION,
  buildInput,
  type FieldNames,
  type InputSpec,
  namingOptions,
  optionNamer,
  withOwnNames,
} from './build-input.ts';
import type { Command, CommandContext, ReadContext } from './command.ts';
import { checkOf, type Field, fieldList, optionsFor } from './fields.ts';
import { type Argument, eitherOf, type ParsedArgs } from './options.ts';
import { partAt, partsOf } from './schema-parts.ts';

const namesIn = (schema: z.core.$ZodType | undefined): readonly string[] | undefined => {
  const { shape } = schema ? partsOf(schema) : {};
  return shape && Object.keys(shape);
};

const entryOf = (schema: z.core.$ZodType, rows: string | undefined): z.core.$ZodType | undefined => {
  if (rows === undefined) return schema;
  const list = partAt(schema, rows);
  return list && partsOf(list).element;
};

/** The fields of an endpoint's result, or of one entry of its list `rows`. Undefined if the document shows none. */
export const declaredFields = (endpoint: Endpoint, rows?: string): DeclaredFields | undefined => {
  const ways = Object.values(endpoint.success).map(({ data }) =>
    data === undefined ? ['status'] : namesIn(entryOf(data, rows)),
  );
  const names = [...new Set(ways.flatMap((way) => way ?? []))];
  const isKnown = names.length > 0 && ways.every((way) => way !== undefined);
  return isKnown ? { names, isOpen: endpoint.unshownFields === true } : undefined;
};

/** How a command differs from the one that its endpoint alone implies. */
export type EndpointCommandOptions = InputSpec & {
  readonly words?: Command['words'];
  readonly about?: Command['about'];
  /** The endpoints that the command may call. The default is its own endpoint alone. */
  readonly calls?: Command['calls'];
  readonly currentValues?: Command['currentValues'];
  readonly isCorrectable?: true;
  /** The name of the list that a table shows. */
  readonly rows?: string;
  /** Sorts the rows for printing. */
  readonly sorted?: (rows: unknown) => unknown;
  /** Lays the rows out for a terminal, if the usual table does not fit. */
  readonly listed?: (cli: CommandContext, rows: unknown) => TerminalList;
  /** The rows for a pipe, always with the same columns. */
  readonly piped?: (rows: unknown) => PipeRows;
  /** The text for an empty list. */
  readonly none?: string;
  /** The summary of one result; undefined if the data is not as expected, or if all of it is to be printed. */
  readonly summary?: (data: unknown, input: Input, cli: CommandContext) => Promise<Summary | undefined>;
  readonly examples: readonly string[];
  /** Throws for an HTTP success that is a failure. */
  readonly check?: (answered: CallResult) => void;
  /** Adds missing fields. Returns undefined if no call is needed and the result is already printed. */
  readonly complete?: (cli: CommandContext, given: ParsedArgs, input: Input) => Promise<Input | undefined>;
  /** Validates the input beyond the contract. Throws `invalid_input`. */
  readonly validate?: (cli: ReadContext, input: Input) => Promise<void>;
  /** Replaces the single call. */
  readonly fetch?: (cli: CommandContext, given: ParsedArgs, input: Input) => Promise<CallResult>;
  /** Runs after the result is printed. */
  readonly after?: (cli: CommandContext, given: ParsedArgs, answered: CallResult, input: Input) => Promise<void>;
  /** Runs before the call and may ask. Returns a result if no call is needed. Throws if the user declines. */
  readonly before?: (cli: CommandContext, input: Input) => Promise<CallResult | undefined>;
  /** Options that --envelope cannot be combined with. */
  readonly noEnvelopeWith?: readonly string[];
  /** The question before a call that moves money. */
  readonly confirm?: (input: Input) => string;
};

type DisplayOptions = Pick<EndpointCommandOptions, 'rows' | 'sorted' | 'listed' | 'piped' | 'none' | 'summary'>;

/** Prints a result: the envelope, or its data, or its status if it has no data. */
export const showAnswer = async (
  cli: CommandContext,
  endpoint: Endpoint,
  answered: CallResult,
  { rows, sorted = (all) => all, listed, piped, none, summary }: DisplayOptions,
  input: Input = {},
): Promise<void> => {
  const print = endpoint.effect === 'reads' ? cli.printResult : cli.printCommitted;
  if (cli.globals.envelope) {
    return print(isEnvelope(answered) ? answered : { [answered.without]: true, data: answered.data });
  }
  const data = answered.data ?? { status: answered.status };
  const named = await withOwnNames(cli, rows ? ((data as Input)[rows] ?? data) : data);
  const all = sorted(named);
  return print(data, all, {
    entry: () => (rows ? declaredFields(endpoint, rows) : undefined),
    none,
    summary: summary && (async () => summary(await withOwnNames(cli, data), input, cli)),
    listed: listed && (() => listed(cli, all)),
    piped: piped && (() => piped(all)),
  });
};

const act = async (cli: CommandContext, endpoint: Endpoint, custom: EndpointCommandOptions, given: ParsedArgs) => {
  const gathered = await buildInput(cli, [endpoint], custom, given);
  const input = custom.complete ? await custom.complete(cli, given, gathered) : gathered;
  if (!input) return;
  // Input errors come first: no service is chosen and no sandbox starts for an invalid input.
  checkInput(endpoint, input);
  await custom.validate?.(cli, input);
  const client = await cli.client();
  if (isDryRun(cli)) return showRequests(cli, client.service, [prepare(client.service, endpoint, input)]);
  if (custom.confirm && !(await cli.confirm(custom.confirm(input)))) {
    throw new Failure('refused_by_review', 'not confirmed; nothing was sent');
  }
  const known = await custom.before?.(cli, input);
  const fetched = () => (custom.fetch ? custom.fetch(cli, given, input) : call(client, endpoint, input));
  const answered = known ?? (await cli.io.spin<CallResult>(endpoint.summary, fetched()));
  custom.check?.(answered);
  await showAnswer(cli, endpoint, answered, custom, input);
  await custom.after?.(cli, given, answered, input);
};

const checkedArgument = (fields: readonly Field[], name: string, argument: Argument): Argument => {
  const field = fields.find((one) => one.name === name);
  return field ? { check: checkOf(field), example: field.example, ...argument } : argument;
};

/** A field in a rule, named by its options if it has some. */
const nameInRule = (optionsOf: (path: string) => FieldNames) => (field: string) => {
  const options = optionsOf(field).anyOf.filter((name) => name.startsWith('--'));
  return options.length === 0 ? field : eitherOf(options);
};

/** Makes the command of an endpoint: fields become options, path parameters become arguments. */
export const derive = (endpoint: Endpoint, custom: EndpointCommandOptions): Command => {
  const fields = fieldList(endpoint);
  const [area = '', verb = ''] = endpoint.id.split('.');
  const isArgument = (name: string) => Object.hasOwn(custom.arguments ?? {}, name);
  const plain = fields
    .filter(({ name }) => !isArgument(name))
    .flatMap((field) => optionsFor(field, custom.defaults?.[field.name], custom.fields?.[field.name]));
  return {
    words: custom.words ?? [area, verb],
    summary: endpoint.summary,
    rules: (endpoint.rules ?? []).map(({ inWords }) => inWords(nameInRule(optionNamer(fields, custom)))),
    bodyOnly: fields.filter(({ kind, name }) => kind === 'nested' && !custom.sets?.includes(name)),
    calls: custom.calls ?? [endpoint.id],
    envelopeOf: [endpoint.id],
    ...(custom.about && { about: custom.about }),
    ...(custom.noEnvelopeWith && { noEnvelopeWith: custom.noEnvelopeWith }),
    ...(endpoint.effect !== 'reads' && { answers: () => declaredFields(endpoint, custom.rows) }),
    ...(custom.currentValues && { currentValues: custom.currentValues }),
    ...(custom.isCorrectable && { isCorrectable: true }),
    ...(custom.before && { previewsChanges: true }),
    ...(custom.confirm && { fails: ['refused_by_review'] }),
    arguments: Object.entries(custom.arguments ?? {}).map(([name, argument]) =>
      checkedArgument(fields, name, argument),
    ),
    options: [...plain, ...(custom.options ?? []), ...(endpoint.body ? [BODY_OPTION] : [])],
    examples: custom.examples,
    supportsDryRun: true,
    run: (cli, given) =>
      namingOptions(act(cli, endpoint, custom, given), optionNamer(fields, custom, endpoint.body !== undefined)),
  };
};
