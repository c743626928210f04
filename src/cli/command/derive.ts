import { call, checkInput, prepare } from '../../client/call.ts';
import type { Endpoint } from '../../contract/define.ts';
import { Failure } from '../../core/failure.ts';
import { type CallResult, isEnvelope } from '../../flows/read-back.ts';
import type { Summary } from '../../output/summary.ts';
import type { CommandContext, ReadContext } from '../context/context.ts';
import { isDryRun, showRequests } from '../print/dry-run.ts';
import type { PipeRows, TerminalList } from '../print/print-result.ts';
import { withOwnNames } from '../profiles/providers.ts';
import type { Body } from './body.ts';
import { BODY_OPTION, buildInput, type InputSpec, namingOptions, optionNamer } from './build-input.ts';
import type { Command } from './command.ts';
import { declaredFields } from './declared-fields.ts';
import { checkOf, type Field, fieldList, optionsFor } from './fields.ts';
import type { Argument, ParsedArgs } from './options.ts';
import { eitherOf } from './required.ts';

/** Where a command differs from what its endpoint alone says. */
export type EndpointCommandOptions = InputSpec & {
  readonly words?: Command['words'];
  readonly currentValues?: Command['currentValues'];
  readonly isCorrectable?: true;
  /** The part of the data that a table shows. */
  readonly rows?: string;
  /** Those in the order in which they are told. */
  readonly sorted?: (rows: unknown) => unknown;
  /** What a person's table shows of those, where that is laid out in another way. */
  readonly listed?: (cli: CommandContext, rows: unknown) => TerminalList;
  /** What of those goes into a pipe, always in the same columns. */
  readonly piped?: (rows: unknown) => PipeRows;
  /** What a person is told of an empty list. */
  readonly none?: string;
  /** What a person is told of one thing; `undefined` where the answer is not what was expected. */
  readonly summary?: (data: unknown, input: Body) => Promise<Summary | undefined>;
  readonly examples: readonly string[];
  /** Throws for a success that is none after all. */
  readonly check?: (answered: CallResult) => void;
  /** Fills in what the input leaves out; `undefined` where there is nothing to call for, and that was answered. */
  readonly complete?: (cli: CommandContext, given: ParsedArgs, input: Body) => Promise<Body | undefined>;
  /** What is wrong with an input beside what the contract says of it. Throws `invalid_input`. */
  readonly validate?: (cli: ReadContext, input: Body) => Promise<void>;
  /** Gets the answer in another way than by one call. */
  readonly fetch?: (cli: CommandContext, given: ParsedArgs, input: Body) => Promise<CallResult>;
  /** What is said once the answer is there. */
  readonly after?: (cli: CommandContext, given: ParsedArgs, answered: CallResult, input: Body) => Promise<void>;
  /** Shows and asks what comes before the call; an answer where there is nothing to call for. Throws for a no. */
  readonly before?: (cli: CommandContext, input: Body) => Promise<CallResult | undefined>;
  /** Options with which there is no one call whose envelope could be shown. */
  readonly noEnvelopeWith?: readonly string[];
  /** What is asked before the call, for a call that moves money. */
  readonly confirm?: (input: Body) => string;
};

type Showing = Pick<EndpointCommandOptions, 'rows' | 'sorted' | 'listed' | 'piped' | 'none' | 'summary'>;

/** Prints an answer: the whole envelope where there is one, its data, or, where it has none, its status. */
export const showAnswer = async (
  cli: CommandContext,
  endpoint: Endpoint,
  answered: CallResult,
  { rows, sorted = (all) => all, listed, piped, none, summary }: Showing,
  input: Body = {},
): Promise<void> => {
  const print = endpoint.effect === 'reads' ? cli.printResult : cli.printCommitted;
  if (cli.globals.envelope) {
    return print(isEnvelope(answered) ? answered : { [answered.without]: true, data: answered.data });
  }
  const data = answered.data ?? { status: answered.status };
  const named = await withOwnNames(cli, rows ? ((data as Body)[rows] ?? data) : data);
  const all = sorted(named);
  const shownSummary = summary && (async () => summary(await withOwnNames(cli, data), input));
  const entry = () => (rows ? declaredFields(endpoint, rows) : undefined);
  const view = {
    entry,
    none,
    summary: shownSummary,
    listed: listed && (() => listed(cli, all)),
    piped: piped && (() => piped(all)),
  };
  return print(data, all, view);
};

const act = async (
  cli: CommandContext,
  endpoint: Endpoint,
  custom: EndpointCommandOptions,
  given: ParsedArgs,
): Promise<void> => {
  const gathered = await buildInput(cli, [endpoint], custom, given);
  const input = custom.complete ? await custom.complete(cli, given, gathered) : gathered;
  if (!input) return;
  // What is wrong with the input is said before a service is chosen, or a sandbox started.
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

/** How a rule names a field: as the options that set it, where options do. */
const nameInRule = (optionsOf: (path: string) => readonly string[]) => (field: string) => {
  const options = optionsOf(field).filter((name) => name.startsWith('--'));
  return options.length === 0 ? field : eitherOf(options);
};

/** Makes the command of an endpoint: its fields are options, its path parameters arguments. */
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
    calls: [endpoint.id],
    envelopeOf: [endpoint.id],
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
    run: (cli, given) => namingOptions(act(cli, endpoint, custom, given), optionNamer(fields, custom)),
  };
};
