import type { KeyChain } from '../../contract/key-chain.ts';
import { Failure } from '../../core/failure.ts';
import { isSameAddress } from '../../core/same-text.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { UnlockedKey } from '../../keystore/unlock.ts';
import { type ParsedArgs, stringArg } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';
import { withKey } from './signing-key.ts';

/** The name of the key that an operation was started with. Throws `invalid_input` for another key. */
export const ownKeyName = async (
  cli: CommandContext,
  given: ParsedArgs,
  { noun }: OperationArea,
  address: string,
): Promise<string> => {
  const found = await openKeystore(cli.io).find(stringArg(given, 'key') ?? address);
  if (found.address !== undefined && isSameAddress(found.address, address)) return found.name;
  const message = `--key: ${found.name} is ${found.address}, and the ${noun} was started with ${address}`;
  throw new Failure('invalid_input', message);
};

/** The wallet that an operation was started with, and the area of the operation. */
type OperationWallet<C extends KeyChain> = {
  readonly area: OperationArea;
  readonly chain: C;
  readonly address: string;
};

type WithOwnKey<C extends KeyChain> = <T>(work: (key: UnlockedKey<C>) => Promise<T>) => Promise<T>;

/** Unlocks the key of an operation for some work. `undefined` without a terminal and --yes: nothing may be signed. */
export const signerOf = <C extends KeyChain>(
  cli: CommandContext,
  given: ParsedArgs,
  { area, chain, address }: OperationWallet<C>,
): WithOwnKey<C> | undefined => {
  if (!cli.globals.yes && !cli.io.prompt.isPossible) return undefined;
  return async (work) => withKey(cli, given, { name: await ownKeyName(cli, given, area, address), chain }, work);
};
