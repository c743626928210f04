import type { Overrides } from '../../../chain/evm/context.ts';
import type { Client } from '../../../client/call.ts';
import { type ChainNode, openNode } from '../../../client/node.ts';
import { COIN_DECIMALS, findEvmChain, sandboxChainPath } from '../../../contract/chains.ts';
import { EXAMPLE_PAYMENT_ID } from '../../../contract/pay/shared.ts';
import { FEE_OPTION, feeAtMostIn } from '../../command/fee-option.ts';
import { type Argument, boolArg, type Option, type ParsedArgs, stringArgs } from '../../command/options.ts';
import { nodeOpenedBy, rpcOption } from '../../command/rpc-url.ts';
import type { CommandContext } from '../../context/context.ts';

export const PAYMENT_ID: Argument = {
  name: 'PAYMENT_ID',
  description: 'Id of the payment',
  completes: 'payments',
  question: 'Which payment?',
  order: -100,
  example: EXAMPLE_PAYMENT_ID,
};

/** What a card is expected to be charged, as statements of `pay transaction`: they are not sent. */
export const CHARGE_STATEMENTS: readonly Option[] = [
  {
    flag: '--amount-from',
    value: 'AMOUNT',
    question: 'Amount to pay',
    order: -90,
    description: 'Cards: the amount that you expect to be charged; not sent',
  },
  {
    flag: '--from-currency-symbol',
    value: 'SYMBOL',
    question: 'Currency of the amount',
    order: -80,
    description: 'Cards: the currency of that amount; not sent',
  },
];

/** The user's word on what a review leaves open, given in advance. */
export const REVIEW_OPTIONS: readonly Option[] = [
  {
    flag: '--allow-blind',
    heading: 'Signing and sending',
    isKept: true,
    description: 'Sign a call that the review does not understand',
  },
  {
    flag: '--allow-recipient',
    heading: 'Signing and sending',
    value: 'ADDRESS',
    isRepeatable: true,
    isKept: true,
    description: 'An address outside the split that may receive',
  },
  FEE_OPTION,
];

export const RPC_OPTION = rpcOption(
  'A node of the chain: it is asked before signing, and shows whether money moved',
  "the profile's, or the sandbox's",
);

/** The node that the user names, here or in the profile for a chain. Throws `invalid_input` for an address that is none. */
export const nodeFor = nodeOpenedBy(openNode);

type OfService = { readonly client: Client; readonly chain: string };

/**
 * The node for what a service does on a chain: the one that the user names, and otherwise, of a sandbox, its own. Throws
 * as `nodeFor`.
 */
export const nodeOfService = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, chain }: OfService,
): Promise<ChainNode | undefined> => {
  const named = await nodeFor(cli, given, chain, client);
  const { kind, baseUrl } = client.service;
  const own = findEvmChain(chain);
  if (named || kind !== 'sandbox' || own === undefined) return named;
  return openNode(cli.io, baseUrl + sandboxChainPath(own.name), client, { batches: true });
};

/** What those options say. Throws `invalid_input` for a maximum fee that is no amount. */
export const overridesFrom = (given: ParsedArgs): Overrides => ({
  allowBlind: boolArg(given, 'allow-blind'),
  allowRecipients: stringArgs(given, 'allow-recipient'),
  feeAtMost: feeAtMostIn(given, COIN_DECIMALS),
});

/** Checks the options of a review before anything is asked of the service or the user. Throws `invalid_input`. */
export const checkReviewOptions = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  overridesFrom(given);
  await nodeFor(cli, given);
};
