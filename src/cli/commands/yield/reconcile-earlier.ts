import type { Client } from '../../../client/call.ts';
import type { YieldRequest } from '../../../flows/yield/request.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { ofService } from '../../prompt/confirming.ts';
import { nodeFrom, witnessFor } from './options.ts';
import { printYield } from './show.ts';

/**
 * Stops where an earlier operation may still land: whoever signs the same again could do it twice. Gives whether a
 * person was asked, and said that it is to be done.
 */
export const reconcileEarlier = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  { intent }: YieldRequest,
): Promise<boolean> => {
  const [{ solanaNetworkFor }, { assertNothingOpen }] = await Promise.all([
    import('../../../chain/solana/network.ts'),
    import('../../../flows/yield/earlier.ts'),
  ]);
  let wasAsked = false;
  const looking = {
    client,
    network: solanaNetworkFor(client.service.kind),
    node: witnessFor(client, await nodeFrom(cli, given)),
    on: printYield(cli),
    confirmLanded: async (what: string) => {
      if (!cli.io.prompt.isPossible) return false;
      wasAsked = true;
      const question = `${what}. Have you looked, and is this to be done all the same?`;
      return cli.io.prompt.confirm(ofService(client.service, question));
    },
  };
  await assertNothingOpen(looking, intent);
  return wasAsked;
};
