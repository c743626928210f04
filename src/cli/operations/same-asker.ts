import type { Client } from '../../client/call.ts';
import { apiKeyFingerprint } from '../../client/envelope.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { boolArg, type Option, type ParsedArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { UNNAMED } from '../profiles/profile.ts';
import type { OperationArea } from './area.ts';

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
  if (state.started.profile === service.profile && isNamed) return;
  const hint = 'The service does not show yet which tenant it belongs to, and neither does the profile in use.';
  throw otherKey(state, `${hint} Forget it, then start it again.`, nextStep('operation.forget', area, state.id));
};

/** Throws if the service does not show the payment to this key: the service shows a payment to its tenant only. */
const assertShown = async (area: OperationArea, client: Client, state: OperationState): Promise<void> => {
  const { payment_id } = state;
  if (payment_id === undefined) return assertSameProfile(area, client, state);
  const { readPayment } = await import('../../flows/pay/status.ts');
  try {
    await readPayment(client, payment_id);
  } catch (error) {
    if (!isFailure(error, 'not_found')) throw error;
    const hint = `The service does not show payment ${payment_id} to the key in use: it is of another tenant.`;
    throw otherKey(state, hint, nextStep('operation.show', area.area, state.id), error);
  }
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
  await cli.say(`note: ${id} was started with another API key, and continues with the one in use`);
};
