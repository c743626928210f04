import type { Io } from '../../io/io.ts';
import type { CommandContext } from '../context/context.ts';
import { rpcUrlOf } from '../profiles/profile.ts';
import { type Option, type ParsedArgs, stringArg } from './options.ts';

/** Whether an address contains no access key: no user, path or query. */
const isPublicNode = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { pathname, search, username } = new URL(text);
  return pathname === '/' && search === '' && username === '';
};

/** The option that names a node. */
export const rpcOption = (description: string, usual?: string): Option => ({
  flag: '--rpc-url',
  value: 'URL',
  description,
  usual,
  heading: 'Signing and sending',
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
