import { warmUpSigning } from '../../../chain/evm/address.ts';
import type { Review } from '../../../chain/evm/review.ts';
import type { Kind } from '../../../contract/chains.ts';
import { type Reviewing, signOnly } from '../../../flows/pay/sign.ts';
import type { UnlockedKey } from '../../../keystore/unlock.ts';
import { approveReviews } from '../../approving.ts';
import type { Cli } from '../../cli.ts';
import { ofService } from '../../confirming.ts';
import { nameIn, ownNames, withNames } from '../../known-names.ts';
import { networkOf } from '../../network.ts';
import type { Given } from '../../options.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import { serviceOf } from '../../profiles/selection.ts';
import { known } from '../../show-review.ts';
import { overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';
import type { UnsignedOfKind } from './unsigned.ts';

type ToSign = UnsignedOfKind & Pick<Reviewing, 'node'> & { readonly isAlone: boolean };

/** With a file there is no payment to hold a transaction against: a person is asked, a script is told. */
const askAlone = async (cli: Cli, kind: Kind, review: Review): Promise<string | undefined> => {
  const { moves, chain } = withNames(review, await ownNames(cli.io));
  const amounts =
    moves.map(({ amount, token, to, to_name }) => `${amount} ${token} to ${known(to, to_name)}`).join(' and ') ||
    'nothing';
  await cli.say('Nothing was asked for that this transaction could be held against: only what it does was looked at.');
  const question = ofService(serviceOf(await cli.selection(), kind), `Sign a transaction of ${amounts} on ${chain}?`);
  return cli.io.prompt.isPossible ? question : undefined;
};

/** Signing alone moves nothing: a payment's own transaction asks only where the review has doubts. */
const approveWith =
  (cli: Cli, { kind, isAlone }: Pick<ToSign, 'kind' | 'isAlone'>) =>
  async (review: Review): Promise<boolean> => {
    const question = isAlone && review.verdict === 'pass' ? await askAlone(cli, kind, review) : undefined;
    const doubtful = ofService(
      serviceOf(await cli.selection(), kind),
      'The review could not vouch for all of it. Sign?',
    );
    return approveReviews(cli, { reviews: [review], question, doubtful });
  };

/** Reviews, asks where there is doubt, signs, and answers with the signed bytes. */
export const signUnlocked = async (
  cli: Cli,
  given: Given,
  { kind, node, isAlone, ...unsigned }: ToSign,
  key: UnlockedKey<'evm'>,
): Promise<void> => {
  const reviewing = {
    network: await networkOf(cli, kind),
    overrides: overridesFrom(given),
    node,
    io: cli.io,
    nameOf: nameIn(cli),
    pins: await pinsOf(cli),
    gate: await gateOf(cli),
    on: sayEvents(cli),
    approve: approveWith(cli, { kind, isAlone }),
  };
  await cli.answer(await signOnly(reviewing, unsigned, key));
};

// Loaded while a key is being unlocked, so nobody waits for this.
warmUpSigning();
