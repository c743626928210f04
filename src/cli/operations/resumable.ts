import type { Client } from '../../client/call.ts';
import { apiKeyFingerprint, deploymentOfService, type Service } from '../../client/service.ts';
import { amended, FAILURES, Failure, type FailureCode } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { commandLine, type NextStep, nextStep } from '../../core/next.ts';
import { deploymentOf, isSameDeployment } from '../../journal/keys.ts';
import { openStates } from '../../journal/look-up.ts';
import { newestId } from '../../journal/naming.ts';
import type { Operation, ReopenedOperation } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { stateOf } from '../../journal/reduce.ts';
import { mayHaveMoved, statusOf } from '../../journal/status.ts';
import type { CommandContext } from '../command/command.ts';
import { boolArg, type Option, type ParsedArgs } from '../command/options.ts';
import { forProfile, withPayerOptions } from '../print/next-command.ts';
import { UNNAMED } from '../profiles/profile.ts';
import { findOperation, type OperationArea, printReceipt, usualId } from './area.ts';
import { withReopened } from './with-operation.ts';

/** Orders operations: those in doubt first, and those that wait for the payer of a Pix last. */
const rankOf = (state: OperationState): number => {
  if (mayHaveMoved(state)) return 0;
  return state.pix ? 2 : 1;
};

/** Reads the unfinished operations of an area. */
export const openOnes = async (cli: CommandContext, area: OperationArea, client: Client) => {
  const damaged: { readonly id: string; readonly failure: Failure }[] = [];
  const states = await openStates(cli.io, (failure, id) => void damaged.push({ id, failure }));
  const found = states.filter((state) => area.isOwn(state.started.intent)).toReversed();
  const isHere = (state: OperationState) => isOfService(state, client.service);
  const here = found.filter(isHere).toSorted((one, other) => rankOf(one) - rankOf(other));
  const wasDeclined = (state: OperationState) => statusOf(state) === 'declined';
  return {
    /** Operations of the service in use: those in doubt first, then the oldest. */
    open: here.filter((state) => !wasDeclined(state)),
    /** Operations that the user declined. They continue only after a confirmation. */
    declined: here.filter(wasDeclined),
    /** Operations of other services. */
    elsewhere: found.filter((state) => !isHere(state)),
    /** Records that cannot be read. */
    damaged,
  };
};

/** Reports the operations of other services, which stay unchanged. Warns if one of them may have moved money. */
export const reportSkipped = async (
  cli: CommandContext,
  { area }: OperationArea,
  leftAlone: readonly OperationState[],
): Promise<void> => {
  const { length: count } = leftAlone;
  if (count === 0) return;
  const way = `bursar ${area} list --open names them, and bursar ${area} resume ID says what each needs`;
  const inDoubt = leftAlone.filter((state) => statusOf(state) === 'in_doubt').length;
  const which = `${count} unfinished of other services or API keys were left alone`;
  if (inDoubt === 0) return cli.printNote(`note: ${which}; ${way}`);
  await cli.warn(`${which}, ${inDoubt} of them in doubt: money may have moved; ${way}`);
};

/** Whether an operation was started with this service. */
export const isOfService = (state: OperationState, service: Service): boolean =>
  isSameDeployment(deploymentOf(state), deploymentOfService(service));

/** Checks that an operation continues with its own service. Throws `bad_settings`. */
const assertSameService = ({ area }: OperationArea, state: OperationState, service: Service): void => {
  if (isOfService(state, service)) return;
  const { base_url, profile } = state.started;
  if (state.started.kind === 'sandbox' && service.kind === 'sandbox') {
    throw new Failure('bad_settings', 'this was started with another API key of the sandbox, or before it was reset', {
      hint: 'Nothing was sent. A reset deletes all payments of a sandbox.',
      next: nextStep('operation.forget', area, state.id),
    });
  }
  if (base_url === service.baseUrl) {
    const here = `the profile here is ${service.profile} (${service.kind})`;
    const message = `this was started with the profile ${profile} (${state.started.kind}), and ${here}`;
    const next = nextStep('operation.resume.profile', area, state.id, profile);
    throw new Failure('bad_settings', message, { hint: 'Nothing was sent.', next });
  }
  throw new Failure('bad_settings', `this was started with ${base_url}, and the service here is ${service.baseUrl}`, {
    hint: `Nothing was sent. Choose that service by its profile (${profile}), or by BURSAR_BASE_URL and its key.`,
    next:
      profile === UNNAMED
        ? nextStep('operation.show', area, state.id)
        : nextStep('operation.resume.profile', area, state.id, profile),
  });
};

/** The user's statement that the API key in use replaced the one of the operation. */
export const NEW_API_KEY_OPTION: Option = {
  flag: '--new-api-key',
  heading: 'Signing and sending',
  isKept: true,
  description: 'The API key was replaced since the start: continue with the new one',
};

const otherKey = ({ started }: OperationState, hint: string, next: NextStep, cause?: Failure): Failure =>
  new Failure('bad_settings', 'this was started with another API key', {
    hint: `Nothing was sent. ${hint} Or use the key that it was started with (profile ${started.profile}).`,
    next,
    cause,
  });

/**
 * Without a payment at the service only the profile shows the tenant of an operation. Without a named profile, a
 * payment could be registered for another tenant. A yield operation depends on its wallet, so it may continue.
 */
const assertSameProfile = ({ area }: OperationArea, { service }: Client, state: OperationState): void => {
  const isNamed = service.profile !== UNNAMED || area !== 'pay';
  const { profile } = state.started;
  if (profile === service.profile && isNamed) return;
  const hint = 'The service does not show yet which tenant it belongs to, and neither does the profile in use.';
  if (!mayHaveMoved(state)) {
    throw otherKey(state, `${hint} Forget it, then start it again.`, nextStep('operation.forget', area, state.id));
  }
  // What may have landed is not to be forgotten.
  if (profile !== UNNAMED) throw otherKey(state, hint, nextStep('operation.resume.profile', area, state.id, profile));
  const way = `${hint} It was started without a profile: resume it with BURSAR_API_KEY and BURSAR_BASE_URL, and no --profile.`;
  throw otherKey(state, way, nextStep('operation.show', area, state.id));
};

/** Throws if the service does not show the payment to this key: the service shows a payment to its tenant only. */
const assertShown = async (area: OperationArea, client: Client, state: OperationState): Promise<void> => {
  const { payment_id } = state;
  if (payment_id === undefined) return assertSameProfile(area, client, state);
  const { readPayment } = await import('../../flows/pay/status.ts');
  const hint = `The service does not show payment ${payment_id} to the key in use: it is of another tenant.`;
  const hidden = (error: Failure) => otherKey(state, hint, nextStep('operation.show', area.area, state.id), error);
  await readPayment(client, payment_id).catch(amended(hidden, 'not_found'));
};

/**
 * Checks that an operation continues with its own API key: another key may belong to another tenant. With
 * `--new-api-key` the service must show the payment to the new key. Without a payment the profile must be the same.
 * Throws `bad_settings`.
 */
const assertSameApiKey = async (
  cli: CommandContext,
  given: ParsedArgs,
  area: OperationArea,
  client: Client,
  state: OperationState,
): Promise<void> => {
  const { id, started } = state;
  if (started.asker === undefined || started.asker === apiKeyFingerprint(client.service)) return;
  if (!boolArg(given, 'new-api-key')) {
    const hint = 'The key in use may be that of another tenant. If it replaced the first, run the command below.';
    throw otherKey(state, hint, nextStep('operation.resume.new_api_key', area.area, id));
  }
  await assertShown(area, client, state);
  await cli.printNote(`note: ${newestId(state)} was started with another API key, and continues with the one in use`);
};

/** Returns the receipt of an operation that is over, and the next command, if any. */
export type AsEnded = (
  state: OperationState,
  cli: CommandContext,
) => Promise<{ readonly receipt: unknown; readonly next?: NextStep | undefined }>;

const codeOf = ({ stop }: OperationState): FailureCode =>
  stop && Object.hasOwn(FAILURES, stop.code) ? (stop.code as FailureCode) : 'rejected';

/** The receipt with its next command, which names the profile of the operation. */
const endedAs = async (cli: CommandContext, state: OperationState, asEnded: AsEnded): Promise<unknown> => {
  const { receipt, next } = await asEnded(state, cli);
  if (!isJsonObject(receipt) || next === undefined) return receipt;
  const whole = await forProfile(cli, state.started.profile, withPayerOptions(cli.io, next));
  return { ...receipt, next: commandLine(whole) };
};

/** Returns the receipt of an operation that is over. Throws if it ended in error, was refused or failed. */
const overOr = async (
  cli: CommandContext,
  given: ParsedArgs,
  { area: { area, noun }, asEnded, startAgain, assertEnd }: AreaResume,
  state: OperationState,
) => {
  await assertEnd?.(cli, given, state);
  const [status, data] = [statusOf(state), await endedAs(cli, state, asEnded)];
  const id = await usualId(cli, state);
  const next = nextStep('operation.show', area, id);
  if (status === 'error') {
    const { intent_key: name } = state.started;
    const another = name === undefined ? 'Run the command that started it' : `Give another name than --intent ${name}`;
    const hint = `${another} to start another ${noun}, once it is known that no money moved.`;
    throw new Failure('payment_failed', `the ${noun} ${id} ended in error`, { data, hint, next });
  }
  if (status !== 'refused' && status !== 'failed') return data;
  const how = status === 'refused' ? 'was refused' : 'failed';
  throw new Failure(codeOf(state), `the ${noun} ${id} ${how}; it is over, and cannot be resumed`, {
    data,
    // Override options belong to the command that started it, so the hint names none of them. A name of --intent is free again.
    hint: `No money moved. Run the command that started it again${status === 'refused' ? ', with what it lacked' : ''}.`,
    next: startAgain?.(state) ?? next,
  });
};

/** Prints the receipt of an operation that is over. Throws as `overOr` and `assertEnd`. */
export const printTerminal = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: AreaResume,
  state: OperationState,
): Promise<void> => printReceipt(resuming.area, cli.printResult, await overOr(cli, given, resuming, state));

/** An operation that a command has reopened, and the client of its service. */
export type Resumable = { readonly operation: Operation; readonly state: OperationState; readonly client: Client };

/** How the operations of an area are resumed. */
export type AreaResume = {
  readonly area: OperationArea;
  /** Brings an operation to its end and returns its receipt. Throws as `resumeOperation`. */
  readonly resume: (cli: CommandContext, given: ParsedArgs, reopened: Resumable) => Promise<unknown>;
  readonly asEnded: AsEnded;
  /** The command that starts the same operation once more; `undefined` if the journal lacks its facts. */
  readonly startAgain?: (state: OperationState) => NextStep | undefined;
  /** Checks the recorded end of an operation, where a node can. Throws if the node does not confirm it. */
  readonly assertEnd?: (cli: CommandContext, given: ParsedArgs, state: OperationState) => Promise<void>;
};

/** What `resumeOne` resumes. `print` gets the receipt while the operation is still claimed. */
type ResumeTarget = {
  readonly client: Client;
  readonly id: string;
  readonly print: (receipt: unknown) => Promise<void>;
};

/**
 * Resumes one operation with its own service and API key, and prints its receipt. Throws as `resumeOperation` and
 * `reopenOperation`, and `bad_settings` for another service or key.
 */
export const resumeOne = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: AreaResume,
  { client, id, print }: ResumeTarget,
): Promise<void> => {
  const { area, resume } = resuming;
  const work = async ({ operation, recorded }: ReopenedOperation): Promise<true> => {
    const state = stateOf(recorded);
    assertSameService(area, state, client.service);
    await assertSameApiKey(cli, given, area, client, state);
    await print(await resume(cli, given, { operation, state, client }));
    return true;
  };
  if (await withReopened(cli, area, id, work)) return;
  await print(await overOr(cli, given, resuming, await findOperation(cli, area, id)));
};
