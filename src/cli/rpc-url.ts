import type { Io } from '../io/io.ts';
import type { Cli } from './cli.ts';
import { type Given, type Option, textOf } from './options.ts';

/** The option that names a node of the user's. */
export const rpcOption = (says: string): Option => ({ flag: '--rpc-url', value: 'URL', says });

/** The node that the user names, opened as its chain wants it; a wrong address throws, and nothing is asked yet. */
export const nodeOpenedBy =
  <T>(open: (io: Io, address: string, deadline: number) => T) =>
  ({ io, deadline }: Cli, given: Given): T | undefined => {
    const url = textOf(given, 'rpc-url');
    return url === undefined ? undefined : open(io, url, deadline);
  };
