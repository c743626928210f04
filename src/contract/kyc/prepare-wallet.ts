import { defineEndpoint } from '../define.ts';
import { email, text } from '../fields.ts';
import { EXAMPLE_USER, preparedWalletUser, userWallet } from './shared.ts';

/** Prepares a user by a wallet. A signed challenge proves the wallet. Document: POST /kyc/prepare-wallet. */
export const prepareWallet = defineEndpoint({
  id: 'kyc.prepare-wallet',
  method: 'POST',
  path: '/kyc/prepare-wallet',
  summary: 'Prepare a user for KYC by a proven wallet',
  effect: 'writes',
  key: 'optional',
  body: {
    wallet: userWallet(),
    message: text('The exact text of the challenge'),
    signed_bytes: text('Signature of it: hex for EVM, base58 for Solana'),
    email: email('E-mail address of the user; not of another wallet').optional(),
  },
  // not shown: the answer to a missing field.
  invalid: 'missing_params',
  success: {
    user_prepared: { http: 201, data: preparedWalletUser, example: { ...EXAMPLE_USER, wallet_verified: true } },
    user_already_prepared: { http: 200, data: preparedWalletUser, example: { ...EXAMPLE_USER, wallet_verified: true } },
  },
  errors: { unauthorized: 401, missing_params: 400, invalid_signature: 401, wallet_already_linked: 409 },
  assumed: ['missing_params'],
  unshownErrors: { 409: 'the e-mail belongs to another wallet' },
  example: {
    wallet: '0xdB00079cad3e665853Bf766eFe26F4C38cdbdCDA',
    message: 'Prove that this wallet is yours. Nonce: 7f1c9a2e',
    signed_bytes:
      '0x7cc86ff5e5bd2b00418a2b5ee9e792f9d7282f7e32fcd425f43e5f556e6510d33b0d80ceaf75d39fed2b0ef1c6ec54f3d1ace416a74815aeb1c18506be5203141b',
  },
});
