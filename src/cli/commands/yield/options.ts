import type { SolanaOverrides } from '../../../chain/solana/context.ts';
import type { Client } from '../../../client/call.ts';
import { openNode, type SolanaNode } from '../../../client/solana-rpc/node.ts';
import { sandboxChainPath } from '../../../contract/chains.ts';
import { SOL_DECIMALS, SOLANA } from '../../../contract/solana.ts';
import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import { FEE_OPTION, feeAtMostIn } from '../../fee-option.ts';
import { INTENT_OPTION } from '../../movements/intent.ts';
import { type Given, isOn, type Option, textOf, textsOf } from '../../options.ts';
import { nodeOpenedBy, rpcOption } from '../../rpc-url.ts';
import { KEY_OPTION, PASSWORD_OPTIONS } from '../../signing-key.ts';

/** What a review of a Solana transaction may be told in advance. */
export const ALLOW_OPTIONS: readonly Option[] = [
  {
    flag: '--allow-program',
    value: 'ADDRESS',
    isRepeatable: true,
    says: 'A program that the review does not understand and that may be called (repeatable)',
  },
  {
    flag: '--allow-recipient',
    value: 'ADDRESS',
    isRepeatable: true,
    says: 'An address that may receive though nothing says who it is (repeatable)',
  },
  FEE_OPTION,
];

export const RPC_OPTION = rpcOption(
  "Your own Solana node: it shows what would happen and what landed, and with --broadcast it sends (default: the profile's)",
);

export const ONE_BY_ONE_OPTION: Option = {
  flag: '--one-by-one',
  says: 'Send two transactions by two calls, the second when the first has landed (default: both by one call)',
};

/** What turns the building of an operation into the whole of it. */
export const FLOW_OPTIONS: readonly Option[] = [
  { flag: '--sign', says: 'Review what was built and sign it with the key; send nothing' },
  { flag: '--broadcast', says: 'Sign it, and send it through the service (or --rpc-url)' },
  KEY_OPTION,
  ...PASSWORD_OPTIONS,
  RPC_OPTION,
  ...ALLOW_OPTIONS,
  INTENT_OPTION,
];

/** What `ALLOW_OPTIONS` say. Throws `invalid_input` for a maximum fee that is no amount. */
export const overridesFrom = (given: Given): SolanaOverrides => ({
  allowPrograms: textsOf(given, 'allow-program'),
  allowRecipients: textsOf(given, 'allow-recipient'),
  feeAtMost: feeAtMostIn(given, SOL_DECIMALS),
});

/** The user's node, where one is named here or in the profile. Throws `bad_settings` for an address that is none. */
export const nodeFrom = (cli: Cli, given: Given): Promise<SolanaNode | undefined> =>
  nodeOpenedBy((io, address, { deadline }) => openNode(io, address, deadline))(cli, given, SOLANA);

/** The node that shows what became of bytes: the user's, or the sandbox's own. */
export const witnessFor = ({ service, io, deadline }: Client, node: SolanaNode | undefined): SolanaNode | undefined =>
  node ?? (service.kind === 'sandbox' ? openNode(io, service.baseUrl + sandboxChainPath(SOLANA), deadline) : undefined);

/** Whether what is built is to be sent too. */
export const wantsToSend = (given: Given): boolean => isOn(given, 'broadcast');

/** Whether what is built is to be signed: what is sent always is. */
export const wantsToSign = (given: Given): boolean => isOn(given, 'sign') || wantsToSend(given);

/** Options of signing mean nothing where nothing is signed. Throws `usage`. */
export const assertMeansSigning = (given: Given): void => {
  if (textOf(given, 'intent') !== undefined && !wantsToSend(given)) {
    throw new Failure('usage', '--intent: it names what is sent, and nothing is sent without --broadcast');
  }
  if (isOn(given, 'one-by-one') && !wantsToSend(given)) {
    throw new Failure('usage', '--one-by-one: nothing is sent without --broadcast');
  }
  const idle = ['rpc-url', 'allow-program', 'allow-recipient', 'fee-at-most'].filter(
    (name) => textOf(given, name) !== undefined || textsOf(given, name).length > 0,
  );
  if (wantsToSign(given) || idle.length === 0) return;
  const names = idle.map((name) => `--${name}`).join(', ');
  throw new Failure('usage', `${names}: nothing is signed without --sign or --broadcast`);
};
