import type { SolanaReview } from '../../../chain/solana/review.ts';
import type { Client } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import type { Operation, OperationName } from '../../../flows/yield/operation.ts';
import type { UnlockedKey } from '../../../keystore/unlock.ts';
import { approveReviews } from '../../approving.ts';
import type { Body } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import { assertCanConfirm, serviceInWords } from '../../confirming.ts';
import { gatherInput } from '../../gather.ts';
import { type Given, textOf } from '../../options.ts';
import { gateOf } from '../../profiles/gate.ts';
import { required } from '../../required.ts';
import { addressOfKey, chooseKey, withKey } from '../../signing-key.ts';
import { lookBack } from './look-back.ts';
import { nodeFrom, overridesFrom, wantsToSend } from './options.ts';
import { receiptOf, signedAnswer } from './receipt.ts';
import { sayOperation } from './show.ts';
import { withPendingTarget, withTarget } from './target.ts';

const WALLET_FIELDS = ['wallet', 'signer'] as const;

const namesWallet = (input: Body): boolean => WALLET_FIELDS.some((name) => input[name] !== undefined);

/** The wallet is the key's unless another is named. */
export const withWalletOf = (input: Body, address: string | undefined): Body =>
  namesWallet(input) || address === undefined ? input : { ...input, wallet: address };

/** Another's wallet cannot be signed for. Throws `invalid_input`. */
const assertOwnWallet = ({ intent }: Operation, name: string, address: string | undefined): void => {
  if (address === undefined || intent.wallet === address) return;
  const message = `is ${intent.wallet}, and the key ${name} is that of ${address}`;
  throw new Failure('invalid_input', `nothing was sent: the wallet ${message}`, {
    errors: [{ field: 'wallet', message }],
  });
};

type Signing = {
  readonly client: Client;
  readonly operation: Operation;
  readonly key: UnlockedKey<'solana'>;
};

/** What reviews and signs; loaded when something is signed. */
const contextFor = async (cli: Cli, given: Given, { client }: Signing, question: string | undefined) => {
  const { solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  return {
    client,
    network: solanaNetworkFor(client.service.kind),
    overrides: overridesFrom(given),
    node: await nodeFrom(cli, given),
    on: sayOperation(cli),
    gate: await gateOf(cli),
    // One question for all transactions of an operation. Signing alone moves nothing: only a review with doubts asks.
    approve: (reviews: readonly SolanaReview[]) => {
      const doubtful = `${question ?? 'Sign it?'} The review could not vouch for all of it.`;
      return approveReviews(cli, { reviews, question, doubtful });
    },
  };
};

const signOnly = async (cli: Cli, given: Given, signing: Signing): Promise<void> => {
  const { signOperation } = await import('../../../flows/yield/run.ts');
  const context = await contextFor(cli, given, signing, undefined);
  const signed = await signOperation(context, signing.operation, signing.key);
  await cli.answer(signedAnswer(signing.operation.intent, signed, signing.client.service));
};

const moveMoney = async (cli: Cli, given: Given, signing: Signing): Promise<void> => {
  const { client, operation, key } = signing;
  const [{ closeOperation, runOperation }, { inWords }, { withMovement }] = await Promise.all([
    import('../../../flows/yield/run.ts'),
    import('../../../flows/yield/operation.ts'),
    import('../../../journal/movement.ts'),
  ]);
  const { profile, kind, baseUrl } = client.service;
  const question = `${inWords(operation.intent)} on ${operation.intent.chain} (${serviceInWords(client.service)})?`;
  const reviewing = await contextFor(cli, given, signing, question);
  await withMovement(cli.io, { profile, kind, baseUrl, intent: operation.intent }, async (movement) => {
    const context = { ...reviewing, movement };
    const operated = await runOperation(context, operation, key);
    await cli.report(receiptOf(operation.intent, operated, client.service));
    await closeOperation(context, operated);
  });
};

/** Builds, reviews and signs an operation, and sends it where that is asked for. */
export const operate = async (cli: Cli, given: Given, operation: OperationName): Promise<void> => {
  const [{ OPERATIONS, operationOf }, { name = '', problem }] = await Promise.all([
    import('../../../flows/yield/operation.ts'),
    chooseKey(cli, given, 'solana'),
  ]);
  const gathered = await gatherInput(cli, [OPERATIONS[operation]], {}, given);
  required({ '--key': name }, { '--key': problem });
  const address = await addressOfKey(cli, name);
  const input = withWalletOf(gathered, address);
  // What is wrong is said before anything is asked of the service or the user.
  assertOwnWallet(operationOf(operation, withPendingTarget(input)), name, address);
  await nodeFrom(cli, given);
  if (wantsToSend(given)) assertCanConfirm(cli);
  const complete = await withTarget(cli, given, input);
  if (!complete) return;
  const asked = operationOf(operation, complete);
  const client = await cli.client();
  await lookBack(cli, given, client, asked);
  await withKey(cli, given, { name, chain: 'solana' }, async (key) => {
    const signing = { client, operation: asked, key };
    return wantsToSend(given) ? moveMoney(cli, given, signing) : signOnly(cli, given, signing);
  });
};

/** Where nothing is signed, a key that is named still says whose wallet it is. */
export const completeOperation = async (cli: Cli, given: Given, input: Body): Promise<Body | undefined> => {
  const name = textOf(given, 'key');
  return withTarget(cli, given, name === undefined ? input : withWalletOf(input, await addressOfKey(cli, name)));
};
