import { askerOf } from '../../../client/asker.ts';
import type { Client } from '../../../client/call.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import type { MovementState } from '../../../journal/state.ts';
import type { Cli } from '../../cli.ts';

const otherKey = ({ payment_id, begun }: MovementState, cause?: Failure): Failure =>
  new Failure('bad_settings', 'this was begun with another API key', {
    hint: payment_id
      ? `The service does not show payment ${payment_id} to the key in use. Nothing was sent.`
      : 'The payment was not registered yet, as far as is known. Nothing was sent.',
    next: `Use the key that it was begun with (profile ${begun.profile}).`,
    cause,
  });

/**
 * A payment goes on with the API key that it was begun with. Another one is of the same tenant when the service shows
 * it the payment: then it only took the place of the first. Throws `bad_settings`.
 */
export const assertSameAsker = async (cli: Cli, client: Client, state: MovementState): Promise<void> => {
  const { payment_id, begun } = state;
  if (begun.asker === undefined || begun.asker === askerOf(client.service)) return;
  if (payment_id === undefined) throw otherKey(state);
  try {
    await readPayment(client, payment_id);
  } catch (error) {
    throw isFailure(error, 'not_found') ? otherKey(state, error) : error;
  }
  await cli.say(`note: the API key is another than this was begun with; payment ${payment_id} belongs to it too`);
};
