import type { Kind } from '../../../contract/chains.ts';
import { expectedOf } from '../../../flows/pay/expected.ts';
import type { Unsigned } from '../../../flows/pay/sign.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import type { Cli } from '../../cli.ts';
import { assertExecutable, intentOfPayment } from './facts.ts';
import { holdToTyped } from './typed.ts';

/** A transaction to sign, and whether it is for a sandbox's chain. */
export type UnsignedOfKind = Unsigned & { readonly kind: Kind };

/** The transaction of a payment that was read back. Throws as `assertExecutable` and `intentOfPayment`. */
export const unsignedOfPayment = async (cli: Cli, paymentId: string): Promise<UnsignedOfKind> => {
  const client = await cli.client();
  const payment = await readPayment(client, paymentId);
  assertExecutable(payment);
  const expected = expectedOf(await holdToTyped(cli, paymentId, intentOfPayment(payment)));
  return { cryptoTx: payment['unsigned_tx'], expected, kind: client.service.kind };
};
