import { prepareWallet as endpoint } from '../../../contract/kyc/prepare-wallet.ts';
import { isOpenChallenge, isSignedBy, useUpChallenge } from '../../identity/challenge.ts';
import { linkWallet } from '../../identity/link.ts';
import { newUserId, walletUserView } from '../../identity/user.ts';
import { readWallet } from '../../identity/wallet.ts';
import type { Services } from '../../services.ts';
import { fail, handle, succeed } from '../handler.ts';

/** The challenge is used up by success alone, in the same step as the link. */
const proveAndLink = async (services: Services, wallet: string, message: string, email: string | undefined) => {
  const [id, now] = [newUserId(services), services.clock.nowIso()];
  return (await services.ledger()).transaction().execute(async (step) => {
    if (!(await isOpenChallenge(step, wallet, message, now))) return { kind: 'no_challenge' } as const;
    const linked = await linkWallet(step, { wallet, email }, id, now);
    if (linked.kind === 'linked') await useUpChallenge(step, message);
    return linked;
  });
};

const invalid = (why: string) => fail('invalid_signature', `The wallet is not proven: ${why}.`);

/** POST /kyc/prepare-wallet. */
export const prepareWallet = handle(endpoint, async ({ services }, { wallet, message, signed_bytes, email }) => {
  const read = await readWallet(wallet);
  if (!read) return invalid('it is neither an EVM address nor a Solana address');
  if (!(await isSignedBy(read, message, signed_bytes)))
    return invalid('the signature is not its own over this message');
  const linked = await proveAndLink(services, read.wallet, message, email);
  switch (linked.kind) {
    case 'no_challenge':
      return invalid('this is no open challenge of it; ask for a new one');
    case 'wallet_already_linked':
      return fail('wallet_already_linked', 'The wallet is linked to another e-mail address.');
    case 'email_already_linked':
      return fail('email_already_linked', 'The e-mail address belongs to another wallet.');
    case 'linked': {
      const data = walletUserView(linked.user);
      if (linked.isNew) return succeed('user_prepared', 'The user was prepared.', data);
      return succeed('user_already_prepared', 'The user was prepared before.', data);
    }
    default: {
      const never: never = linked;
      return never;
    }
  }
});
