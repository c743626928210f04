import type { Network } from '../../../chain/evm/network.ts';
import type { Review } from '../../../chain/evm/review.ts';
import type { UnsignedEvm } from '../../../chain/evm/transaction.ts';
import type { NodeFacts } from '../../../chain/solana/context.ts';
import type { UnsignedSolana } from '../../../chain/solana/parse.ts';
import type { SolanaReview } from '../../../chain/solana/review.ts';
import { COIN_DECIMALS, type Kind, kindOfChainId } from '../../../contract/chains.ts';
import { SOL_DECIMALS } from '../../../contract/solana.ts';
import { feeAtMostIn } from '../../command/fee-option.ts';
import { boolArg, type ParsedArgs, stringArgs } from '../../command/options.ts';
import { nodeOpenedBy } from '../../command/rpc-url.ts';
import type { CommandContext } from '../../context/context.ts';
import { kindOfCryptoTx } from '../../operations/kind-of.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import type { Subject } from './subject.ts';

/**
 * What the profile says of a signature, where one is named: a review of bytes alone is nobody's otherwise. The policy of
 * the key that would sign holds in any case.
 */
const ruling = async (cli: CommandContext) => ({
  gate: await gateOf(cli, { isOfNoService: cli.globals.profile === undefined }),
  ...(cli.globals.profile === undefined ? {} : { pins: await pinsOf(cli) }),
});

/** What a node of an EVM chain says; nothing where none is named. */
const evmFacts = async (cli: CommandContext, given: ParsedArgs, unsigned: UnsignedEvm, network: Network) => {
  const [{ openNode }, { readFacts }] = await Promise.all([
    import('../../../client/node.ts'),
    import('../../../flows/node/read-facts.ts'),
  ]);
  const node = await nodeOpenedBy(openNode)(cli, given);
  return node && cli.io.spin(`Asking ${node.origin}`, readFacts(node, unsigned, network));
};

const reviewOfEvm = async (cli: CommandContext, cryptoTx: unknown, given: ParsedArgs): Promise<Review> => {
  // ethers is loaded for an EVM transaction alone.
  const [{ parseCryptoTx }, { reviewEvm }, { networkOf }, { digestOf }] = await Promise.all([
    import('../../../chain/evm/parse.ts'),
    import('../../../chain/evm/review.ts'),
    import('../../profiles/gate.ts'),
    import('../../../chain/evm/transaction.ts'),
  ]);
  const overrides = {
    allowBlind: boolArg(given, 'allow-blind'),
    allowRecipients: stringArgs(given, 'allow-recipient'),
    feeAtMost: feeAtMostIn(given, COIN_DECIMALS),
  };
  const [unsigned, network] = [parseCryptoTx(cryptoTx), await networkOf(cli, kindOfCryptoTx(cryptoTx))];
  const { pins, gate } = await ruling(cli);
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
  const [{ openNode }, { factsFrom }] = await Promise.all([
    import('../../../client/solana-rpc/node.ts'),
    import('../../../flows/solana/facts.ts'),
  ]);
  const node = await nodeOpenedBy((io, address, { deadline }) => openNode(io, address, deadline))(cli, given);
  return node ? cli.io.spin(`Asking ${node.origin}`, factsFrom(node, unsigned, kind)) : {};
};

const reviewOfSolana = async (cli: CommandContext, transaction: string, given: ParsedArgs): Promise<SolanaReview> => {
  const [{ parseSolana }, { digestOfMessage, reviewSolana }, { kindOfAddresses, solanaNetworkFor }] = await Promise.all(
    [
      import('../../../chain/solana/parse.ts'),
      import('../../../chain/solana/review.ts'),
      import('../../../chain/solana/network.ts'),
    ],
  );
  const unsigned = parseSolana(transaction);
  const network = solanaNetworkFor(kindOfAddresses(unsigned.message.addresses));
  const overrides = {
    allowPrograms: stringArgs(given, 'allow-program'),
    allowRecipients: stringArgs(given, 'allow-recipient'),
    feeAtMost: feeAtMostIn(given, SOL_DECIMALS),
  };
  const facts = await solanaFacts(cli, given, unsigned, network.kind);
  const { gate } = await ruling(cli);
  // Nothing is signed: its blockhash may be too old by now.
  const signing = { chain: 'solana', address: unsigned.message.addresses[0] ?? '', kind: network.kind } as const;
  const policy = await gate.inForce(signing, { digest: digestOfMessage(unsigned) });
  return reviewSolana({ unsigned, network, overrides, facts, policy });
};

/**
 * Reviews a transaction of which nothing is known but its bytes, what a node says where one is named, the policy of the
 * profile where one is named, and that of the key. Throws `refused_by_review` for bytes that are no transaction.
 */
export const judge = (cli: CommandContext, subject: Subject, given: ParsedArgs): Promise<Review | SolanaReview> =>
  subject.family === 'solana'
    ? reviewOfSolana(cli, subject.transaction, given)
    : reviewOfEvm(cli, subject.cryptoTx, given);
