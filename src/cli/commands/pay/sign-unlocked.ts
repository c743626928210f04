import { warmUpSigning } from '../../../chain/evm/address.ts';
import type { Review } from '../../../chain/evm/review.ts';
import type { Kind } from '../../../contract/chains.ts';
import { begunWith } from '../../../flows/begun-with.ts';
import { type Reviewing, signOnly } from '../../../flows/pay/sign.ts';
import type { SigningOf } from '../../../flows/policy/gate.ts';
import type { UnlockedKey } from '../../../keystore/unlock.ts';
import { approveReviews } from '../../approving.ts';
import type { Cli } from '../../cli.ts';
import { ofService } from '../../confirming.ts';
import { ownNames, withNames } from '../../known-names.ts';
import { networkOf } from '../../network.ts';
import type { Given } from '../../options.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import { serviceOf } from '../../profiles/selection.ts';
import { known } from '../../show-review.ts';
import { overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';
import type { UnsignedOfKind } from './unsigned.ts';

type ToSign = UnsignedOfKind & Pick<Reviewing, 'node'>;

/** Signing alone moves nothing: it asks only where the review has doubts. */
const approveWith =
  (cli: Cli, kind: Kind) =>
  async (review: Review): Promise<boolean> => {
    const question = ofService(serviceOf(await cli.selection(), kind), `Sign ${await inWords(cli, review)}?`);
    const doubtful = `${question} Some checks need your confirmation.`;
    return approveReviews(cli, { reviews: [review], doubtful });
  };

/** "a transaction of 10 USDT to treasury (0x…) on polygon". */
const inWords = async (cli: Cli, review: Review): Promise<string> => {
  const { moves, chain } = withNames(review, await ownNames(cli.io));
  const amounts = moves.map(({ amount, token, to, to_name }) => `${amount} ${token} to ${known(to, to_name)}`);
  return `a transaction of ${amounts.join(' and ') || 'nothing'} on ${chain}`;
};

/** What is signed for a payment is journaled as one of its service. */
const ofPayment = async (cli: Cli, paymentId: string | undefined): Promise<SigningOf> =>
  paymentId === undefined ? {} : { ...begunWith((await cli.client()).service), payment_id: paymentId };

/** Reviews, asks where there is doubt, signs, and answers with the signed bytes. */
export const signUnlocked = async (
  cli: Cli,
  given: Given,
  { kind, node, stating, payment_id: paymentId, ...unsigned }: ToSign,
  key: UnlockedKey<'evm'>,
): Promise<void> => {
  const reviewing = {
    network: await networkOf(cli, kind),
    overrides: overridesFrom(given),
    stating,
    node,
    pins: await pinsOf(cli),
    gate: await gateOf(cli),
    on: sayEvents(cli),
    approve: approveWith(cli, kind),
  };
  await cli.answer(await signOnly(reviewing, unsigned, key, await ofPayment(cli, paymentId)));
};

// Loaded while a key is being unlocked, so nobody waits for this.
warmUpSigning();
