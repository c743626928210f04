import { status as endpoint } from '../../../contract/pay/status.ts';
import { isFailure } from '../../../core/failure.ts';
import { waitForSuccess } from '../../../flows/pay/status.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { derive } from '../../derive.ts';
import { type Given, isOn, textOf } from '../../options.ts';
import { required } from '../../required.ts';
import { onlyShows } from '../../show-request.ts';
import { PAYMENT_ID } from './shared.ts';
import { sayEvents } from './show.ts';

const plain = derive(endpoint, {
  arguments: { id: PAYMENT_ID },
  examples: ['pay status pay_0123', 'pay status pay_0123 --wait --timeout 60 --json'],
});

const wait = async (cli: Cli, given: Given): Promise<void> => {
  const { PAYMENT_ID: paymentId } = required({ PAYMENT_ID: textOf(given, 'payment_id') });
  const say = sayEvents(cli);
  const client = await cli.client();
  try {
    await cli.answer(await waitForSuccess(client, paymentId, ({ status }) => say({ kind: 'state', status })));
  } catch (error) {
    // The last state is an answer too; as JSON it is part of the failure's document.
    if (isFailure(error, 'not_final') && !cli.globals.json) await cli.answer(error.details.data);
    throw error;
  }
};

export const status: Leaf = {
  ...plain,
  options: [...(plain.options ?? []), { flag: '--wait', says: 'Wait until the payment is final or --timeout is over' }],
  run: (cli, given) => (isOn(given, 'wait') && !onlyShows(cli) ? wait(cli, given) : plain.run(cli, given)),
};
