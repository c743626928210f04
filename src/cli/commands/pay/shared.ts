import type { Overrides } from '../../../chain/evm/context.ts';
import type { Client } from '../../../client/call.ts';
import { type ChainNode, openNode } from '../../../client/node.ts';
import { COIN_DECIMALS, findEvmChain, sandboxChainPath } from '../../../contract/chains.ts';
import { EXAMPLE_PAYMENT_ID } from '../../../contract/pay/shared.ts';
import { FEE_OPTION, feeAtMostIn, nodeOpenedBy, rpcOption } from '../../command/chain-options.ts';
import { type Argument, boolArg, type Option, type ParsedArgs, stringArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

export const PAYMENT_ID: Argument = {
  name: 'PAYMENT_ID',
  description: 'Id of the payment',
  completes: 'payments',
  question: 'Which payment?',
  order: -100,
  example: EXAMPLE_PAYMENT_ID,
};

/** Statements of `pay transaction` about the expected charge of a card. They are not sent. */
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

/** Options that confirm doubts of a review in advance. */
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

/** Opens the node that an option or the profile names. Throws `invalid_input` for an invalid address. */
export const nodeFor = nodeOpenedBy(openNode);

type ChainOfService = { readonly client: Client; readonly chain: string };

/**
 * Opens the node that checks a service on a chain: the user's node, or else the node of the sandbox. Throws as
 * `nodeFor`.
 */
export const nodeOfService = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, chain }: ChainOfService,
): Promise<ChainNode | undefined> => {
  const named = await nodeFor(cli, given, chain, client);
  const { kind, baseUrl } = client.service;
  const own = findEvmChain(chain);
  if (named || kind !== 'sandbox' || own === undefined) return named;
  return openNode(cli.io, baseUrl + sandboxChainPath(own.name), client, { batches: true });
};

/** The values of `REVIEW_OPTIONS`. Throws `invalid_input` for a maximum fee that is no amount. */
export const overridesFrom = (given: ParsedArgs): Overrides => ({
  allowBlind: boolArg(given, 'allow-blind'),
  allowRecipients: stringArgs(given, 'allow-recipient'),
  feeAtMost: feeAtMostIn(given, COIN_DECIMALS),
});

/** Checks the options of a review before any request or question. Throws `invalid_input`. */
export const checkReviewOptions = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  overridesFrom(given);
  await nodeFor(cli, given);
};
