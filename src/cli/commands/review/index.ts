import type { Network } from '../../../chain/evm/network.ts';
import type { Review } from '../../../chain/evm/review.ts';
import type { UnsignedEvm } from '../../../chain/evm/transaction.ts';
import { assertPasses } from '../../../chain/review/check.ts';
import type { NodeFacts } from '../../../chain/solana/context.ts';
import type { UnsignedSolana } from '../../../chain/solana/parse.ts';
import type { SolanaReview } from '../../../chain/solana/review.ts';
import { type Kind, kindOfChainId } from '../../../contract/chains.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { WIRE_NAMES, withWireNames } from '../../../core/wire-names.ts';
import type { Io } from '../../../io/io.ts';
import { documentOf, readGiven } from '../../command/body.ts';
import {
  allowOption,
  evmOverrides,
  FEE_OPTION,
  nodeOpenedBy,
  rpcOption,
  solanaOverrides,
} from '../../command/chain-options.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { type Option, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { kindOfCryptoTx } from '../../operations/kind-of.ts';
import { approvalText, nameAndAddress, reviewLines, type ShownReview } from '../../print/show-review.ts';
import { ownNames, withNames } from '../../print/steps.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';

/** An unsigned transaction that was read from a file. */
export type UnsignedInput =
  | { readonly family: 'evm'; readonly cryptoTx: unknown }
  | { readonly family: 'solana'; readonly transaction: string };

/** Fields of service responses that contain a transaction, from the outermost to the innermost. */
const WRAPPERS = ['data', 'crypto_tx', 'unsigned_tx', 'transaction'] as const;

const SEVERAL = 'the file contains several transactions: review one at a time';

/** Finds the transaction in the parsed file: the file itself, or a part of a service response. */
const unsignedIn = (value: unknown): UnsignedInput | undefined => {
  if (typeof value === 'string') return { family: 'solana', transaction: value };
  if (!isJsonObject(value)) return undefined;
  if (value['family'] !== undefined || value['transactionRequest'] !== undefined) {
    return { family: 'evm', cryptoTx: value };
  }
  if (typeof value['transaction'] === 'string') return { family: 'solana', transaction: value['transaction'] };
  if (Array.isArray(value['transactions'] ?? value['transaction'])) throw new Failure('invalid_input', SEVERAL);
  // `transaction` is an object only around a crypto_tx.
  const wrapper = WRAPPERS.find((name) => isJsonObject(value[name]));
  return wrapper === undefined ? undefined : unsignedIn(value[wrapper]);
};

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/**
 * Reads a `crypto_tx`, a Solana transaction as base64, or a response of the service that contains one. Throws
 * `unreadable_file`, and `invalid_input` for anything else.
 */
export const readUnsigned = async (io: Io, path: string): Promise<UnsignedInput> => {
  const text = (await readGiven(io, path)).trim();
  const unsigned = isBase64(text)
    ? ({ family: 'solana', transaction: text } as const)
    : unsignedIn(await documentOf(text, path));
  if (unsigned) return unsigned;
  throw new Failure('invalid_input', 'the file contains neither a crypto_tx nor a base64 Solana transaction');
};

/** The policies to apply, and the pins of the profile if --profile names one. The policy of the key always applies. */
const rulesOf = async (cli: CommandContext) => ({
  gate: await gateOf(cli, { isOfNoService: cli.globals.profile === undefined }),
  ...(cli.globals.profile === undefined ? {} : { pins: await pinsOf(cli) }),
});

/** Facts from the node of --rpc-url; `undefined` without the option. */
const evmFacts = async (cli: CommandContext, given: ParsedArgs, unsigned: UnsignedEvm, network: Network) => {
  const { openNode } = await import('../../../client/node.ts');
  const { readFacts } = await import('../../../flows/node/read-facts.ts');
  const node = await nodeOpenedBy(openNode)(cli, given);
  return node && cli.io.spin(`Reading from ${node.origin}`, readFacts(node, unsigned, network));
};

const reviewOfEvm = async (cli: CommandContext, cryptoTx: unknown, given: ParsedArgs): Promise<Review> => {
  // Loaded on use: only EVM transactions need ethers.
  const { parseCryptoTx } = await import('../../../chain/evm/parse.ts');
  const { reviewEvm } = await import('../../../chain/evm/review.ts');
  const { networkOf } = await import('../../profiles/gate.ts');
  const { digestOf } = await import('../../../chain/evm/transaction.ts');
  const overrides = evmOverrides(given);
  const [unsigned, network] = [parseCryptoTx(cryptoTx), await networkOf(cli, kindOfCryptoTx(cryptoTx))];
  const { pins, gate } = await rulesOf(cli);
  const node = await evmFacts(cli, given, unsigned, network);
  const signing = { chain: 'evm', address: unsigned.from, kind: kindOfChainId(unsigned.chainId) } as const;
  const policy = await gate.inForce(signing, { digest: digestOf(unsigned), place: unsigned });
  return reviewEvm({ unsigned, network, overrides, node, pins, policy });
};

const solanaFacts = async (
  cli: CommandContext,
  given: ParsedArgs,
  unsigned: UnsignedSolana,
  kind: Kind,
): Promise<NodeFacts> => {
  const { openNode } = await import('../../../client/solana-rpc.ts');
  const { factsFrom } = await import('../../../flows/solana/facts.ts');
  const node = await nodeOpenedBy(openNode)(cli, given);
  return node ? cli.io.spin(`Reading from ${node.origin}`, factsFrom(node, unsigned, kind)) : {};
};

const reviewOfSolana = async (cli: CommandContext, transaction: string, given: ParsedArgs): Promise<SolanaReview> => {
  const { parseSolana } = await import('../../../chain/solana/parse.ts');
  const { digestOfMessage, reviewSolana } = await import('../../../chain/solana/review.ts');
  const { kindOfAddresses, solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const unsigned = parseSolana(transaction);
  const network = solanaNetworkFor(kindOfAddresses(unsigned.message.addresses));
  const overrides = solanaOverrides(given);
  const facts = await solanaFacts(cli, given, unsigned, network.kind);
  const { gate } = await rulesOf(cli);
  // The age of the blockhash is not checked, because nothing is signed.
  const signing = { chain: 'solana', address: unsigned.message.addresses[0] ?? '', kind: network.kind } as const;
  const policy = await gate.inForce(signing, { digest: digestOfMessage(unsigned) });
  return reviewSolana({ unsigned, network, overrides, facts, policy });
};

/**
 * Reviews a transaction without a payment to compare it with. Uses the node, the profile and the policy of the key if
 * they are given. Throws `refused_by_review` for bytes that are not a transaction.
 */
export const reviewUnsigned = (
  cli: CommandContext,
  input: UnsignedInput,
  given: ParsedArgs,
): Promise<Review | SolanaReview> =>
  input.family === 'solana' ? reviewOfSolana(cli, input.transaction, given) : reviewOfEvm(cli, input.cryptoTx, given);

const OPTIONS: readonly Option[] = [
  { flag: '--allow-blind', description: 'Allow an EVM contract call that cannot be decoded' },
  allowOption('--allow-program', 'Allow a Solana program whose instructions cannot be decoded'),
  allowOption('--allow-recipient', 'Allow an unknown address to receive money'),
  FEE_OPTION,
  rpcOption('Node of the chain for simulation and balances; without it the review is offline'),
];

const checkJson = (check: object): object =>
  withWireNames(
    Object.fromEntries(Object.entries(check).filter(([name]) => name !== 'unchecked' && name !== 'lacks')),
    ['message'],
  );

/** A review as --json prints it. */
const reviewJson = (review: ShownReview): object => {
  const remainingApprovals = review.remainingApprovals.map(checkJson);
  const document = { ...review, remainingApprovals, checks: review.checks.map(checkJson) };
  return withWireNames(document, ['outflows', 'remainingApprovals']);
};

/** Adds the whole review to a refusal. */
const withReview = (error: unknown, review: ShownReview): unknown =>
  isFailure(error, 'refused_by_review')
    ? new Failure(error.code, error.sentence, { ...error.details, data: reviewJson(review) })
    : error;

/** Rows for a pipe without --json: transfers, remaining approvals, checks. */
const rowsOf = ({ moves, remainingApprovals, checks }: ShownReview): readonly object[] => [
  ...moves.map(({ amount, token, to, to_name, label }) => ({
    id: 'move',
    verdict: label ?? '',
    [WIRE_NAMES.message]: `${amount} ${token} to ${nameAndAddress(to, to_name)}`,
  })),
  ...remainingApprovals.map((right) => ({
    id: WIRE_NAMES.remainingApprovals,
    verdict: '',
    [WIRE_NAMES.message]: approvalText(right),
  })),
  ...checks.map(checkJson),
];

const show = async (cli: CommandContext, review: ShownReview): Promise<void> => {
  const { io, globals } = cli;
  if (io.stdout.isTerminal && !globals.json) return io.stdout.write(reviewLines(cli, review));
  return cli.printResult(reviewJson(review), rowsOf(review));
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { FILE: file } = required({ FILE: stringArg(given, 'file') });
  const { unsigned: _, ...result } = await reviewUnsigned(cli, await readUnsigned(cli.io, file), given);
  const review = withNames(result, await ownNames(cli.io));
  try {
    assertPasses(review.checks, 'pass');
  } catch (error) {
    if (!cli.globals.json && !cli.globals.quiet) await cli.io.stderr.write(reviewLines(cli, review));
    throw withReview(error, review);
  }
  await show(cli, review);
};

/** `review`. */
export const review: Command = {
  words: ['review'],
  summary: 'Show the effects of an unsigned transaction, without signing it',
  about: [
    'FILE is a crypto_tx, a Solana transaction as base64, or a response of the service that contains one; - is stdin.',
    'Amounts are shown but not checked, because this command has no payment to compare them with.',
    'Exits with 0 if everything is decoded and no unknown address is paid.',
    'Exits with 10 if the transaction is refused, or needs your decision.',
    '--profile applies the policy and the pins of that profile. The policy of the signing key always applies.',
  ],
  arguments: [{ name: 'FILE', readsStdin: true, description: 'File with the transaction', completes: 'files' }],
  options: OPTIONS,
  fails: ['refused_by_review', 'unavailable', 'unexpected_answer'],
  examples: ['review crypto_tx.json', 'review transaction.base64 --json', 'review - < deposit.json'],
  run,
};
