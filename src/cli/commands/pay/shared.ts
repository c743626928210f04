import type { Overrides } from '../../../chain/evm/context.ts';
import type { Client } from '../../../client/call.ts';
import { type ChainNode, openNode } from '../../../client/node.ts';
import { type Argument, type Given, isOn, type Option, textsOf } from '../../options.ts';
import { nodeOpenedBy, rpcOption } from '../../rpc-url.ts';

export const PAYMENT_ID: Argument = { name: 'PAYMENT_ID', says: 'Id of the payment', completes: 'payments' };

/** What a card is expected to be charged, as statements of `pay transaction`: they are not sent. */
export const CHARGE_STATEMENTS: readonly Option[] = [
  { flag: '--amount-from', value: 'AMOUNT', says: 'Cards: the amount that you expect to be charged; not sent' },
  { flag: '--from-currency-symbol', value: 'SYMBOL', says: 'Cards: the currency of that amount; not sent' },
];

/** The user's word on what a review leaves open, given in advance. */
export const REVIEW_OPTIONS: readonly Option[] = [
  { flag: '--allow-blind', says: 'Sign a call that the review does not understand' },
  {
    flag: '--allow-recipient',
    value: 'ADDRESS',
    isRepeatable: true,
    says: 'An address outside the split that may receive (repeatable)',
  },
];

export const RPC_OPTION = rpcOption(
  "A node of the chain: its id, nonce and a simulation are checked before signing (default: the profile's)",
);

/** The node that the user names, here or in the profile for a chain. Throws `invalid_input` for an address that is none. */
export const nodeFor = nodeOpenedBy(openNode);

/** The node that shows what became of bytes: the user's, or the sandbox's own. */
export const witnessFor = ({ service, io, deadline }: Client, chain: string, node: ChainNode | undefined) => {
  if (node !== undefined || service.kind !== 'sandbox') return node;
  return openNode(io, `${service.baseUrl}/_chain/${encodeURIComponent(chain.toLowerCase())}`, deadline);
};

/** What those options say. */
export const overridesFrom = (given: Given): Overrides => ({
  allowBlind: isOn(given, 'allow-blind'),
  allowRecipients: textsOf(given, 'allow-recipient'),
});
