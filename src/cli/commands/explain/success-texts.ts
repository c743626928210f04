import { ENDPOINTS } from '../../../contract/index.ts';
import type { ExitWords } from '../../help/exit-words.ts';
import type { StatusExplanation } from './explanation.ts';

const OPEN_SESSION = 'Open the hosted verification: bursar kyc create verify_public_kyc --email EMAIL';
const SIGN = 'Review, sign and send it: bursar yield sign --transaction FILE --key NAME, then bursar yield broadcast';

/** Texts of success statuses that say more than the summary of their endpoint. */
const TEXTS: Readonly<Record<string, Partial<ExitWords>>> = {
  payment_registered: {
    means:
      'pay register: the payment is registered. pay transaction: its payer transaction is created, and data has crypto_tx or fiat_tx.',
    money: 'No. Only pay transaction with a card may have charged the card.',
    hint: 'After pay register: bursar pay transaction. After pay transaction: bursar pay execute for crypto, or show the Pix code to the payer.',
  },
  payment_confirmed: {
    means: 'The transaction is confirmed on its chain. data.tid_hash is its hash.',
    money: 'Yes.',
    hint: 'Nothing to do: the payment is complete.',
  },
  payment_received: {
    means: 'The transaction is confirmed on the source chain, and a bridge is still working. data.tx_hash is its hash.',
    money: 'Yes, from the payer; not yet to the receivers.',
    hint: 'Wait for success: bursar pay status PAYMENT_ID --wait',
  },
  payment_found: { means: 'The payment was read. data.status is its state, such as registered or success.' },
  user_prepared: {
    means: 'The service created a record of the user.',
    hint: 'By e-mail, send a code: bursar kyc send-otp. A wallet is already proven, so continue: bursar kyc create.',
  },
  user_already_prepared: {
    means: 'The service already had a record of the user. data shows what is proven and whether KYC is approved.',
    hint: OPEN_SESSION,
  },
  otp_sent: {
    means: 'The service sent a code by e-mail. In the sandbox, read it with bursar sandbox inbox.',
    hint: 'Verify the code: bursar kyc verify-otp --email EMAIL --code CODE',
  },
  email_verified: { means: 'The e-mail address is proven.', hint: OPEN_SESSION },
  challenge_created: {
    means: 'data.message is the text that the wallet must sign, unchanged.',
    hint: 'Sign and submit it: bursar kyc wallet-prove --key NAME, or bursar kyc prepare-wallet.',
  },
  kyc_session_created: {
    means: 'A hosted verification session is open. session_url is its page for the user.',
    hint: 'Wait for the result: bursar kyc status --email EMAIL --wait',
  },
  deposit_yield_strategy_ok: { means: 'data.transaction is the unsigned deposit.', hint: SIGN },
  withdraw_yield_strategy_ok: { means: 'data.transaction is the unsigned withdrawal.', hint: SIGN },
  rebalance_yield_strategy_ok: { means: 'data.transaction is the unsigned rebalance.', hint: SIGN },
  broadcast_operation_yield_strategy_ok: {
    means: 'The service sent the transaction to the chain. data.status is 1 if it succeeded there.',
    money: 'Yes, if data.status is 1; otherwise perhaps.',
    hint: 'Check the position: bursar yield earnings --wallet WALLET',
  },
};

const successes = () =>
  ENDPOINTS.flatMap(({ id, method, path, summary, success }) =>
    Object.entries(success).map(([code, { http }]) => ({
      code,
      summary,
      by: { endpoint: id, path: `${method} ${path}`, http },
    })),
  );

/** Every success status, with the calls that return it. */
export const successExplanations = (): readonly StatusExplanation[] => {
  const all = successes();
  return [...new Set(all.map(({ code }) => code))].map((code) => {
    const matching = all.filter((one) => one.code === code);
    return {
      code,
      kind: 'success of a call',
      means: `The call succeeded: ${matching[0]?.summary}.`,
      money: 'No.',
      hint: 'Nothing to do.',
      ...TEXTS[code],
      answered_by: matching.map(({ by }) => by),
    };
  });
};
