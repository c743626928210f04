import { envelope, type Responder } from './server.ts';

/** A service whose challenge is the text of `message` for the wallet. It accepts every signature. */
export const challengeService = (message: (wallet: string) => string): Responder => {
  let wallet = '';
  return (received, response) => {
    const { path, body } = received;
    if (path.endsWith('/challenge')) {
      ({ wallet } = JSON.parse(body));
      const data = { message: message(wallet), wallet, wallet_chain: 'evm' };
      return envelope(201, 'challenge_created', { data })(received, response);
    }
    const data = { email_verified: false, wallet_verified: true, kyc_approved: false, kyc_status: 'pending' };
    return envelope(201, 'user_prepared', { data })(received, response);
  };
};
