import type { SignedSolana } from '../../../chain/solana/signed.ts';
import { type Client, call, checkInput, prepare } from '../../../client/call.ts';
import { curlLine } from '../../../client/curl.ts';
import type { Envelope } from '../../../client/envelope.ts';
import type { Service } from '../../../client/service.ts';
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
import { type Given, isOn } from '../../options.ts';
import { rpcOption } from '../../rpc-url.ts';
import { onlyShows, showRequests } from '../../show-request.ts';
import { OPERATIONS_BEGUN } from './journal.ts';
import { nodeFrom, ONE_BY_ONE_OPTION, witnessFor } from './options.ts';

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

/** What goes by one call each: all of it by one, or one transaction by each. */
const callsOf = (input: Body, oneByOne: boolean): readonly Body[] =>
  oneByOne ? [input['op_signed']].flat().map((op_signed) => ({ ...input, op_signed })) : [input];

/** Bytes that cannot be read are the service's to judge: there is no hash that a journal could hold. */
const sendUnread = async (cli: Cli, client: Client, calls: readonly Body[]): Promise<void> => {
  await cli.warn('this is no whole signed Solana transaction; it is sent as it is, and keeps no journal');
  let last: Envelope | undefined;
  for (const input of calls) {
    last = await cli.io.spin(endpoint.summary, call(client, endpoint, input));
    checkBroadcast(last);
  }
  if (last) await showAnswer(cli, endpoint, last, {});
};

type Journaled = { readonly input: Body; readonly all: readonly SignedSolana[]; readonly oneByOne: boolean };

const sendJournaled = async (cli: Cli, given: Given, client: Client, { input, all, oneByOne }: Journaled) => {
  const [{ passOn }, { withMovement }, { resumable }, node] = await Promise.all([
    import('../../../flows/yield/passing-on.ts'),
    import('../../../journal/movement.ts'),
    import('../../movements/resumable.ts'),
    nodeFrom(cli, given),
  ]);
  const chain = String(input['chain_name']);
  const intent = { operation: 'broadcast', chain, wallet: all[0]?.from ?? '' } as const;
  const beginning = { ...begunWith(client.service), intent, inputs: { operation: input } };
  await withMovement(cli.io, beginning, async (movement) => {
    const relay = { client, movement, witness: witnessFor(client, node), oneByOne };
    const work = () => cli.io.spin(endpoint.summary, passOn(relay, chain, all));
    const answered = await resumable(cli, OPERATIONS_BEGUN, movement, work);
    await showAnswer(cli, endpoint, answered, {});
    await movement.note({ step: 'settled', positions: [] });
  });
};

/** Two calls as a script that runs: the second is made when the first has landed. */
const showOneByOne = async (cli: Cli, service: Service, calls: readonly Body[]): Promise<void> => {
  const requests = calls.map((input) => prepare(service, endpoint, input));
  const [first, second] = requests;
  if (!cli.globals.curl || !first || !second) return showRequests(cli, service, requests);
  const note = '# Needs jq. The second call is made when the first transaction has landed.';
  const check = `${curlLine(service, first)} |\n  jq -e '.data.status == 1' &&`;
  await cli.io.stdout.write(`${note}\n${check}\n${curlLine(service, second)}\n`);
};

const act = async (cli: Cli, given: Given): Promise<void> => {
  const input = await gatherInput(cli, [endpoint], {}, given);
  checkInput(endpoint, input);
  const oneByOne = isOn(given, 'one-by-one');
  const calls = callsOf(input, oneByOne);
  const client = await cli.client();
  if (onlyShows(cli)) return showOneByOne(cli, client.service, calls);
  await nodeFrom(cli, given);
  const chain = String(input['chain_name']);
  if (!(await cli.confirm(ofService(client.service, `Broadcast the signed transaction on ${chain}?`)))) {
    throw new Failure('refused_by_review', 'not confirmed; nothing was sent');
  }
  const all = await signedIn(input);
  return all ? sendJournaled(cli, given, client, { input, all, oneByOne }) : sendUnread(cli, client, calls);
};

const plain = derive(endpoint, {
  options: [ONE_BY_ONE_OPTION, rpcOption('Your own Solana node: it shows what landed, and does not send')],
  examples: ['yield broadcast --chain-name solana --op-signed "$SIGNED" --yes'],
});

/** `yield broadcast`. */
export const broadcast: Leaf = {
  ...plain,
  about: [
    ...(plain.about ?? []),
    'The journal has the bytes and their hash before they are sent; yield resume takes up what stays open. Two go by one',
    'call, of which both must be shown to have landed: the answer names one of them, and a node (--rpc-url) shows the other.',
  ],
  fails: ['refused_by_review', 'payment_failed'],
  run: (cli, given) => namingOptions(act(cli, given), optionNamer(fieldList(endpoint), {})),
};
