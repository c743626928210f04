import type { Client, Input } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { Failure, valueOn } from '../../../core/failure.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { YieldAction, YieldRequest } from '../../../flows/yield/request.ts';
import type { YieldIntent } from '../../../journal/intents.ts';
import { factsOf, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { assertPasswordFile } from '../../../keystore/password.ts';
import { buildInput } from '../../command/build-input.ts';
import { solanaOverrides } from '../../command/chain-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { passwordSources } from '../../command/key-options.ts';
import { type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { printReceipt } from '../../operations/area.ts';
import { checkYieldAmount } from '../../operations/check-amounts.ts';
import { resumeOne } from '../../operations/resumable.ts';
import { assertConfirmableOrRepeat, intentKey, runOnce, warnOfNewJournal } from '../../operations/run-once.ts';
import { addressOfKey, chooseKey, type KeyChoice, withSigningKey } from '../../operations/signing-key.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { ofService } from '../../prompt/confirming.ts';
import { contextFor, nodeFrom, reconcileEarlier, wantsToSend } from './context.ts';
import { receiptOf, receiptOfEnded, signedAnswer, YIELDS } from './journal.ts';
import { RESUMING } from './resume.ts';
import { lacksTarget, withPendingTarget, withTarget } from './target.ts';

/** Adds the wallet of the key, unless the input names one. */
const withWalletOf = (input: Input, address: string | undefined): Input =>
  input['wallet'] !== undefined || input['signer'] !== undefined || address === undefined
    ? input
    : { ...input, wallet: address };

/** Throws `invalid_input` if the key is not that of the wallet. */
const assertOwnWallet = ({ intent }: YieldRequest, name: string, address: string | undefined): void => {
  if (address === undefined || intent.wallet === address) return;
  const message = `is ${intent.wallet}, and the key ${name} is that of ${address}`;
  throw new Failure('invalid_input', `nothing was sent: the wallet ${message}`, {
    errors: [{ field: 'wallet', message }],
  });
};

type SigningJob = {
  readonly client: Client;
  readonly request: YieldRequest;
  readonly name: string;
  /** Whether bursar chose the target provider by the rates, and the user confirmed it. */
  readonly isTargetChosen: boolean;
};

const signOnly = (cli: CommandContext, given: ParsedArgs, { client, request, name, isTargetChosen }: SigningJob) =>
  withSigningKey(cli, given, { name, chain: 'solana' }, async (key) => {
    const { signYield } = await import('../../../flows/yield/prepare.ts');
    const context = await contextFor(cli, given, client);
    const signed = await signYield(context, request, key, statedOf(request.intent, isTargetChosen));
    await cli.printResult(signedAnswer(request.intent, signed, client.service));
  });

/** The statement of an operation: its options, and the chosen provider as confirmed by the user. */
const statedOf = (intent: YieldIntent, isTargetChosen: boolean): Statement => {
  const facts = factsOf(intent);
  const options = statementOf(facts, 'options');
  return isTargetChosen ? withLater(options, statementOf({ provider_in: facts.provider_in }, 'confirmed')) : options;
};

const moveMoney = async (cli: CommandContext, given: ParsedArgs, signing: SigningJob): Promise<void> => {
  const { client, request, name, isTargetChosen } = signing;
  const { runYield } = await import('../../../flows/yield/run.ts');
  const { inWords } = await import('../../../flows/yield/request.ts');
  const { input, intent } = request;
  const start = async () => {
    const question = ofService(client.service, `${inWords(intent)} on ${intent.chain}?`);
    const context = await contextFor(cli, given, client, () => question);
    // A rebuild of the transaction needs the fields of a body file that are not in the intent.
    const own = { intent, intent_key: intentKey(given), inputs: { operation: input } };
    const beginning = { ...deploymentOfService(client.service), ...own, stated: statedOf(intent, isTargetChosen) };
    const warned = await warnOfNewJournal(cli, client.service.kind, intentKey(given));
    return { beginning, context, warned };
  };
  await withOperation(
    cli,
    { area: YIELDS, key: { given, name, chain: 'solana' }, start },
    (context, key) => runYield(context, request, key),
    async (operated, { operation, warned }) => {
      const receipt = { ...receiptOf(intent, operated, client.service), [WIRE_ID]: operation.id, ...warned };
      await printReceipt(YIELDS, cli.printCommitted, receipt);
    },
  );
};

/** Runs an operation once: an operation with the same key is resumed, or its outcome is printed. */
const moveOnce = async (cli: CommandContext, given: ParsedArgs, signing: SigningJob) => {
  const { client, request } = signing;
  const operationKey = { intent: request.intent, key: intentKey(given) };
  const print = (receipt: unknown) => printReceipt(YIELDS, cli.printCommitted, receipt);
  await runOnce(cli, YIELDS, client.service, operationKey, {
    needsConfirmation: true,
    assertMayStart: () => assertPasswordFile(cli.io, passwordSources(given)),
    reconcileEarlier: () => reconcileEarlier(cli, given, client, request.intent),
    start: () => moveMoney(cli, given, signing),
    resume: ({ id }) => resumeOne(cli, given, RESUMING, { client, id, print }),
    printOutcome: (state) => print(receiptOfEnded(state)),
  });
};

/** Whether a node is required: without a terminal, for money that goes to a provider on a live chain. */
const needsNode = async (cli: CommandContext, action: YieldAction): Promise<boolean> => {
  if (action === 'withdraw' || cli.io.prompt.isPossible) return false;
  const { as } = await cli.selection();
  return as === 'named' || as === 'unnamed';
};

/** The key that signs; without one named, the key of --wallet. */
const chooseOwnKey = async (cli: CommandContext, given: ParsedArgs): Promise<KeyChoice> => {
  const [chosen, wallet] = [await chooseKey(cli, given, 'solana'), stringArg(given, 'wallet')];
  if (chosen.name !== undefined || wallet === undefined) return chosen;
  const own = await openKeystore(cli.io).find(wallet).catch(valueOn('key_not_found', undefined));
  return own ? { name: own.name } : chosen;
};

/** Builds, reviews and signs an operation, and sends it with `--broadcast`. */
export const operate = async (cli: CommandContext, given: ParsedArgs, action: YieldAction): Promise<void> => {
  const [{ YIELD_ACTIONS, yieldRequestOf }, { NEEDS_NODE }, { name = '', problem }] = await Promise.all([
    import('../../../flows/yield/request.ts'),
    import('../../../flows/yield/prepare.ts'),
    chooseOwnKey(cli, given),
  ]);
  const gathered = await buildInput(cli, [YIELD_ACTIONS[action]], {}, given);
  const node = await nodeFrom(cli, given);
  const ofNode = (await needsNode(cli, action)) ? { '--rpc-url': node?.url } : {};
  required<string>({ '--key': name, ...ofNode }, { '--key': problem, '--rpc-url': NEEDS_NODE });
  const address = await addressOfKey(cli, name);
  const input = withWalletOf(gathered, address);
  // Wrong input fails before any request or question.
  assertOwnWallet(yieldRequestOf(action, withPendingTarget(input)), name, address);
  await checkYieldAmount(cli, input);
  solanaOverrides(given);
  if (wantsToSend(given)) {
    const { intent } = yieldRequestOf(action, withPendingTarget(input));
    await assertConfirmableOrRepeat(cli, () => ({ intent, key: intentKey(given) }));
  }
  const complete = await withTarget(cli, given, input);
  if (!complete) return;
  const request = yieldRequestOf(action, complete);
  const client = await cli.client();
  const signing = { client, request, name, isTargetChosen: lacksTarget(input) };
  if (wantsToSend(given)) return moveOnce(cli, given, signing);
  await reconcileEarlier(cli, given, client, request.intent);
  return signOnly(cli, given, signing);
};

/** Completes the input of a command that only builds: adds the wallet of the named key, and the target. */
export const completeYield = async (
  cli: CommandContext,
  given: ParsedArgs,
  input: Input,
): Promise<Input | undefined> => {
  const name = stringArg(given, 'key');
  return withTarget(cli, given, name === undefined ? input : withWalletOf(input, await addressOfKey(cli, name)));
};
