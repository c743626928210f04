import { ENDPOINTS } from '../../../contract/index.ts';
import type { Words as AllWords, WordExplained } from './word.ts';

type Words = Partial<AllWords>;

const VERIFY = 'Go on with the hosted session: bursar kyc create verify_public_kyc --email EMAIL';
const SIGN =
  'Review, sign and broadcast it: bursar yield sign --transaction FILE --key NAME, then bursar yield broadcast';

/** What a success tells beyond what its call was for. */
const SAID: Readonly<Record<string, Words>> = {
  payment_registered: {
    means:
      'The payment is registered (pay register), or its payer transaction is created (pay transaction). Both answer this word: crypto_tx or fiat_tx in data tells them apart.',
    money: 'No. Only a card may have been charged, by pay transaction.',
    hint: 'After pay register: bursar pay transaction. After that, in crypto: bursar pay execute; by Pix the payer pays the code.',
  },
  payment_confirmed: {
    means: 'The transaction is confirmed on its chain; data has its hash, tid_hash.',
    money: 'Yes.',
    hint: 'Nothing has to be done: the payment is success.',
  },
  payment_received: {
    means: 'The transaction is confirmed on the source chain; data has its hash, tx_hash. A bridge is still at work.',
    money: 'Yes, from the payer; not yet to the receivers.',
    hint: 'Wait for success: bursar pay status PAYMENT_ID --wait',
  },
  payment_found: { means: 'The payment was read; status in data is its state, such as registered or success.' },
  user_prepared: {
    means: 'The user is known now.',
    hint: 'By e-mail, prove the address: bursar kyc send-otp. By wallet it is proven already: bursar kyc create.',
  },
  user_already_prepared: {
    means: 'The user was known already; data says what is proven, and whether KYC is approved.',
    hint: VERIFY,
  },
  otp_sent: {
    means: 'The code is on its way by e-mail. In the sandbox: bursar sandbox inbox.',
    hint: 'Give the code back: bursar kyc verify-otp --email EMAIL --code CODE',
  },
  email_verified: { means: 'The address is proven.', hint: VERIFY },
  challenge_created: {
    means: 'data.message is the text to sign, exactly as it is.',
    hint: 'Sign and answer it: bursar kyc wallet-prove --key NAME, or bursar kyc prepare-wallet.',
  },
  kyc_session_created: {
    means: 'A hosted verification session is open, or goes on: session_url is for the user.',
    hint: 'Wait for the end: bursar kyc status --email EMAIL --wait',
  },
  deposit_yield_strategy_ok: { means: 'data.transaction is the deposit, not signed yet.', hint: SIGN },
  withdraw_yield_strategy_ok: { means: 'data.transaction is the withdrawal, not signed yet.', hint: SIGN },
  rebalance_yield_strategy_ok: { means: 'data.transaction is the move, not signed yet.', hint: SIGN },
  broadcast_operation_yield_strategy_ok: {
    means: 'The service relayed the transaction. data.status is 1 when it succeeded on the chain.',
    money: 'Yes, when data.status is 1; otherwise perhaps.',
    hint: 'Look at the position: bursar yield earnings --wallet WALLET',
  },
};

const answers = () =>
  ENDPOINTS.flatMap(({ id, method, path, summary, success }) =>
    Object.entries(success).map(([code, { http }]) => ({
      code,
      summary,
      by: { endpoint: id, path: `${method} ${path}`, http },
    })),
  );

/** Every status of a success, with the calls that answer it. */
export const answersExplained = (): readonly WordExplained[] => {
  const all = answers();
  return [...new Set(all.map(({ code }) => code))].map((code) => {
    const those = all.filter((one) => one.code === code);
    return {
      code,
      kind: 'success of a call',
      means: `This worked: ${those[0]?.summary}.`,
      money: 'No.',
      hint: 'Nothing has to be done.',
      ...SAID[code],
      answered_by: those.map(({ by }) => by),
    };
  });
};
