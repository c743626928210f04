import type { Review } from '../../../chain/evm/review.ts';
import type { SolanaReview } from '../../../chain/solana/review.ts';
import { kindOfCryptoTx } from '../../kind-of.ts';
import { type Given, isOn, textsOf } from '../../options.ts';
import type { Subject } from './subject.ts';

const reviewOfEvm = async (cryptoTx: unknown, given: Given): Promise<Review> => {
  // ethers is loaded for an EVM transaction alone.
  const [{ parseCryptoTx }, { reviewEvm }, { networkFor }] = await Promise.all([
    import('../../../chain/evm/parse.ts'),
    import('../../../chain/evm/review.ts'),
    import('../../../chain/registry.ts'),
  ]);
  const overrides = { allowBlind: isOn(given, 'allow-blind'), allowRecipients: textsOf(given, 'allow-recipient') };
  return reviewEvm({ unsigned: parseCryptoTx(cryptoTx), network: networkFor(kindOfCryptoTx(cryptoTx)), overrides });
};

const reviewOfSolana = async (transaction: string, given: Given): Promise<SolanaReview> => {
  const [{ parseSolana }, { reviewSolana }, { kindOfAddresses, solanaNetworkFor }] = await Promise.all([
    import('../../../chain/solana/parse.ts'),
    import('../../../chain/solana/review.ts'),
    import('../../../chain/solana/network.ts'),
  ]);
  const unsigned = parseSolana(transaction);
  const network = solanaNetworkFor(kindOfAddresses(unsigned.message.addresses));
  const overrides = {
    allowPrograms: textsOf(given, 'allow-program'),
    allowRecipients: textsOf(given, 'allow-recipient'),
  };
  return reviewSolana({ unsigned, network, overrides });
};

/** Reviews a transaction of which nothing is known but its bytes. Throws `refused_by_review` for bytes that are none. */
export const judge = (subject: Subject, given: Given): Promise<Review | SolanaReview> =>
  subject.family === 'evm' ? reviewOfEvm(subject.cryptoTx, given) : reviewOfSolana(subject.transaction, given);
