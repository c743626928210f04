import type { Client } from '../../../client/call.ts';
import type { Operation } from '../../../flows/yield/operation.ts';
import type { Cli } from '../../cli.ts';
import type { Given } from '../../options.ts';
import { nodeFrom } from './options.ts';
import { sayOperation } from './show.ts';

/** Stops where an earlier operation may still land: whoever signs the same again could do it twice. */
export const lookBack = async (cli: Cli, given: Given, client: Client, { intent }: Operation): Promise<void> => {
  const [{ solanaNetworkFor }, { assertNothingOpen }] = await Promise.all([
    import('../../../chain/solana/network.ts'),
    import('../../../flows/yield/earlier.ts'),
  ]);
  const looking = {
    client,
    network: solanaNetworkFor(client.service.kind),
    node: await nodeFrom(cli, given),
    on: sayOperation(cli),
    vouch: async (what: string) =>
      cli.io.prompt.isPossible &&
      cli.io.prompt.confirm(`${what}. Have you looked, and is this to be done all the same?`),
  };
  await assertNothingOpen(looking, intent);
};
