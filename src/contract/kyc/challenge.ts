import { defineEndpoint } from '../define.ts';
import { open, text } from '../fields.ts';
import { userWallet } from './shared.ts';

const challengeData = open(
  {
    message: text('The exact text to sign'),
    wallet: text('The wallet, in the format of the service'),
    wallet_chain: text('Chain of the wallet'),
  },
  'The challenge',
  'Challenge',
);

/** Creates a text for the owner of a wallet to sign. Document: POST /security/wallet/challenge. */
export const challenge = defineEndpoint({
  id: 'kyc.challenge',
  method: 'POST',
  path: '/security/wallet/challenge',
  summary: 'Get a challenge that proves a wallet',
  effect: 'writes',
  key: 'optional',
  body: { wallet: userWallet(), purpose: text('What the proof is for; kyc when not given').optional() },
  invalid: 'invalid_wallet',
  success: {
    challenge_created: {
      http: 201,
      data: challengeData,
      example: {
        message: 'Prove that this wallet is yours. Nonce: 7f1c9a2e',
        wallet: '0x3333333333333333333333333333333333333333',
        wallet_chain: 'evm',
      },
    },
  },
  errors: { unauthorized: 401, invalid_wallet: 400 },
  example: { wallet: '0x3333333333333333333333333333333333333333', purpose: 'kyc' },
});
