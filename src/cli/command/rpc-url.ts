import type { Io } from '../../io/io.ts';
import type { CommandContext } from '../context/context.ts';
import { rpcUrlOf } from '../profiles/profile.ts';
import { type Option, type ParsedArgs, stringArg } from './options.ts';

/** An address of a node that holds no key of its owner: no user, path or query. */
const isPublicNode = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { pathname, search, username } = new URL(text);
  return pathname === '/' && search === '' && username === '';
};

/** The option that names a node of the user's. */
export const rpcOption = (description: string, usual?: string): Option => ({
  flag: '--rpc-url',
  value: 'URL',
  description,
  usual,
  heading: 'Signing and sending',
  isKept: true,
  isSecret: (address) => !isPublicNode(address),
});

/** The time after which a node is not waited for any more. */
type Until = { readonly deadline: number };

/**
 * The node that the user names here, or in the profile for a chain, opened as its chain wants it; a wrong address
 * throws, and nothing is asked yet. Without a chain only the option counts. `until` is the time of the command unless
 * another is given.
 */
export const nodeOpenedBy =
  <T>(open: (io: Io, address: string, until: Until) => T) =>
  async (cli: CommandContext, given: ParsedArgs, chain?: string, until: Until = cli): Promise<T | undefined> => {
    const ofProfile = async () => (chain === undefined ? undefined : rpcUrlOf(await cli.profile(), chain));
    const url = stringArg(given, 'rpc-url') ?? (await ofProfile());
    return url === undefined ? undefined : open(cli.io, url, until);
  };
