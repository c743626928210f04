import { DATA, type Fields, inputs, matches, path, query, SERVICE, SIGNER, status, step, text } from './parts.ts';

const RUN_ID = text('Id of the run', {}, { from: 'run-id' });

/** Opens a verification session, and reads its state. */
const verifying = (by: Fields): readonly Fields[] => [
  step(
    'session',
    `${SERVICE}kycCreate`,
    'Open the hosted verification',
    by,
    ['$statusCode == 201', status('kyc_session_created'), matches(`${DATA}/session/session_url`, '^https?://')],
    { parameters: [path('kyc_type', 'verify_public_kyc')], outputs: { session_id: `${DATA}/session/session_id` } },
  ),
  step(
    'state',
    `${SERVICE}kycStatus`,
    'Read the state of the verification',
    undefined,
    [status('kyc_status_retrieved'), `${DATA}/approved == true || ${DATA}/approved == false`],
    query(by),
  ),
];

/** `kyc-email`. */
export const kycEmail: Fields = {
  workflowId: 'kyc-email',
  summary: 'Verify a user by e-mail address: prepare, code, session, state',
  ...inputs({
    run_id: RUN_ID,
    email: text('E-mail address of a new user', {}, { sandbox: 'smoke-{$inputs.run_id}@example.com' }),
  }),
  steps: [
    step('prepare', `${SERVICE}kycPrepare`, 'Create the user', { email: '$inputs.email' }, [
      status('user_prepared', 'user_already_prepared'),
      `$response.body#/success == true`,
    ]),
    step('sendCode', `${SERVICE}kycSendOtp`, 'Send a one-time code', { email: '$inputs.email' }, [
      '$statusCode == 201',
      status('otp_sent'),
    ]),
    step(
      'readCode',
      `${SIGNER}readCode`,
      'Read the code: in the inbox of the sandbox, or at a terminal',
      { email: '$inputs.email' },
      [matches(`${DATA}/code`, '^\\S+$')],
      { outputs: { code: `${DATA}/code` } },
    ),
    step(
      'verifyCode',
      `${SERVICE}kycVerifyOtp`,
      'Prove the e-mail address by the code',
      { email: '$inputs.email', code: '$steps.readCode.outputs.code' },
      ['$statusCode == 200', status('email_verified')],
    ),
    ...verifying({ email: '$inputs.email' }),
  ],
};

/** `kyc-wallet`. */
export const kycWallet: Fields = {
  workflowId: 'kyc-wallet',
  summary: 'Verify a user by wallet: challenge, signature, session, state',
  ...inputs({ wallet: text('Wallet of the user', {}, { from: 'evm-key' }) }),
  steps: [
    step(
      'challenge',
      `${SERVICE}kycChallenge`,
      'Ask for the text to sign',
      { wallet: '$inputs.wallet' },
      [status('challenge_created'), `${DATA}/wallet == $inputs.wallet`, matches(`${DATA}/message`, '\\S')],
      { outputs: { message: `${DATA}/message` } },
    ),
    step(
      'signText',
      `${SIGNER}signChallenge`,
      'Review the text, and sign it',
      { wallet: '$inputs.wallet', message: '$steps.challenge.outputs.message' },
      [matches(`${DATA}/signed_bytes`, '^\\S+$')],
      { outputs: { signed_bytes: `${DATA}/signed_bytes` } },
    ),
    step(
      'prepare',
      `${SERVICE}kycPrepareWallet`,
      'Prove the wallet by the signature',
      {
        wallet: '$inputs.wallet',
        message: '$steps.challenge.outputs.message',
        signed_bytes: '$steps.signText.outputs.signed_bytes',
      },
      [status('user_prepared', 'user_already_prepared'), `${DATA}/wallet_verified == true`],
    ),
    ...verifying({ wallet: '$inputs.wallet' }),
  ],
};
