import { parseCryptoTx } from '../../../chain/evm/parse.ts';
import type { Review } from '../../../chain/evm/review.ts';
import { warmUpSigning } from '../../../chain/evm/signing-key.ts';
import { deploymentOfService } from '../../../client/service.ts';
import type { Kind } from '../../../contract/chains.ts';
import { nextStep } from '../../../core/next.ts';
import { assertNoOther, namingNewTransaction, walletOf } from '../../../flows/pay/nonce.ts';
import type { PayReviewContext } from '../../../flows/pay/review.ts';
import { signOnly } from '../../../flows/pay/sign.ts';
import { marketWorth } from '../../../flows/quote/worth.ts';
import { openingKey, type SigningKey, withTurn } from '../../../flows/turn.ts';
import { evmOverrides } from '../../command/chain-options.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { approveReviews } from '../../operations/approving.ts';
import { nameAndAddress } from '../../print/show-review.ts';
import { nameIn, ownNames, printNext, withNames } from '../../print/steps.ts';
import { gateOf, networkOf, pinsOf } from '../../profiles/gate.ts';
import { serviceOf } from '../../profiles/selection.ts';
import { ofService } from '../../prompt/confirming.ts';
import { confirmingDespiteDoubt, warnOfOwnWallet } from './context.ts';
import { printPaymentEvents } from './journal.ts';
import type { UnsignedOfKind } from './unsigned.ts';

type TransactionToSign = UnsignedOfKind &
  Pick<PayReviewContext, 'node'> & {
    /** The name of the operation, as --intent gives it. */
    readonly intent_key?: string;
    /** Reserves what a review shows as leaving. Throws `refused_by_review`. */
    readonly reserve?: (review: Review) => void;
  };

/** Asks only if the review has doubts, because a signature alone moves no money. */
const approveWith =
  (cli: CommandContext, kind: Kind, isOffline: boolean) =>
  async (review: Review): Promise<boolean> => {
    await warnOfOwnWallet(cli, review);
    const question = ofService(serviceOf(await cli.selection(), kind), `Sign ${await inWords(cli, review)}?`);
    const doubtful = `${question} Some checks need your confirmation.`;
    return approveReviews(cli, { reviews: [review], doubtful, isOffline });
  };

/** "a transaction of 10 USDT to treasury (0x…) on polygon". */
const inWords = async (cli: CommandContext, review: Review): Promise<string> => {
  const { moves, chain } = withNames(review, await ownNames(cli.io));
  const amounts = moves.map(({ amount, token, to, to_name }) => `${amount} ${token} to ${nameAndAddress(to, to_name)}`);
  return `a transaction of ${amounts.join(' and ') || 'nothing'} on ${chain}`;
};

/** Reviews a transaction, asks about doubts, signs it, and prints the signed bytes. */
export const signUnlocked = async (
  cli: CommandContext,
  given: ParsedArgs,
  { kind, node, stating, payment_id: paymentId, intent_key, reserve, ...unsigned }: TransactionToSign,
  key: SigningKey,
): Promise<void> => {
  const isOffline = paymentId === undefined;
  const approve = approveWith(cli, kind, isOffline);
  const reviewing = {
    network: await networkOf(cli, kind),
    overrides: evmOverrides(given),
    stating,
    worthOf: isOffline ? undefined : marketWorth(await cli.client()),
    node,
    io: cli.io,
    nameOf: nameIn(cli),
    pins: await pinsOf(cli),
    gate: await gateOf(cli, { isOffline }),
    on: printPaymentEvents(cli),
    approve: async (review: Review) => {
      if (!(await approve(review))) return false;
      reserve?.(review);
      return true;
    },
  };
  if (paymentId === undefined) return cli.printResult(await signOnly(reviewing, unsigned, key));
  const client = await cli.client();
  const confirm = confirmingDespiteDoubt(cli, client.service);
  const fields = parseCryptoTx(unsigned.cryptoTx);
  const wallet = walletOf(reviewing, { chain: fields.chainName, payer: key.address });
  const payer = { wallet: key.address, chain: fields.chainName };
  const next = nextStep('pay.sign.turn', paymentId, key.address);
  const signed = await withTurn({ client, wallet, next }, async ({ whileAsking }) => {
    const confirmDespiteDoubt = (question: string) => whileAsking(() => confirm(question));
    await assertNoOther({ client, node, confirmDespiteDoubt }, paymentId, { ...fields, from: key.address });
    const asking = openingKey(reviewing, key);
    const approve: PayReviewContext['approve'] = (review) => whileAsking(() => asking.approve(review));
    const of = { ...deploymentOfService(client.service), payment_id: paymentId, intent_key };
    return signOnly({ ...reviewing, approve }, unsigned, key, of).catch(namingNewTransaction(paymentId, payer));
  });
  await cli.printResult(signed);
  await printNext(cli, nextStep('pay.execute', paymentId));
};

// This module loads while the key is unlocked, so the warm-up costs no time.
warmUpSigning();
