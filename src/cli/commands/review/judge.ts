import type { Review } from '../../../chain/evm/review.ts';
import type { ChainFacts } from '../../../chain/solana/context.ts';
import type { UnsignedSolana } from '../../../chain/solana/message.ts';
import type { SolanaReview } from '../../../chain/solana/review.ts';
import type { Kind } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import { kindOfCryptoTx } from '../../kind-of.ts';
import { type Given, isOn, textOf, textsOf } from '../../options.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import type { Subject } from './subject.ts';

/** What the profile says of a signature, where one is named: a review of bytes alone is nobody's otherwise. */
const ruling = async (cli: Cli) => {
  if (cli.globals.profile === undefined) return {};
  return { pins: await pinsOf(cli), gate: await gateOf(cli) };
};

const reviewOfEvm = async (cli: Cli, cryptoTx: unknown, given: Given): Promise<Review> => {
  // ethers is loaded for an EVM transaction alone.
  const [{ parseCryptoTx }, { reviewEvm }, { networkFor }, { digestOf }] = await Promise.all([
    import('../../../chain/evm/parse.ts'),
    import('../../../chain/evm/review.ts'),
    import('../../../chain/registry.ts'),
    import('../../../chain/evm/transaction.ts'),
  ]);
  const overrides = { allowBlind: isOn(given, 'allow-blind'), allowRecipients: textsOf(given, 'allow-recipient') };
  const unsigned = parseCryptoTx(cryptoTx);
  const { pins, gate } = await ruling(cli);
  return reviewEvm({
    unsigned,
    network: networkFor(kindOfCryptoTx(cryptoTx)),
    overrides,
    pins,
    policy: await gate?.inForce(digestOf(unsigned)),
  });
};

const askedNode = async (cli: Cli, url: string, unsigned: UnsignedSolana, kind: Kind): Promise<ChainFacts> => {
  const [{ openNode }, { factsFrom }] = await Promise.all([
    import('../../../client/solana-rpc/node.ts'),
    import('../../../flows/solana/facts.ts'),
  ]);
  const node = openNode(cli.io, url, cli.deadline);
  return cli.io.spin(`Asking ${node.origin}`, factsFrom(node, unsigned, kind));
};

const reviewOfSolana = async (cli: Cli, transaction: string, given: Given): Promise<SolanaReview> => {
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
    allowPrograms: textsOf(given, 'allow-program'),
    allowRecipients: textsOf(given, 'allow-recipient'),
  };
  const url = textOf(given, 'rpc-url');
  const facts = url === undefined ? {} : await askedNode(cli, url, unsigned, network.kind);
  const { gate } = await ruling(cli);
  const policy = await gate?.inForce(digestOfMessage(unsigned));
  return reviewSolana({ unsigned, network, overrides, facts, policy });
};

/**
 * Reviews a transaction of which nothing is known but its bytes, what a node says where one is named, and the policy of
 * the profile where one is named. Throws
 * `refused_by_review` for bytes that are no transaction.
 */
export const judge = (cli: Cli, subject: Subject, given: Given): Promise<Review | SolanaReview> => {
  if (subject.family === 'solana') return reviewOfSolana(cli, subject.transaction, given);
  if (textOf(given, 'rpc-url') === undefined) return reviewOfEvm(cli, subject.cryptoTx, given);
  throw new Failure('invalid_input', '--rpc-url is for Solana transactions, and this is one of an EVM chain');
};
