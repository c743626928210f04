import { email, flag, open, text } from '../fields.ts';
import { atLeastOne } from '../rules.ts';

/** The e-mail of a user. By the document it must equal the e-mail of prepare, and lower case is recommended. */
export const userEmail = () => email('E-mail address of the user');

/**
 * The wallet of a user. Any text passes, because the service normalises the format and answers `invalid_wallet` itself.
 */
export const userWallet = () => text('Wallet of the user: an EVM or Solana address');

/** The rule that `email` or `wallet` is present. Document: the same values as in prepare. */
export const emailOrWallet = atLeastOne(['email', 'wallet']);

// not shown: values of kyc_status other than pending.
const kycFields = {
  email_verified: flag('Whether the e-mail address is proven'),
  kyc_approved: flag('Whether the user is approved'),
  kyc_status: text('State of the verification; pending at first'),
};

/** A user in the answer of prepare by e-mail. Document: KYC user. */
export const preparedUser = open(kycFields, 'The user', 'KycUser');

/** A user in the answer of prepare by wallet. Document: KYC user. */
export const preparedWalletUser = open(
  { ...kycFields, wallet_verified: flag('Whether the wallet is proven') },
  'The user',
  'KycWalletUser',
);

/** A newly prepared user, for examples. */
export const EXAMPLE_USER = { email_verified: false, kyc_approved: false, kyc_status: 'pending' };
