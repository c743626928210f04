import { type Client, prepare } from '../../../client/call.ts';
import { register } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { PayRequest } from '../../../flows/pay/run.ts';
import { statedByOptions } from '../../../flows/pay/status.ts';
import type { Intent } from '../../../journal/intents.ts';
import { assertPasswordFile } from '../../../keystore/password.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { BODY_OPTION, namingOptions, optionNamer } from '../../command/build-input.ts';
import { CARD_CUSTOM } from '../../command/card-options.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { optionsFor } from '../../command/fields.ts';
import { keyOption, PASSWORD_OPTIONS, passwordSources } from '../../command/key-options.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { REGISTER_CUSTOM } from '../../command/payment-options.ts';
import { printReceipt } from '../../operations/area.ts';
import {
  assertConfirmableOrRepeat,
  INTENT_OPTION,
  intentKey,
  type OnceHandlers,
  runOnce,
  warnOfNewJournal,
} from '../../operations/run-once.ts';
import type { NamedSigningKey } from '../../operations/signing-key.ts';
import { withFunding, withOperation } from '../../operations/with-operation.ts';
import { curlScript, showRequests } from '../../print/dry-run.ts';
import { printTargetService } from '../../print/steps.ts';
import { assertAllowed, type PaymentBeginning } from './beginning.ts';
import { PAYMENTS, receiptFields, receiptOf } from './journal.ts';
import { assertPayer, PENDING_ID, REVIEW_OPTIONS, RPC_OPTION, RUN_FIELDS } from './plan.ts';
import { type ChargePlan, DEFAULTS, GATHERING, type PlannedRun, readPlan } from './plan-run.ts';
import { PAY_AT_MOST_OPTION } from './stated.ts';

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

/** Runs a payment by Pix or card. Nothing is signed. */
const actOnCharge = async (cli: CommandContext, given: ParsedArgs, plan: ChargePlan): Promise<void> => {
  const { openCharge } = await import('./charge.ts');
  const { start, ...request } = await openCharge(cli, given, plan);
  await oncePayment(cli, given, request, { start, needsConfirmation: plan.intent.operation === 'card' });
};

/** Makes a planned payment, or resumes or prints the earlier one of its name. */
export const runPlanned = async (cli: CommandContext, given: ParsedArgs, planned: PlannedRun): Promise<void> => {
  if (planned.by === 'charge') return actOnCharge(cli, given, planned.request);
  const { request, name } = planned;
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

const act = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  await printTargetService(cli);
  const planned = await readPlan(cli, given);
  if (isDryRun(cli)) return showPlan(cli, planned.request);
  return runPlanned(cli, given, planned);
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
