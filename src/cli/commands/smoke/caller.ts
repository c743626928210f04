import { type Client, call, exchange, type Input, LARGEST_ANSWER, LONGEST_CALL_MS } from '../../../client/call.ts';
import { faultFailure } from '../../../client/classify.ts';
import type { WireRequest } from '../../../client/envelope.ts';
import { type Endpoint, validate } from '../../../contract/define.ts';
import { outcomeOf } from '../../../contract/outcomes.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { isJsonObject, printJson, textAt } from '../../../core/json.ts';
import type { CallOutcome, StepCall } from '../../../smoke/call.ts';
import type { Exchange } from '../../../smoke/expression.ts';
import type { CommandContext } from '../../command/command.ts';
import { silent } from '../../context/silent.ts';
import { completeNext } from '../../print/next-command.ts';
import { callRecorded, created, createInTurn, registered } from '../pay/step.ts';
import { answerSigner, assertOwnPayment, type SmokeSession } from './signer.ts';
import { exchangeOf, linesOf, type Seen, unsendable, wireOf } from './wire.ts';

/** A client that keeps what it exchanges: exactly, for the criteria, and masked, for the report. */
const tapped = (client: Client, { deadline, isCleanup }: StepCall) => {
  const seen: Seen[] = [];
  const lines: string[] = [];
  const send: Client['io']['http']['send'] = async (request) => {
    const answer = await client.io.http.send({ ...request, ...(isCleanup && { outlivesInterrupt: true }) });
    seen.push({ request, answer });
    return answer;
  };
  const own: Client = {
    ...client,
    deadline: isCleanup ? deadline : Math.min(deadline, client.deadline),
    io: {
      ...client.io,
      http: { ...client.io.http, send },
      ...(isCleanup && { interrupted: new AbortController().signal }),
    },
    trace: (line) => {
      lines.push(line);
    },
  };
  return { client: own, seen, lines };
};

const bodyFields = (body: unknown): Input => (isJsonObject(body) ? body : {});

const flat = ({ path, query, body }: Exchange['request']): Input => ({
  ...path,
  ...query,
  ...bodyFields(body),
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

/** The ways to pay that a flow may use on a live service. A card is charged by `pay run`, which asks first. */
const LIVE_TYPES: readonly unknown[] = ['crypto', 'pixcrypto', 'fiatcrypto'];

const assertNoCard = (kind: string, { body }: Exchange['request']): void => {
  if (
    kind === 'sandbox' ||
    (isJsonObject(body) && LIVE_TYPES.includes(body['transaction_type']) && !('card_data' in body))
  )
    return;
  throw unsendable(
    `on a live service a flow pays by ${LIVE_TYPES.join(', ')}. A card is charged by pay run, which asks first`,
  );
};

/** Only the signer signs, within the bound of the run: other bytes are not sent. */
const assertSignedHere = ({ signedHere }: SmokeSession, bytes: readonly unknown[]): void => {
  if (bytes.length > 0 && bytes.every((one) => typeof one === 'string' && signedHere.has(one))) return;
  throw unsendable('a flow sends only the transactions that a step of the signer has signed in this run');
};

/** A call that the journal must know, by the same functions as the command of that endpoint. */
const callWithJournal = async (cli: CommandContext, session: SmokeSession, step: StepCall): Promise<boolean> => {
  const { id } = step.operation.endpoint as Endpoint;
  // These have a body alone. What else a flow gives must not become a part of it.
  const input = bodyFields(step.parts.body);
  const { service } = await cli.client();
  if (id === 'pay.transaction') assertNoCard(service.kind, step.parts);
  const isValid = () => validate(step.operation.endpoint, input).ok;
  if (id === 'pay.register' && isValid()) {
    const { register } = await import('../../../contract/pay/register.ts');
    const { data } = await callRecorded(cli, (own) => call(own, register, input), registered(input));
    session.addPayment(step.flow, textAt(data, 'payment_id') ?? '');
    return true;
  }
  if (id === 'pay.transaction' && input['transaction_type'] === 'crypto' && isValid()) {
    await callRecorded(cli, (own) => createInTurn(cli, own, input), created(input));
    return true;
  }
  if (id === 'pay.execute') {
    const { payment_id, signed_transaction } = input;
    assertSignedHere(session, [signed_transaction]);
    assertOwnPayment(session, step, payment_id);
    const { execute } = await import('../pay/execute.ts');
    await execute.run(cli, {
      payment_id: String(payment_id),
      'signed-transaction': String(signed_transaction),
      intent: session.intentOf(step),
    });
    return true;
  }
  if (id !== 'yield.broadcast') return false;
  assertSignedHere(session, [input['op_signed']].flat());
  const { broadcast } = await import('../yield/broadcast.ts');
  const stdin = { isTerminal: false, readAll: async () => new TextEncoder().encode(printJson(input)) };
  await broadcast.run({ ...cli, io: { ...cli.io, stdin } }, { body: '-', intent: session.intentOf(step) });
  return true;
};

const callService = async (
  cli: CommandContext,
  session: SmokeSession,
  step: StepCall,
  wire: WireRequest,
): Promise<void> => {
  if (await callWithJournal(cli, session, step)) return;
  await sendOnce(await cli.client(), step.operation.endpoint as Endpoint, wire, flat(step.parts));
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
    timeoutMs: Math.min(left, LONGEST_CALL_MS),
    maxBytes: LARGEST_ANSWER,
  });
  if (answer.kind === 'fault') throw new Failure('unavailable', answer.message);
};

/** What a command found out although the answer to its call was lost. */
const settledBy = (result: unknown): string | undefined => {
  const hash = textAt(result, 'tid_hash') ?? textAt(result, 'tx_hash');
  return hash === undefined ? undefined : `reading back showed that ${hash} was executed: money moved`;
};

/** The next command of a step is for the service of the run. */
const ofRun = ({ typed }: CommandContext, outcome: CallOutcome): CallOutcome => {
  const { failure } = outcome;
  if (failure?.details.next === undefined) return outcome;
  return { ...outcome, failure: withDetails(failure, { next: completeNext(typed, failure.details.next) }) };
};

/** Makes the calls of a run: through the client and the journal to the service, and in process to the signer. */
export const callerFor = (cli: CommandContext, client: Client, session: SmokeSession) => {
  const call = callOnce(cli, client, session);
  return async (step: StepCall): Promise<CallOutcome> => ofRun(cli, await call(step));
};

const callOnce =
  (cli: CommandContext, client: Client, session: SmokeSession) =>
  async (step: StepCall): Promise<CallOutcome> => {
    const { operation, parts } = step;
    const tap = tapped(client, step);
    const inner = silent(cli, tap.client);
    if (operation.source === 'signer') return answerSigner(inner.cli, session, step);
    const { baseUrl } = operation.source === 'control' && session.control ? session.control : client.service;
    try {
      const wire = wireOf(baseUrl, operation.endpoint, parts);
      const attempt =
        operation.source === 'control'
          ? callControl(tap.client, session, wire)
          : callService(inner.cli, session, step, wire);
      const failure = await attempt.then(() => undefined, asFailure);
      const exchange = exchangeOf(tap.seen, wire, parts);
      return { exchange, failure, lines: linesOf(tap.lines, wire), settled: settledBy(inner.result()) };
    } catch (error) {
      return { exchange: undefined, failure: asFailure(error), lines: [] };
    }
  };

const asFailure = (error: unknown): Failure => {
  if (isFailure(error)) return error;
  throw error;
};
