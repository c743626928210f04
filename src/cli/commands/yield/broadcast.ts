import type { SignedSolana } from '../../../chain/solana/signed.ts';
import { type Client, call, checkInput } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { SOLANA } from '../../../contract/solana.ts';
import { broadcast as endpoint } from '../../../contract/yield/broadcast.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { begunWith } from '../../../flows/begun-with.ts';
import type { Body } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { ofService } from '../../confirming.ts';
import { derive, showAnswer } from '../../derive.ts';
import { fieldList } from '../../fields.ts';
import { gatherInput, namingOptions, optionNamer } from '../../gather.ts';
import type { Given } from '../../options.ts';
import { onlyShows } from '../../show-request.ts';
import { OPERATIONS_BEGUN } from './journal.ts';
import { nodeFrom, witnessFor } from './options.ts';

/** Document, broadcast: a status of 1 means success on Solana; any other leaves the outcome open. */
const checkBroadcast = ({ data, status, statusCode }: Envelope): void => {
  const { status: outcome, transactionHash } = (data ?? {}) as { status?: unknown; transactionHash?: unknown };
  if (outcome === 1) return;
  throw new Failure('outcome_unknown', `the broadcast answered with status ${printJson(outcome ?? null)}, not 1`, {
    status,
    http: statusCode,
    data,
    hint: `Money may have moved. Look for the transaction ${printJson(transactionHash ?? null)} before you repeat it.`,
  });
};

/** What is to be sent, where all of it can be read; its hash is known then before the service answers. */
const signedIn = async (input: Body): Promise<readonly SignedSolana[] | undefined> => {
  const { readSigned } = await import('../../../chain/solana/signed.ts');
  const texts: readonly unknown[] = [input['op_signed']].flat();
  const all = texts.map((text) => readSigned(String(text)));
  const isKnown = all.every((each) => each !== undefined);
  return isKnown && String(input['chain_name']).toLowerCase() === SOLANA ? all : undefined;
};

/** Bytes that cannot be read are the service's to judge: there is no hash that a journal could hold. */
const sendUnread = async (cli: Cli, client: Client, input: Body): Promise<void> => {
  await cli.warn('this is no whole signed Solana transaction; it is sent as it is, and keeps no journal');
  const envelope = await cli.io.spin(endpoint.summary, call(client, endpoint, input));
  checkBroadcast(envelope);
  return showAnswer(cli, endpoint, envelope, {});
};

const sendJournaled = async (cli: Cli, client: Client, chain: string, all: readonly SignedSolana[]): Promise<void> => {
  const witness = witnessFor(client, await nodeFrom(cli, {}));
  const [{ passOn }, { withMovement }, { resumable }] = await Promise.all([
    import('../../../flows/yield/passing-on.ts'),
    import('../../../journal/movement.ts'),
    import('../../movements/resumable.ts'),
  ]);
  const intent = { operation: 'broadcast', chain, wallet: all[0]?.from ?? '' } as const;
  const beginning = { ...begunWith(client.service), intent };
  await withMovement(cli.io, beginning, async (movement) => {
    const work = () => cli.io.spin(endpoint.summary, passOn({ client, movement, witness }, chain, all));
    const envelope = await resumable(cli, OPERATIONS_BEGUN, movement, work);
    if (envelope) await showAnswer(cli, endpoint, envelope, {});
    await movement.note({ step: 'settled', positions: [] });
  });
};

const act = async (cli: Cli, given: Given): Promise<void> => {
  const input = await gatherInput(cli, [endpoint], {}, given);
  checkInput(endpoint, input);
  const client = await cli.client();
  const chain = String(input['chain_name']);
  if (!(await cli.confirm(ofService(client.service, `Broadcast the signed transaction on ${chain}?`)))) {
    throw new Failure('refused_by_review', 'not confirmed; nothing was sent');
  }
  const all = await signedIn(input);
  return all ? sendJournaled(cli, client, chain, all) : sendUnread(cli, client, input);
};

const plain = derive(endpoint, {
  examples: ['yield broadcast --chain-name solana --op-signed "$SIGNED" --yes'],
});

/** `yield broadcast`. */
export const broadcast: Leaf = {
  ...plain,
  about: [
    ...(plain.about ?? []),
    'The journal has the bytes and their hash before they are sent; yield resume takes up what stays open. Of two, each',
    'goes by a call of its own, the second when the first has landed.',
  ],
  fails: ['refused_by_review', 'payment_failed'],
  run: (cli, given) =>
    onlyShows(cli) ? plain.run(cli, given) : namingOptions(act(cli, given), optionNamer(fieldList(endpoint), {})),
};
