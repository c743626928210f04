import type { Overrides } from '../../../chain/evm/context.ts';
import { type ChainNode, openNode } from '../../../client/node.ts';
import type { Cli } from '../../cli.ts';
import { type Argument, type Given, isOn, type Option, textOf, textsOf } from '../../options.ts';
import { rpcUrlOf } from '../../profiles/profile.ts';

export const PAYMENT_ID: Argument = { name: 'PAYMENT_ID', says: 'Id of the payment' };

export const REVIEW_OPTIONS: readonly Option[] = [
  { flag: '--allow-blind', says: 'Sign a call that the review does not understand' },
  {
    flag: '--allow-recipient',
    value: 'ADDRESS',
    isRepeatable: true,
    says: 'An address outside the split that may receive (repeatable)',
  },
];

export const RPC_OPTION: Option = {
  flag: '--rpc-url',
  value: 'URL',
  says: "A node of the chain: its id, nonce and a simulation are checked before signing (default: the profile's)",
};

/** The node that the user names, here or in the profile for this chain; it is asked for nothing before the review. */
export const nodeFor = async (cli: Cli, given: Given, chain: string): Promise<ChainNode | undefined> => {
  const url = textOf(given, 'rpc-url') ?? rpcUrlOf(await cli.profile(), chain);
  return url === undefined ? undefined : openNode(cli.io, url, cli.deadline);
};

export const overridesFrom = (given: Given): Overrides => ({
  allowBlind: isOn(given, 'allow-blind'),
  allowRecipients: textsOf(given, 'allow-recipient'),
});
