import type { Client } from '../../client/call.ts';
import { apiKeyFingerprint, deploymentOfService, type Service } from '../../client/service.ts';
import { amended, Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { deploymentOf, isSameDeployment } from '../../journal/keys.ts';
import { newestId } from '../../journal/naming.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { mayHaveMoved } from '../../journal/status.ts';
import type { CommandContext } from '../command/command.ts';
import { boolArg, type Option, type ParsedArgs } from '../command/options.ts';
import { UNNAMED } from '../profiles/profile.ts';
import type { OperationArea } from './area.ts';

/** Whether an operation was started with this service. */
export const isOfService = (state: OperationState, service: Service): boolean =>
  isSameDeployment(deploymentOf(state), deploymentOfService(service));

/** Checks that an operation continues with its own service. Throws `bad_settings`. */
export const assertSameService = ({ area }: OperationArea, state: OperationState, service: Service): void => {
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
export const assertSameApiKey = async (
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
