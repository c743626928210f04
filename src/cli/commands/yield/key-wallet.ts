import { Failure } from '../../../core/failure.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { Body } from '../../command/body.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

/** For what only reads: nothing is signed, and no password asked. */
export const WALLET_KEY_OPTION: Option = {
  flag: '--key',
  value: 'NAME',
  completes: 'keys',
  description: 'Take the wallet from this key, instead of --wallet',
};

/** The wallet of a key that is named. Throws `invalid_input` for one of another chain, and beside another wallet. */
export const withKeysWallet = async (cli: CommandContext, given: ParsedArgs, input: Body): Promise<Body> => {
  const name = stringArg(given, 'key');
  if (name === undefined) return input;
  const { address, chain } = await openKeystore(cli.io).find(name);
  if (chain !== undefined && chain !== 'solana')
    throw new Failure('invalid_input', `--key: ${name} is no key for Solana`);
  const wallet = input['wallet'];
  if (address !== undefined && wallet !== undefined && wallet !== address) {
    throw new Failure('invalid_input', `--wallet is ${String(wallet)}, and the key ${name} is that of ${address}`);
  }
  return { ...input, wallet: wallet ?? address };
};
