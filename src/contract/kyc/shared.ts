import { email, flag, open, text } from '../fields.ts';
import { atLeastOne } from '../rules.ts';

/** Documented as needed exactly as given at prepare; the e-mail is sent in lower case, as recommended. */
export const userEmail = () => email('E-mail address of the user');

/** The service normalises the format, and answers `invalid_wallet` itself: any text is let through. */
export const userWallet = () => text('Wallet of the user: an EVM or Solana address');

/** Document: `email` and/or `wallet`, the same values as in prepare. */
export const emailOrWallet = atLeastOne(['email', 'wallet']);

// not shown: values of kyc_status other than pending.
const kycFields = {
  email_verified: flag('Whether the e-mail address is proven'),
  kyc_approved: flag('Whether the user is approved'),
  kyc_status: text('State of the verification; pending at first'),
};

/** Document: KYC user, as prepare by e-mail returns it. */
export const preparedUser = open(kycFields, 'The user', 'KycUser');

/** Document: KYC user, as prepare by wallet returns it. */
export const preparedWalletUser = open(
  { ...kycFields, wallet_verified: flag('Whether the wallet is proven') },
  'The user',
  'KycWalletUser',
);

/** A user who was just prepared, for examples. */
export const EXAMPLE_USER = { email_verified: false, kyc_approved: false, kyc_status: 'pending' };
