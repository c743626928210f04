import type { Secret } from '../core/secret.ts';
import type { Derive } from '../io/io.ts';
import { chainOfKeyFile } from './key-json.ts';
import type { OpenedKey } from './opened-key.ts';
import { decryptSolana } from './solana/decrypt.ts';
import { decryptV3 } from './v3/decrypt.ts';

/** Opens a key file of either chain, called `from` in errors. Throws `damaged_key_file` and `wrong_password`. */
export const decryptKey = async (
  derive: Derive,
  text: string,
  password: Secret,
  from = 'the key file',
): Promise<OpenedKey> =>
  (chainOfKeyFile(text, from) === 'evm' ? decryptV3 : decryptSolana)(derive, text, password, from);
