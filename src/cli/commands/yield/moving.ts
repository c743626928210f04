import type { SolanaReview } from '../../../chain/solana/review.ts';
import type { Client } from '../../../client/call.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { approveReviews } from '../../operations/approving.ts';
import { nameIn } from '../../print/steps.ts';
import { gateOf } from '../../profiles/gate.ts';
import { ofService } from '../../prompt/confirming.ts';
import { nodeFrom, overridesFrom, witnessFor } from './options.ts';
import { printYield } from './show.ts';

/** The context of an operation that is signed. Loads the network of Solana. */
export const contextFor = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  question: string | undefined,
) => {
  const { solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const node = await nodeFrom(cli, given);
  return {
    client,
    node,
    witness: witnessFor(client, node),
    network: solanaNetworkFor(client.service.kind),
    overrides: overridesFrom(given),
    nameOf: nameIn(cli),
    oneByOne: boolArg(given, 'one-by-one'),
    on: printYield(cli),
    gate: await gateOf(cli),
    isConfirmed: cli.globals.yes,
    // One question for all transactions of an operation. Without a question only doubts are asked about.
    approve: (reviews: readonly SolanaReview[]) => {
      const doubtful = `${question ?? ofService(client.service, 'Sign it?')} Some checks need your confirmation.`;
      return approveReviews(cli, { reviews, question, doubtful });
    },
  };
};
