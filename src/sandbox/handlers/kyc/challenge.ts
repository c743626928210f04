import { challenge as endpoint } from '../../../contract/kyc/challenge.ts';
import { KYC_PURPOSE } from '../../assumptions.ts';
import { issueChallenge } from '../../identity/challenge.ts';
import { readWallet } from '../../identity/wallet.ts';
import { fail, handle, succeed } from '../handler.ts';

/** What a purpose may look like: it becomes a line of the text that is signed. */
const PURPOSE = /^[\w.-]{1,40}$/;

/** POST /security/wallet/challenge. */
export const challenge = handle(endpoint, async ({ services }, { wallet, purpose = KYC_PURPOSE }) => {
  const read = await readWallet(wallet);
  if (!read) return fail('invalid_wallet', 'wallet is malformed: it must be an EVM address or a Solana address.');
  if (!PURPOSE.test(purpose)) return fail('invalid_wallet', 'purpose is malformed: it must be one short word.');
  const message = await issueChallenge(services, read, purpose);
  return succeed('challenge_created', 'Sign exactly this message.', {
    message,
    wallet: read.wallet,
    wallet_chain: read.chain,
  });
});
