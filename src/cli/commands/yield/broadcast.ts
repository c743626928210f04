import type { SolanaReview } from '../../../chain/solana/review.ts';
import { type Client, checkInput, type Input, prepare } from '../../../client/call.ts';
import { deploymentOfService, type Service } from '../../../client/service.ts';
import { broadcast as endpoint } from '../../../contract/yield/broadcast.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/text.ts';
import type { SignedElsewhere } from '../../../flows/yield/relay.ts';
import { YIELD_ACTIONS } from '../../../flows/yield/request.ts';
import { isYieldIntent } from '../../../journal/intents.ts';
import { intentStated } from '../../../journal/statement.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { buildInput, namingOptions, optionNamer } from '../../command/build-input.ts';
import { rpcOption, solanaOverrides } from '../../command/chain-options.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive, showAnswer } from '../../command/derive.ts';
import { fieldList } from '../../command/fields.ts';
import { keyOption, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { boolArg, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { approveReviews } from '../../operations/approving.ts';
import { intentKey } from '../../operations/run-once.ts';
import { addressOfKey, chooseKey, withSigningKey } from '../../operations/signing-key.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { curlLine, showRequests } from '../../print/dry-run.ts';
import { repeated } from '../../print/next-command.ts';
import { amountsInWords } from '../../print/show-review.ts';
import { gateOf } from '../../profiles/gate.ts';
import { serviceOf } from '../../profiles/selection.ts';
import { assertCanConfirm, ofService } from '../../prompt/confirming.ts';
import { readUnsigned } from '../review/index.ts';
import {
  ALLOW_OPTIONS,
  contextFor,
  nodeFrom,
  ONE_BY_ONE_OPTION,
  printYield,
  RPC_OPTION,
  reconcileEarlier,
  YIELD_FIELDS,
} from './context.ts';
import { YIELDS } from './journal.ts';
import {
  isStatement,
  requestedBy,
  SENT_STATEMENT_OPTIONS,
  STATEMENT_OPTIONS,
  STATEMENTS,
  type StatedYield,
  signedIn,
  statedIn,
  statedTransaction,
} from './stated.ts';

/** The inputs of the calls: one call for all transactions, or one call for each. */
const callsOf = (input: Input, oneByOne: boolean): readonly Input[] =>
  oneByOne ? [input['op_signed']].flat().map((op_signed) => ({ ...input, op_signed })) : [input];

type BroadcastJob = {
  readonly client: Client;
  readonly chain: string;
  readonly all: readonly SignedElsewhere[];
  readonly stated: StatedYield;
};

/** The question before sending. There are no reviews of bytes that this machine reviewed before. */
const questionFor = ({ client, chain, all }: BroadcastJob, reviews: readonly SolanaReview[]): string => {
  const amounts = amountsInWords(reviews.flatMap(({ outflows }) => outflows));
  const isOne = all.length === 1;
  const plain = isOne ? 'the signed transaction' : 'two signed transactions';
  const what = amounts ? `${isOne ? 'a transaction' : 'two transactions'} of ${amounts}` : plain;
  return ofService(client.service, `Broadcast ${what} on ${inSentence(chain)}?`);
};

const send = async (cli: CommandContext, given: ParsedArgs, typed: BroadcastJob): Promise<void> => {
  const { relay, withEarlierStatement } = await import('../../../flows/yield/relay.ts');
  const { client, chain, stated: of } = typed;
  const wallet = typed.all[0]?.signed.from ?? '';
  const intent = { operation: 'broadcast', chain, wallet } as const;
  const stated = await withEarlierStatement(client, typed.all, of.statement);
  const purpose = intentStated(stated, wallet) ?? intent;
  const requested = requestedBy(stated, typed.all.length, of.wallet ?? wallet);
  const all = typed.all.map((each, at) => ({ ...each, asked: requested[at] }));
  const job = { ...typed, all };
  const { assertHasNode } = await import('../../../flows/yield/prepare.ts');
  const context = await contextFor(cli, given, client, (reviews) => questionFor(job, reviews));
  const kind = isYieldIntent(purpose) ? purpose.operation : of.kind;
  if (kind) assertHasNode(context, kind);
  const hashes = all.map(({ signed }) => signed.hash);
  await reconcileEarlier(cli, given, client, purpose, hashes);
  const beginning = { ...deploymentOfService(client.service), intent, stated, intent_key: intentKey(given) };
  await withOperation(
    cli,
    { area: YIELDS, start: async () => ({ beginning, context }) },
    (working) => relay({ ...working, next: nextStep('again', repeated(cli.typed)) }, chain, all),
    async (answered, { operation }) => {
      operation.noteEnd({ step: 'settled', positions: [] });
      await showAnswer(cli, endpoint, answered, {});
    },
  );
};

/** Prints two calls as a script. It makes the second call after the first transaction has landed. */
const showOneByOne = async (cli: CommandContext, service: Service, calls: readonly Input[]): Promise<void> => {
  const requests = calls.map((input) => prepare(service, endpoint, input));
  const [first, second] = requests;
  if (!cli.globals.curl || !first || !second) return showRequests(cli, service, requests);
  const note = '# Needs jq. The second call is made when the first transaction has landed.';
  const check = `${curlLine(service, first)} |\n  jq -e '.data.status == 1' &&`;
  await cli.io.stdout.write(`${note}\n${check}\n${curlLine(service, second)}\n`);
};

const act = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const typed = await buildInput(cli, [endpoint, YIELD_ACTIONS.rebalance], STATEMENTS, given);
  // Statements are not sent; unknown fields are.
  const input = Object.fromEntries(Object.entries(typed).filter(([name]) => !isStatement(endpoint, name)));
  checkInput(endpoint, input);
  // A wrong option fails before any request or question.
  solanaOverrides(given);
  const client = await cli.client();
  if (isDryRun(cli)) return showOneByOne(cli, client.service, callsOf(input, boolArg(given, 'one-by-one')));
  await nodeFrom(cli, given);
  assertCanConfirm(cli);
  const stated = statedIn(given, typed, undefined);
  const all = await signedIn(input, stated);
  return send(cli, given, { client, chain: String(input['chain_name']), all, stated });
};

const plain = derive(endpoint, {
  fields: YIELD_FIELDS,
  options: [
    ONE_BY_ONE_OPTION,
    rpcOption('Your own Solana node: it shows what would happen and what landed, and does not send'),
    ...ALLOW_OPTIONS,
    ...SENT_STATEMENT_OPTIONS,
  ],
  examples: [
    'yield broadcast --chain-name solana --op-signed "$SIGNED" --kind deposit --amount 25 --asset USDC --wallet "$WALLET" --provider provider_a --yes',
    'yield broadcast --body signed.json --one-by-one --rpc-url "$SOLANA_RPC_URL"',
  ],
});

/** `yield broadcast`. */
export const broadcast: Command = {
  ...plain,
  about: [
    'What was signed elsewhere is reviewed before it is sent. --kind and the options of that operation state what it is for; none of them is sent. Bytes that this machine has signed or sent for the same service need no statement.',
    'The journal has the bytes and their hash before they are sent; yield resume continues an unfinished one. Two transactions go by one call, and both must be shown to have landed. The result names one of them, and a node (--rpc-url) shows the other.',
  ],
  fails: ['refused_by_review', 'unavailable', 'unexpected_answer', 'not_final', 'payment_failed'],
  run: (cli, given) => namingOptions(act(cli, given), optionNamer(fieldList(endpoint), {})),
};

const transactionFrom = async (cli: CommandContext, path: string): Promise<string> => {
  const subject = await readUnsigned(cli.io, path);
  if (subject.family === 'solana') return subject.transaction;
  throw new Failure('invalid_input', '--transaction: this is a transaction of an EVM chain', {
    hint: 'Sign it by bursar pay sign --unsigned FILE.',
  });
};

const signGiven = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { name = '', problem } = await chooseKey(cli, given, 'solana');
  const { '--transaction': path } = required(
    { '--transaction': stringArg(given, 'transaction'), '--key': name },
    { '--key': problem },
  );
  const transaction = await transactionFrom(cli, path);
  const { kindOfAddresses, solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const { parseSolana } = await import('../../../chain/solana/parse.ts');
  const { signAlone } = await import('../../../flows/yield/sign.ts');
  const kind = kindOfAddresses(parseSolana(transaction).message.addresses);
  const wallet = await addressOfKey(cli, name);
  const { askedOf, unstated, statement: stated } = await statedTransaction(cli, given, wallet);
  const [asked] = askedOf(1, wallet);
  const doubtful = ofService(serviceOf(await cli.selection(), kind), 'Sign this transaction?');
  const node = await nodeFrom(cli, given);
  const reviewing = {
    network: solanaNetworkFor(kind),
    overrides: solanaOverrides(given),
    node,
    witness: node,
    gate: await gateOf(cli, { isOffline: true }),
    on: printYield(cli),
    // A signature alone moves no money, so only doubts are asked about.
    approve: (reviews: readonly SolanaReview[]) => approveReviews(cli, { reviews, doubtful, isOffline: true }),
  };
  await withSigningKey(cli, given, { name, chain: 'solana' }, async (key) => {
    const [reviewed] = await signAlone(reviewing, [{ transaction, asked, unstated }], key, { stated });
    await cli.printResult(reviewed?.signed);
  });
};

/** `yield sign`. */
export const sign: Command = {
  words: ['yield', 'sign'],
  summary: 'Review and sign a Solana transaction, send nothing',
  about: [
    'FILE holds one transaction as base64, or an answer of the service that holds one. --kind and the options of that operation state what it is for. What is signed is exactly what was reviewed.',
  ],
  options: [
    {
      flag: '--transaction',
      value: 'FILE',
      isRequired: true,
      readsStdin: true,
      description: 'File with the transaction',
    },
    keyOption('solana'),
    ...PASSWORD_OPTIONS,
    RPC_OPTION,
    ...ALLOW_OPTIONS,
    ...STATEMENT_OPTIONS,
  ],
  fails: ['refused_by_review', 'unavailable', 'unexpected_answer'],
  examples: [
    'yield sign --transaction deposit.json --key savings --kind deposit --amount 25 --asset USDC --provider provider_a',
    'yield sign --transaction - --key savings --json < transaction.base64',
  ],
  run: signGiven,
};
