import type { KeyChain } from '../contract/key-chain.ts';
import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import type { Derive } from '../io/io.ts';
import { parsePrivateKey } from './clear.ts';
import { decryptKey } from './decrypt-key.ts';
import { deriveKey } from './hd/derive.ts';
import { seedOfMnemonic } from './hd/mnemonic.ts';
import { DEFAULT_PATH } from './hd/path.ts';
import { addressOfKey } from './key-format.ts';
import { chainOfKeyFile } from './key-json.ts';
import type { OpenedKey } from './opened-key.ts';
import { wiping } from './wiping.ts';

/** What `key import` takes, as text. `from` is what errors call a key file. */
export type ImportSource =
  | { readonly kind: 'key-file'; readonly text: string; readonly password: Secret; readonly from?: string }
  | { readonly kind: 'private-key'; readonly text: string }
  | {
      readonly kind: 'mnemonic';
      readonly text: string;
      readonly passphrase?: Secret | undefined;
      readonly path?: string | undefined;
    };

/** Whether a file to import holds its key in the clear, as solana-keygen writes it, so that no password opens it. */
export const isClearFile = (chain: KeyChain, text: string): boolean => chain === 'solana' && /^\s*\[/.test(text);

/** Throws `invalid_input` when a key file is of the other family. Needs no password. */
export const assertFileOf = (chain: KeyChain, text: string, from: string): void => {
  const found = chainOfKeyFile(text, from);
  if (found === chain) return;
  const message = found === 'evm' ? 'is no Solana key file' : 'is a Solana key';
  throw new Failure('invalid_input', `${from} ${message}; --chain ${chain} does not fit it`);
};

const opened = (chain: KeyChain, privateKey: Uint8Array): OpenedKey => ({
  chain,
  privateKey,
  address: addressOfKey(chain, privateKey),
  warnings: [],
  needsConfirmation: false,
});

/** Opens what is imported for a chain. Throws as the parser of its kind; a secret is never part of an error. */
export const openImport = async (derive: Derive, chain: KeyChain, source: ImportSource): Promise<OpenedKey> => {
  switch (source.kind) {
    case 'key-file':
      assertFileOf(chain, source.text, source.from ?? 'the key file');
      return decryptKey(derive, source.text, source.password, source.from);
    case 'private-key':
      return opened(chain, await parsePrivateKey(chain, source.text));
    case 'mnemonic': {
      const seed = await seedOfMnemonic(derive, source.text, source.passphrase?.reveal());
      const path = source.path ?? DEFAULT_PATH[chain];
      return opened(chain, await wiping(seed, () => deriveKey(chain, seed, path)));
    }
    default: {
      const never: never = source;
      return never;
    }
  }
};
