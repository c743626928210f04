import { type Client, prepare } from '../../../client/call.ts';
import { register } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { type PayRequest, runPayment } from '../../../flows/pay/run.ts';
import type { Body } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { assertCanConfirm } from '../../confirming.ts';
import { optionsFor } from '../../fields.ts';
import { BODY_OPTION, type Gathering, gatherInput, namingOptions, optionNamer } from '../../gather.ts';
import { INTENT_OPTION } from '../../movements/intent.ts';
import { once } from '../../movements/once.ts';
import { tellOver } from '../../movements/over.ts';
import { type Given, textOf } from '../../options.ts';
import { REGISTER_CUSTOM } from '../../payment-options.ts';
import { onlyShows, showRequests } from '../../show-request.ts';
import { addressOfKey, chooseKey, KEY_OPTION, PASSWORD_OPTIONS, withKey } from '../../signing-key.ts';
import { assertAllowed, withPayment } from './context.ts';
import { PAYMENTS } from './journal.ts';
import { PENDING_ID, planPayment, RUN_FIELDS } from './plan.ts';
import { receiptOf } from './receipt.ts';
import { asEnded, resumeOne } from './resume.ts';
import { nodeFor, REVIEW_OPTIONS, RPC_OPTION } from './shared.ts';

const DEFAULTS: Body = { ...REGISTER_CUSTOM.defaults, transaction_type: 'crypto' };

const GATHERING: Gathering = { ...REGISTER_CUSTOM, defaults: DEFAULTS };

const showPlan = async (cli: Cli, request: PayRequest): Promise<void> => {
  const { service } = await cli.client();
  const create = { ...request.transaction, payment_id: PENDING_ID };
  const requests = [prepare(service, register, request.register), prepare(service, transaction, create)];
  return showRequests(cli, service, requests);
};

type Beginning = { readonly client: Client; readonly request: PayRequest; readonly name: string };

const begin = (cli: Cli, given: Given, { client, request, name }: Beginning): Promise<void> =>
  withKey(cli, given, { name, chain: 'evm' }, async (key) => {
    const { intent, register: registering, transaction: creating } = request;
    const inputs = { register: registering, transaction: creating };
    const begun = { client, intent, intent_key: textOf(given, 'intent'), inputs };
    const [paid, movement] = await withPayment(
      cli,
      given,
      begun,
      async (context) => [await runPayment(context, request, key), context.movement.id] as const,
    );
    await cli.report({ ...receiptOf(paid, client.service), movement });
  });

const act = async (cli: Cli, given: Given): Promise<void> => {
  const { name = '', problem = '' } = await chooseKey(cli, given, 'evm');
  const typed = await gatherInput(cli, [register, transaction], GATHERING, given);
  const request = name
    ? planPayment(typed, await addressOfKey(cli, name), [])
    : planPayment(typed, undefined, [{ field: 'key', message: problem, option: '--key' }]);
  // A wrong address of a node is said before anything is asked of the service or the user.
  await nodeFor(cli, given);
  if (onlyShows(cli)) return showPlan(cli, request);
  assertCanConfirm(cli);
  // The service first: that it cannot be reached should not cost a password.
  const client = await cli.client();
  const wish = { intent: request.intent, key: textOf(given, 'intent') };
  await once(cli, PAYMENTS, client.service, wish, {
    mayBegin: () => assertAllowed(cli, { client, intent: request.intent, intent_key: wish.key }),
    begin: () => begin(cli, given, { client, request, name }),
    goOn: async ({ id }) => cli.report(await resumeOne(cli, given, client, id)),
    tell: (state) => tellOver(cli, PAYMENTS, state, asEnded),
  });
};

export const run: Leaf = {
  words: ['pay', 'run'],
  canShow: true,
  summary: 'Take a crypto payment from registration to its end',
  about: [
    'Registers, creates the transaction, reviews it, asks, signs, executes, and waits for the final state.',
    'Defaults: the payer is the key, its token the currency of the payment, its chain the destination.',
  ],
  options: [
    ...RUN_FIELDS.flatMap((field) => optionsFor(field, DEFAULTS[field.name])),
    ...REGISTER_CUSTOM.options,
    BODY_OPTION,
    KEY_OPTION,
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
    RPC_OPTION,
    INTENT_OPTION,
  ],
  examples: [
    'pay run --body payment.json --key treasury',
    `pay run --public-client-id client_${'0'.repeat(32)} --webhook-url https://shop.example/hook --amount-from 10 --from-currency-symbol USDT --to-currency-symbol USDT --to-chain polygon --allow crypto --split 0x1111111111111111111111111111111111111111=70 --split 0x2222222222222222222222222222222222222222=30 --payer-email payer@example.com --key treasury`,
  ],
  run: (cli, given) => namingOptions(act(cli, given), optionNamer(RUN_FIELDS, GATHERING)),
};
