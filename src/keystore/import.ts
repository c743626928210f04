import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import { addressOf, isPrivateKey } from './evm-key.ts';
import { keyFromMnemonic } from './mnemonic.ts';
import type { OpenedKey } from './opened-key.ts';
import { decryptV3 } from './v3/decrypt.ts';

/** What `key import` takes for an EVM key, as text. `from` is what errors call a key file. */
export type ImportSource =
  | { readonly kind: 'v3'; readonly text: string; readonly password: Secret; readonly from?: string }
  | { readonly kind: 'private-key'; readonly text: string }
  | { readonly kind: 'mnemonic'; readonly text: string; readonly path?: string | undefined };

/**
 * A private key written as 64 hex digits, with or without 0x, space around it ignored. Throws `invalid_input`,
 * which never quotes the text, for anything else and for numbers that are no key of the curve.
 */
export const parsePrivateKey = (text: string): Uint8Array => {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) {
    throw new Failure('invalid_input', 'this is not a private key: 64 hex digits, with or without 0x in front', {
      hint: 'The text is not shown here, so that it stays secret.',
    });
  }
  const privateKey = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (isPrivateKey(privateKey)) return privateKey;
  throw new Failure('invalid_input', 'this is not a private key: it is zero, or not below the order of secp256k1');
};

const opened = (privateKey: Uint8Array): OpenedKey => ({
  privateKey,
  address: addressOf(privateKey),
  warnings: [],
  needsConfirmation: false,
});

/** Opens what is imported. Throws as the parser of its kind; a secret is never part of an error. */
export const openImport = async (source: ImportSource): Promise<OpenedKey> => {
  switch (source.kind) {
    case 'v3':
      return decryptV3(source.text, source.password, source.from);
    case 'private-key':
      return opened(parsePrivateKey(source.text));
    case 'mnemonic':
      return opened(await keyFromMnemonic(source.text, source.path));
    default: {
      const never: never = source;
      return never;
    }
  }
};
