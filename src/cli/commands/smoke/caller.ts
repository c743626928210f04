import { type Client, call, exchange, type Input } from '../../../client/call.ts';
import { faultFailure } from '../../../client/classify.ts';
import type { WireRequest } from '../../../client/envelope.ts';
import { type AnyEndpoint, type Endpoint, validate } from '../../../contract/define.ts';
import { outcomeOf } from '../../../contract/outcomes.ts';
import { Failure, isFailure, undefinedOn } from '../../../core/failure.ts';
import { isJsonObject, parseJson, printJson, textAt } from '../../../core/json.ts';
import type { HttpAnswer, HttpFault, HttpRequest } from '../../../io/http/http.ts';
import type { CallOutcome, StepCall } from '../../../smoke/call.ts';
import type { Exchange } from '../../../smoke/expression.ts';
import type { CommandContext } from '../../command/command.ts';
import { callRecorded, created, createInTurn, registered } from '../pay/step.ts';
import { answerSigner, type SmokeSession } from './signer.ts';

type Seen = { readonly request: HttpRequest; readonly answer: HttpAnswer | HttpFault };

/** A client that keeps what it exchanges: exactly, for the criteria, and masked, for the report. */
const tapped = (client: Client) => {
  const seen: Seen[] = [];
  const lines: string[] = [];
  const send: Client['io']['http']['send'] = async (request) => {
    const answer = await client.io.http.send(request);
    seen.push({ request, answer });
    return answer;
  };
  const own: Client = {
    ...client,
    get deadline() {
      return client.deadline;
    },
    io: { ...client.io, http: { ...client.io.http, send } },
    trace: (line) => {
      lines.push(line);
    },
  };
  return { client: own, seen, lines };
};

/** The context of a command inside a run: it confirms nothing by questions, prints nothing, and keeps its result. */
export const silent = (cli: CommandContext, client: Client) => {
  let result: unknown;
  const keep = async (value: unknown): Promise<void> => {
    result = value;
  };
  const nothing = async (): Promise<void> => undefined;
  const io = {
    ...client.io,
    prompt: { ...client.io.prompt, isPossible: false },
    spin: <T>(_: unknown, work: Promise<T>) => work,
  };
  const own: CommandContext = {
    ...cli,
    io,
    globals: { ...cli.globals, yes: true, quiet: true, json: true, envelope: false, fields: undefined, jq: undefined },
    trace: client.trace,
    // The run as a whole was confirmed. A doubt of a review still refuses, because no prompt can confirm it.
    confirm: async () => true,
    printNote: nothing,
    printNoteOnce: nothing,
    client: async () => ({ ...client, io }),
    service: async () => client.service,
    printResult: keep,
    printCommitted: keep,
  };
  return { cli: own, result: () => result };
};

const asText = (value: unknown): string => (typeof value === 'string' ? value : printJson(value));

const wireOf = (baseUrl: string, { method, path }: AnyEndpoint, parts: Exchange['request']): WireRequest => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(parts.path[name] ?? '')));
  const query = new URLSearchParams(
    Object.entries(parts.query).map(([name, value]): [string, string] => [name, asText(value)]),
  );
  const headers = Object.entries(parts.header).filter(([name]) => !/^x-(?:api|control|signer)-key$/.test(name));
  return {
    method,
    url: `${baseUrl}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, asText(value)])),
    body: parts.body === undefined ? undefined : printJson(parts.body),
  };
};

const bodyOf = ({ body }: HttpAnswer): unknown => {
  const text = new TextDecoder().decode(body);
  return undefinedOn(() => parseJson(text), 'invalid_input') ?? text;
};

/** The exchange of a step, as its criteria read it. */
const exchangeOf = (seen: readonly Seen[], wire: WireRequest, parts: Exchange['request']): Exchange | undefined => {
  const { pathname } = new URL(wire.url);
  const found = seen.findLast(
    ({ request }) => request.method === wire.method && new URL(request.url).pathname === pathname,
  );
  if (found === undefined) return undefined;
  const { request, answer } = found;
  const response =
    answer.kind === 'fault' ? undefined : { statusCode: answer.http, header: answer.headers, body: bodyOf(answer) };
  return { method: request.method, url: request.url, request: parts, response };
};

const LONGEST_LINE = 1500;

/** The lines of the step's own call; those of the last call, if it did not get that far. */
const linesOf = (lines: readonly string[], { url }: WireRequest): readonly string[] => {
  const { pathname } = new URL(url);
  const isHead = (line: string) => /^> [A-Z]+ /.test(line);
  const at = lines.findLastIndex((line) => isHead(line) && line.includes(pathname));
  const from = at < 0 ? lines.findLastIndex(isHead) : at;
  const after = lines.findIndex((line, index) => index > from && isHead(line));
  const own = lines.slice(Math.max(0, from), after < 0 ? undefined : after);
  return own.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
};

const flat = ({ path, query, body }: Exchange['request']): Input => ({
  ...path,
  ...query,
  ...(isJsonObject(body) ? body : {}),
});

/** Sends a request once: a retry that nobody sees would hide the fault that the test is for. */
const sendOnce = async (client: Client, endpoint: Endpoint, wire: WireRequest, input: Input): Promise<void> => {
  const { origin } = new URL(client.service.baseUrl);
  const { isAutomatic: _, ...outcome } = outcomeOf(endpoint, input);
  const called = { endpoint, origin, input, outcome };
  await exchange(client, called, wire, (answer) => {
    if (answer.kind === 'fault') throw faultFailure(called, answer);
  });
};

const CARDS_ON_LIVE = 'a card is charged by pay run, which asks first. A flow charges cards of the sandbox alone.';

/** A call that the journal must know, by the same functions as the command of that endpoint. */
const callWithJournal = async (
  cli: CommandContext,
  session: SmokeSession,
  step: StepCall,
  input: Input,
): Promise<boolean> => {
  const { id } = step.operation.endpoint as Endpoint;
  const client = await cli.client();
  const type = textAt(input, 'transaction_type');
  if (id === 'pay.transaction' && /^card/.test(type ?? '') && client.service.kind === 'live')
    throw new Failure('invalid_input', CARDS_ON_LIVE, { isUnsent: true });
  const isValid = validate(step.operation.endpoint, input).ok;
  if (id === 'pay.register' && isValid) {
    const { register } = await import('../../../contract/pay/register.ts');
    await callRecorded(cli, (own) => call(own, register, input), registered(input));
    return true;
  }
  if (id === 'pay.transaction' && isValid && type === 'crypto') {
    await callRecorded(cli, (own) => createInTurn(cli, own, input), created(input));
    return true;
  }
  if (id === 'pay.execute') {
    const { execute } = await import('../pay/execute.ts');
    await execute.run(cli, {
      payment_id: textAt(input, 'payment_id'),
      'signed-transaction': textAt(input, 'signed_transaction'),
      intent: session.intentOf(step),
    });
    return true;
  }
  if (id !== 'yield.broadcast') return false;
  const { broadcast } = await import('../yield/broadcast.ts');
  const stdin = { isTerminal: false, readAll: async () => new TextEncoder().encode(printJson(input)) };
  await broadcast.run({ ...cli, io: { ...cli.io, stdin } }, { body: '-' });
  return true;
};

const callService = async (
  cli: CommandContext,
  session: SmokeSession,
  step: StepCall,
  wire: WireRequest,
): Promise<void> => {
  const input = flat(step.parts);
  const client = await cli.client();
  if (await callWithJournal(cli, session, step, input)) return;
  await sendOnce(client, step.operation.endpoint as Endpoint, wire, input);
};

const callControl = async (client: Client, { control }: SmokeSession, wire: WireRequest): Promise<void> => {
  if (control === undefined) throw new Failure('invalid_input', 'only a sandbox has a control', { isUnsent: true });
  const left = Math.max(1, client.deadline - client.io.clock.monotonic());
  const { headers = {}, body, ...request } = wire;
  const answer = await client.io.http.send({
    ...request,
    headers: {
      ...headers,
      'x-control-key': control.key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    timeoutMs: Math.min(left, 30_000),
    maxBytes: 4 * 1024 * 1024,
  });
  if (answer.kind === 'fault') throw new Failure('unavailable', answer.message);
};

/** Makes the calls of a run: through the client and the journal to the service, and in process to the signer. */
export const callerFor =
  (cli: CommandContext, client: Client, session: SmokeSession) =>
  async (step: StepCall): Promise<CallOutcome> => {
    const { operation, parts } = step;
    const tap = tapped(client);
    const inner = silent(cli, tap.client).cli;
    if (operation.source === 'signer') return answerSigner(inner, session, step);
    const { baseUrl } = operation.source === 'control' && session.control ? session.control : client.service;
    const wire = wireOf(baseUrl, operation.endpoint, parts);
    const attempt =
      operation.source === 'control' ? callControl(tap.client, session, wire) : callService(inner, session, step, wire);
    const failure = await attempt.then(
      () => undefined,
      (error: unknown) => {
        if (isFailure(error)) return error;
        throw error;
      },
    );
    return { exchange: exchangeOf(tap.seen, wire, parts), failure, lines: linesOf(tap.lines, wire) };
  };
