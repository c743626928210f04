import { type Client, type Input, prepare } from '../../../client/call.ts';
import { register } from '../../../contract/pay/register.ts';
import { TRANSACTION_TYPES } from '../../../contract/pay/shared.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { PayRequest } from '../../../flows/pay/run.ts';
import { statedByOptions } from '../../../flows/pay/status.ts';
import type { Intent } from '../../../journal/intents.ts';
import { factsOfPayment } from '../../../journal/statement.ts';
import { assertPasswordFile } from '../../../keystore/password.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { BODY_OPTION, buildInput, type InputSpec, namingOptions, optionNamer } from '../../command/build-input.ts';
import { CARD_CUSTOM, withCard } from '../../command/card-options.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { optionsFor } from '../../command/fields.ts';
import { keyOption, PASSWORD_OPTIONS, passwordSources } from '../../command/key-options.ts';
import { type Option, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { REGISTER_CUSTOM, REGISTER_FIELDS, TRANSACTION_FIELDS, validatedBy } from '../../command/payment-options.ts';
import { printReceipt } from '../../operations/area.ts';
import { chargedAmountErrors, paidAmountErrors } from '../../operations/check-amounts.ts';
import { payerTokenErrors, taxIdErrors } from '../../operations/check-payer.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import {
  assertConfirmableOrRepeat,
  INTENT_OPTION,
  intentKey,
  type OnceHandlers,
  runOnce,
  warnOfNewJournal,
} from '../../operations/run-once.ts';
import { addressOfKey, chooseKey, type NamedSigningKey } from '../../operations/signing-key.ts';
import { withFunding, withOperation } from '../../operations/with-operation.ts';
import { curlScript, showRequests } from '../../print/dry-run.ts';
import { printTargetService } from '../../print/steps.ts';
import { assertAllowed, type PaymentBeginning } from './beginning.ts';
import { PAYMENTS, receiptFields, receiptOf } from './journal.ts';
import {
  assertPayer,
  checkReviewOptions,
  PENDING_ID,
  planCharge,
  planPayment,
  REVIEW_OPTIONS,
  RPC_OPTION,
  RUN_FIELDS,
} from './plan.ts';
import { assertWithinBound, PAY_AT_MOST_OPTION } from './stated.ts';

/** The transaction types without a signature. Any other type is crypto, or invalid. */
const CHARGE_TYPES: readonly unknown[] = TRANSACTION_TYPES.filter((type) => type !== 'crypto');

const DEFAULTS: Input = { ...REGISTER_CUSTOM.defaults, transaction_type: 'crypto' };

const GATHERING: InputSpec = {
  ...REGISTER_CUSTOM,
  defaults: DEFAULTS,
  bodyFrom: (given) => ({ ...REGISTER_CUSTOM.bodyFrom(given), ...CARD_CUSTOM.bodyFrom(given) }),
  fields: {
    ...TRANSACTION_FIELDS,
    ...REGISTER_FIELDS,
    amount_from: { ...REGISTER_FIELDS.amount_from, validate: validatedBy('validatePaidAmount') },
  },
  optionsOf: (field) => [...REGISTER_CUSTOM.optionsOf(field), ...CARD_CUSTOM.optionsOf(field)],
};

/** Prints both requests of a payment. The second has a placeholder for the payment id. */
const showPlan = async (cli: CommandContext, request: Pick<PayRequest, 'register' | 'transaction'>): Promise<void> => {
  const { service } = await cli.client();
  const create = { ...request.transaction, payment_id: PENDING_ID };
  const requests = [prepare(service, register, request.register), prepare(service, transaction, create)] as const;
  if (cli.globals.curl) return curlScript(cli, service, requests);
  return showRequests(cli, service, requests);
};

const NO_WAIT: Option = {
  heading: 'Signing and sending',
  flag: '--no-wait',
  description: 'Pix and cards: answer as soon as the payer can pay; pay resume waits',
};

/** A payment to start: its requests, its key, and what its first record is made of. */
type PaymentStart = {
  readonly request: PayRequest;
  readonly name: string;
  readonly own: PaymentBeginning;
  readonly onStart: (operationId: string) => void;
};

/** Loads the code after the unlocking. It loads meanwhile, because the key derivation has its own thread. */
const loadPaying = () => import('./run-unlocked.ts');

const begin = (cli: CommandContext, given: ParsedArgs, payment: PaymentStart): Promise<unknown> => {
  const { request, name, own, onStart } = payment;
  const { intent: _, ...inputs } = request;
  const start = async ({ address }: NamedSigningKey<'evm'>) => {
    assertPayer(request, address);
    const warned = await warnOfNewJournal(cli, own.client.service.kind, own.intent_key);
    const { startPayment } = await loadPaying();
    const { beginning, context } = await startPayment(cli, given, { ...own, inputs });
    return { beginning, context, warned };
  };
  return withOperation(
    cli,
    { area: PAYMENTS, key: { given, name, chain: 'evm', meanwhile: loadPaying }, start },
    async (context, key) => {
      onStart(context.operation.id);
      return (await loadPaying()).runPayment(context, request, key);
    },
    async (paid, { operation, warned }) => {
      const receipt = { ...receiptOf(paid, own.client.service), [WIRE_ID]: operation.id, ...warned };
      await printReceipt(PAYMENTS, cli.printCommitted, receipt);
    },
  );
};

/** The intent of a payment, and the client of its service. */
type PaymentRequest = { readonly client: Client; readonly intent: Intent };

const loadResume = () => Promise.all([import('../../operations/resumable.ts'), import('./resume.ts')]);

/** Resumes a payment with the options of its start. At a terminal of the sandbox its wallet is funded if it lacks money. */
const resumeRun = async (cli: CommandContext, given: ParsedArgs, client: Client, id: string): Promise<void> => {
  const [{ resumeOne }, { RESUMING }] = await loadResume();
  const print = (receipt: unknown) => printReceipt(PAYMENTS, cli.printCommitted, receipt);
  const work = () => resumeOne(cli, given, RESUMING, { client, id, print });
  await withFunding(cli, work, () => resumeRun(cli, given, client, id));
};

/** Starts a payment, unless the journal has the same one: that one is resumed, or its outcome is printed. */
const oncePayment = (
  cli: CommandContext,
  given: ParsedArgs,
  { client, intent }: PaymentRequest,
  handlers: Pick<OnceHandlers, 'start' | 'assertMayStart' | 'needsConfirmation'>,
): Promise<void> => {
  const operationKey = { intent, key: intentKey(given) };
  return runOnce(cli, PAYMENTS, client.service, operationKey, {
    ...handlers,
    resume: ({ id }) => resumeRun(cli, given, client, id),
    printOutcome: async (state) => {
      const [{ printTerminal }, { RESUMING }] = await loadResume();
      await printTerminal(cli, given, RESUMING, state);
    },
  });
};

/** Runs a payment by Pix or card, or prints its requests. Nothing is signed. */
const actOnCharge = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<void> => {
  const plan = planCharge(await withCard(cli, given, input), [...taxIdErrors(input), ...chargedAmountErrors(input)]);
  await checkReceivers(cli, plan.register);
  if (isDryRun(cli)) return showPlan(cli, plan);
  const { openCharge } = await import('./charge.ts');
  const { start, ...request } = await openCharge(cli, given, plan);
  await oncePayment(cli, given, request, { start, needsConfirmation: plan.intent.operation === 'card' });
};

/** Asks for the amount and the type first, because the other required fields depend on the type. */
const assertBeginning = (cli: CommandContext, given: ParsedArgs, typed: Input): void => {
  const type = stringArg(given, 'transaction-type');
  if (!cli.io.prompt.isPossible || (type ?? stringArg(given, 'body') ?? typed['amount_from']) !== undefined) return;
  required({
    '--amount-from': undefined,
    '--from-currency-symbol': stringArg(given, 'from-currency-symbol'),
    '--transaction-type': type,
  });
};

const act = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  await printTargetService(cli);
  const typed = await buildInput(cli, [register, transaction], GATHERING, given);
  assertBeginning(cli, given, typed);
  if (CHARGE_TYPES.includes(typed['transaction_type'])) return actOnCharge(cli, given, typed);
  const { name = '', problem } = await chooseKey(cli, given, 'evm');
  const wrong = [...(await paidAmountErrors(cli, typed)), ...payerTokenErrors(typed)];
  const request = name
    ? planPayment(typed, { name, address: await addressOfKey(cli, name) }, wrong)
    : planPayment(typed, undefined, [
        ...wrong,
        { field: 'key', message: 'required', ...problem, option: '--key', isMissing: true, isExplained: true },
      ]);
  assertWithinBound(factsOfPayment(request.intent), stringArg(given, 'pay-at-most'));
  await checkReceivers(cli, request.register);
  // A wrong option fails before any request or question.
  await checkReviewOptions(cli, given);
  if (isDryRun(cli)) return showPlan(cli, request);
  const { intent } = request;
  await assertConfirmableOrRepeat(cli, () => ({ intent, key: intentKey(given) }));
  // An unreachable service must fail before the user types a password.
  const client = await cli.client();
  // All stated facts of a new payment come from the user.
  const stating = statedByOptions(intent, stringArg(given, 'pay-at-most'));
  const own = { client, intent, stating, stated: stating.statement, intent_key: intentKey(given) };
  await oncePayment(cli, given, own, {
    needsConfirmation: true,
    assertMayStart: async () => {
      await assertAllowed(cli, own);
      await assertPasswordFile(cli.io, passwordSources(given));
    },
    start: () => {
      let id = '';
      const onStart = (operationId: string) => {
        id = operationId;
      };
      const work = () => begin(cli, given, { request, name, own, onStart });
      return withFunding(cli, work, () => resumeRun(cli, given, client, id));
    },
  });
};

/** `pay run`. */
export const run: Command = {
  words: ['pay', 'run'],
  supportsDryRun: true,
  summary: 'Take a payment from registration to its end, whatever the method',
  about: [
    'crypto: registers, creates the transaction, reviews it, asks, signs, executes, and waits for the final state.',
    'Its defaults: the payer is the key, its token the currency of the payment, its chain the destination.',
    'pixcrypto, fiatcrypto: checks the code, shows it and its QR code, and waits until it is paid or expires.',
    'Without --allow, and where a file does not say it, only the method that is paid with is allowed.',
    'cardcrypto, cardfiat: asks, sends the card once, and waits. Raw card details are not kept, logged or shown.',
  ],
  options: [
    ...RUN_FIELDS.flatMap((field) => optionsFor(field, DEFAULTS[field.name], GATHERING.fields?.[field.name])),
    ...REGISTER_CUSTOM.options,
    ...CARD_CUSTOM.options,
    NO_WAIT,
    BODY_OPTION,
    keyOption('evm'),
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
    PAY_AT_MOST_OPTION,
    RPC_OPTION,
    INTENT_OPTION,
  ],
  answers: receiptFields,
  calls: ['pay.register', 'pay.transaction', 'pay.execute', 'pay.status'],
  fails: ['refused_by_review', 'not_final', 'payment_failed', 'outcome_unknown'],
  examples: [
    'pay run --body payment.json --key treasury',
    `pay run --public-client-id client_${'0'.repeat(32)} --webhook-url https://shop.example/hook --amount-from 10 --from-currency-symbol USDT --to-currency-symbol USDT --to-chain polygon --allow crypto --split 0x1111111111111111111111111111111111111111=70 --split 0x2222222222222222222222222222222222222222=30 --payer-email payer@example.com --key treasury`,
    'pay run --body payment.json --allow pixcrypto --transaction-type pixcrypto --payer-cpf 529.982.247-25',
    'pay run --body payment.json --allow cardcrypto --transaction-type cardcrypto --card-file card.json --yes',
  ],
  run: (cli, given) => namingOptions(act(cli, given), optionNamer(RUN_FIELDS, GATHERING)),
};
