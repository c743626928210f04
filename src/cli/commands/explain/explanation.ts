import type { Endpoint, ErrorHttp } from '../../../contract/define.ts';
import { ERRORS, type ErrorStatus, errorEntry } from '../../../contract/errors.ts';
import { ENDPOINTS } from '../../../contract/index.ts';
import { type ExitCode, FAILURES, type FailureCode } from '../../../core/failure.ts';
import { EXIT_CODES, EXIT_WORDS, type ExitWords } from '../../help/exit-words.ts';
import { commandAfterStatus, OF_BURSAR, OF_EXIT } from './commands.ts';
import { FAILURE_TEXTS } from './failure-texts.ts';

/** A call that returns a status, and the HTTP code; `null` if the document of the service shows none. */
export type AnsweredBy = { readonly endpoint: Endpoint['id']; readonly path: string; readonly http: ErrorHttp };

/** The explanation of an exit code, an error of the service, or an error of bursar. */
export type Explanation = ExitWords & {
  readonly code: string;
  readonly kind: 'error of the service' | 'error of bursar' | 'exit code';
  readonly exit: ExitCode;
  /** The command that makes progress, if there is one. Words in capitals stand for a value of the user. */
  readonly next?: string | undefined;
  /** Only for errors of the service. */
  readonly answered_by?: readonly AnsweredBy[];
  /** Command lines that reproduce it in the sandbox. */
  readonly sandbox?: readonly string[];
  /** Errors of the service with this exit code or error of bursar. */
  readonly statuses?: readonly string[];
  /** Errors of bursar with this exit code. */
  readonly errors?: readonly string[];
};

/** The explanation of a value of `status` that is not an error code: a state, a success, or an error of the sandbox. */
export type StatusExplanation = ExitWords &
  Pick<Explanation, 'code' | 'answered_by'> & {
    readonly kind:
      | 'state of a payment'
      | 'state of a verification'
      | 'state in pay list or yield list'
      | 'state in a receipt'
      | 'success of a call'
      | 'error of the sandbox'
      | 'check of the review';
  };

const STATUSES = Object.keys(ERRORS) as readonly ErrorStatus[];
const CODES = Object.keys(FAILURES) as readonly FailureCode[];

/** Whether a failure code is not also a status of the service. */
const isOwn = (code: FailureCode): code is keyof typeof FAILURE_TEXTS => Object.hasOwn(FAILURE_TEXTS, code);

const answeredBy = (status: ErrorStatus): readonly AnsweredBy[] =>
  ENDPOINTS.flatMap(({ id, method, path, errors }) => {
    const http = (errors as Readonly<Record<string, ErrorHttp | undefined>>)[status];
    return http === undefined ? [] : [{ endpoint: id, path: `${method} ${path}`, http }];
  });

/** The calls that can move money; a transaction by card charges it. */
const MOVING = ['pay.execute', 'yield.broadcast', 'pay.transaction'];

const mayFollowMoney = (status: ErrorStatus): boolean =>
  answeredBy(status).some(({ endpoint }) => MOVING.includes(endpoint));

const NO_MONEY = 'No: the calls that return it move no money.';

const sandboxCommands = (status: ErrorStatus): readonly string[] => {
  const [first] = answeredBy(status);
  return PROVOKED[status] ?? (first ? [`bursar sandbox fault ${first.endpoint} ${status}`] : []);
};

const ofStatus = (status: ErrorStatus): Explanation => {
  const { code, meaning, advice: hint } = ERRORS[status];
  const exit = FAILURES[code];
  return {
    code: status,
    kind: 'error of the service',
    exit,
    means: meaning,
    money: MONEY[status] ?? (mayFollowMoney(status) ? EXIT_WORDS[exit].money : NO_MONEY),
    hint,
    next: commandAfterStatus(status),
    answered_by: answeredBy(status),
    sandbox: sandboxCommands(status),
  };
};

const ofFailure = (code: keyof typeof FAILURE_TEXTS): Explanation => ({
  code,
  kind: 'error of bursar',
  exit: FAILURES[code],
  means: FAILURE_TEXTS[code].means,
  money: EXIT_WORDS[FAILURES[code]].money,
  hint: FAILURE_TEXTS[code].hint,
  next: OF_BURSAR[code],
  statuses: STATUSES.filter((status) => errorEntry(status)?.code === code),
});

const ofExit = (exit: ExitCode): Explanation => ({
  code: String(exit),
  kind: 'exit code',
  exit,
  ...EXIT_WORDS[exit],
  next: OF_EXIT[exit],
  statuses: STATUSES.filter((status) => FAILURES[ERRORS[status].code] === exit),
  errors: CODES.filter((code) => FAILURES[code] === exit && isOwn(code)),
});

/** The explanations of all exit codes, errors of the service, and errors of bursar. */
export const explanations = (): readonly Explanation[] => [
  ...EXIT_CODES.map(ofExit),
  ...STATUSES.map(ofStatus),
  ...CODES.filter(isOwn).map(ofFailure),
];

/** Whether money may have moved, for errors that differ from the text of their exit code. */
const MONEY: Readonly<Partial<Record<ErrorStatus, string>>> = {
  invalid_payment_status: 'Not by this call. An earlier one may have executed the payment.',
  stale_transaction_nonce:
    'Not by this call. Another transaction used the nonce, which may be an earlier one of this payment.',
  solana_blockhash_expired: 'Not by this call. If the same bytes were sent before, they may have landed.',
  invalid_signature: 'No: the signature of a wallet does not match its challenge, and nothing was prepared.',
  identity_not_verified: 'No: no KYC session was opened.',
  user_not_prepared: 'No: no KYC session was opened.',
  validation_error: 'No: nothing was created, and no card was charged.',
};

const PREPARED = ['bursar kyc prepare --email a@example.com'];
const SENT = [...PREPARED, 'bursar kyc send-otp --email a@example.com'];
const CODE = 'code=$(bursar sandbox inbox a@example.com --fields code | head -1)';
const VERIFY = 'bursar kyc verify-otp --email a@example.com --code';
const ORDER =
  'bursar order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto --quiet';
const EVERYONE = '0x1111111111111111111111111111111111111111';
const PIX = [
  `id=$(bursar pay register --public-client-id client_${'0'.repeat(32)} --webhook-url https://shop.example/hook --amount-from 10 --from-currency-symbol BRL --to-currency-symbol USDT --to-chain polygon --allow pixcrypto --split ${EVERYONE}=100 --fields payment_id | cut -f2)`,
];
const PAY_PIX =
  'bursar pay transaction $id --transaction-type pixcrypto --payer-email a@example.com --payer-cpf 52998224725';
const OPERATION = `--chain-name solana --wallet 11111111111111111111111111111112 --amount 1`;

/**
 * Short command lines that end with the error in a sandbox that was just reset. A test runs each of them.
 * `sandbox fault` reproduces all other errors.
 */
export const PROVOKED: Readonly<Partial<Record<ErrorStatus, readonly string[]>>> = {
  unauthorized: ['BURSAR_API_KEY=wrong bursar products'],
  customer_not_logged: [
    'BURSAR_API_KEY=$(bursar sandbox tenant --without-tenant --fields api_key | cut -f2) bursar order list',
  ],
  validation_error: [
    ...PIX,
    'bursar pay transaction $id --transaction-type pixcrypto --payer-email a@example.com --payer-cpf 11111111111',
  ],
  invalid_parameters: [`bursar yield deposit --provider provider_a --asset NOPE ${OPERATION}`],
  payment_not_found: ['bursar pay status nobody-registered-it'],
  kyc_verification_required: [...PIX, PAY_PIX],
  kyc_not_approved: [...PREPARED, ...PIX, PAY_PIX],
  order_not_found: ['bursar order toggle cmb1x2y3z0000abcd1234efgh'],
  order_limit_reached: [`for n in $(seq 21); do ${ORDER} || exit $?; done`],
  email_already_verified: [...SENT, CODE, `${VERIFY} $code`, 'bursar kyc send-otp --email a@example.com'],
  otp_invalid: [...SENT, `${VERIFY} 000000`],
  otp_expired: [...SENT, CODE, 'bursar sandbox advance 11m', `${VERIFY} $code`],
  otp_max_attempts: [...SENT, `for n in 1 2 3 4 5; do ${VERIFY} 000000 || true; done`, `${VERIFY} 000000`],
  user_not_found: ['bursar kyc send-otp --email nobody@example.com'],
  identity_not_verified: [...PREPARED, 'bursar kyc create --email a@example.com'],
  user_not_prepared: ['bursar kyc create --email nobody@example.com'],
  verify_quota_exceeded: [
    'bursar sandbox kyc --quota 0',
    ...SENT,
    CODE,
    `${VERIFY} $code`,
    'bursar kyc create --email a@example.com',
  ],
  invalid_wallet: ['bursar kyc challenge --wallet 0x12'],
  method_not_found: ['bursar kyc create nope --email a@example.com'],
  kyc_not_found: ['bursar kyc status --email nobody@example.com'],
  pair_not_found: ['bursar quote BTC NOPE'],
  get_rebalance_opportunities_failed: ['bursar sandbox chain disable solana', 'bursar yield opportunities'],
};
