import type { Overrides as EvmOverrides } from '../../chain/evm/context.ts';
import { FEE_AT_MOST } from '../../chain/review/check.ts';
import type { SolanaOverrides } from '../../chain/solana/context.ts';
import { COIN_DECIMALS, SOL_DECIMALS } from '../../contract/chains.ts';
import { isDecimal, parseDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { rpcUrlOf } from '../profiles/profile.ts';
import type { CommandContext } from './command.ts';
import { boolArg, type Option, type ParsedArgs, signingOption, stringArg, stringArgs } from './options.ts';

/** Whether an address contains no access key: no user, path or query. */
const isPublicNode = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { pathname, search, username } = new URL(text);
  return pathname === '/' && search === '' && username === '';
};

/** The option that names a node. */
export const rpcOption = (description: string, usual?: string): Option =>
  signingOption('--rpc-url', description, {
    value: 'URL',
    usual,
    isKept: true,
    isSecret: (address) => !isPublicNode(address),
  });

/** The time at which requests to the node end. */
type TimeLimit = { readonly deadline: number };

/**
 * Opens the node of --rpc-url, or of the profile for `chain`. Sends nothing yet. Throws for an invalid address. `until`
 * defaults to the time limit of the command.
 */
export const nodeOpenedBy =
  <T>(open: (io: Io, address: string, until: TimeLimit) => T) =>
  async (cli: CommandContext, given: ParsedArgs, chain?: string, until: TimeLimit = cli): Promise<T | undefined> => {
    const ofProfile = async () => (chain === undefined ? undefined : rpcUrlOf(await cli.profile(), chain));
    const url = stringArg(given, 'rpc-url') ?? (await ofProfile());
    return url === undefined ? undefined : open(cli.io, url, until);
  };

/** An option that allows an address of a review in advance. */
export const allowOption = (flag: Option['flag'], description: string): Option =>
  signingOption(flag, description, { value: 'ADDRESS', isRepeatable: true, isKept: true });

/** The option that replaces the default fee limit. */
export const FEE_OPTION = signingOption(FEE_AT_MOST, "The most that the fee may cost, in the chain's coin", {
  value: 'AMOUNT',
  isKept: true,
  usual: 'the usual maximum of the chain',
});

/**
 * The amount of `--fee-at-most`. `decimals` are those of the chain's coin. Throws `invalid_input` for an invalid
 * amount.
 */
const feeAtMostIn = (given: ParsedArgs, decimals: number): string | undefined => {
  const text = stringArg(given, 'fee-at-most');
  if (text === undefined || (isDecimal(text) && parseDecimal(text).scale <= decimals)) return text;
  const message = `"${text.slice(0, 40)}" is not an amount with at most ${decimals} decimals, such as 0.01`;
  throw new Failure('invalid_input', `${FEE_AT_MOST}: ${message}`, {
    errors: [{ field: 'fee_at_most', message, option: FEE_AT_MOST }],
    namesErrors: true,
  });
};

/** The values of the options of a review on an EVM chain. Throws `invalid_input` for a maximum fee that is no amount. */
export const evmOverrides = (given: ParsedArgs): EvmOverrides => ({
  allowBlind: boolArg(given, 'allow-blind'),
  allowRecipients: stringArgs(given, 'allow-recipient'),
  feeAtMost: feeAtMostIn(given, COIN_DECIMALS),
});

/** The values of the options of a review on Solana. Throws `invalid_input` for a maximum fee that is no amount. */
export const solanaOverrides = (given: ParsedArgs): SolanaOverrides => ({
  allowPrograms: stringArgs(given, 'allow-program'),
  allowRecipients: stringArgs(given, 'allow-recipient'),
  feeAtMost: feeAtMostIn(given, SOL_DECIMALS),
});
