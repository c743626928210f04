import type { KeyChain } from '../../../contract/key-chain.ts';
import type { Secret } from '../../../core/secret.ts';
import { usualAccounts } from '../../../keystore/hd/derive.ts';
import { checkedWords, seedOfMnemonic } from '../../../keystore/hd/mnemonic.ts';
import { DEFAULT_PATH } from '../../../keystore/hd/path.ts';
import { wiping } from '../../../keystore/wiping.ts';
import type { CommandContext } from '../../context/context.ts';

type Mnemonic = { readonly text: string; readonly passphrase: Secret | undefined };

/**
 * The path of the account that is meant. A person picks it by its address among the usual ones; a script that names
 * none gets the commonest, and stderr says so.
 */
export const choosePath = async (
  cli: CommandContext,
  chain: KeyChain,
  { text, passphrase }: Mnemonic,
): Promise<string> => {
  if (!cli.io.prompt.isPossible) {
    const path = DEFAULT_PATH[chain];
    await checkedWords(text);
    await cli.say(`took the account at ${path}; --path names another`);
    return path;
  }
  const seed = await seedOfMnemonic(text, passphrase?.reveal());
  const accounts = await cli.io.spin(
    'Deriving',
    wiping(seed, () => usualAccounts(chain, seed)),
  );
  const widest = Math.max(...accounts.map(({ path }) => path.length));
  const choices = accounts.map(({ path, label, address }) => ({
    name: `${address}  ${path.padEnd(widest)}  ${label}`,
    value: path,
  }));
  return cli.io.prompt.select('Which account? --path takes any other', choices);
};
