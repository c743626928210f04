import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyChain } from '../../contract/key-chain.ts';
import { printJson } from '../../core/json.ts';
import { wiping } from '../wiping.ts';

/** The address that a policy belongs to, with its chain family. The names of its keys do not matter. */
export type PolicySubject = { readonly chain: KeyChain; readonly address: string };

/** The settings of a policy as they are stored. `flows/policy` validates them. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/** The content that a seal covers. The number grows with every change, so that an older file is recognised. */
type SealedContent = { readonly subject: PolicySubject; readonly number: number; readonly settings: StoredSettings };

/** A unique key for an address: EVM addresses are in lower case, because their capitals are only a checksum. */
export const subjectKey = ({ chain, address }: PolicySubject): string =>
  `${chain}-${chain === 'evm' ? address.toLowerCase() : address}`;

/** Names the use of the derived key (RFC 5869, `info`). */
const PURPOSE = 'bursar key policy, version 1';
const KEY_BYTES = 32;

/**
 * Derives the key of the MAC from the private key (HKDF-SHA256, RFC 5869). So it needs the unlocked key, is the same
 * under every name and password, and is not stored in the key file.
 */
const macOf = (privateKey: Uint8Array, { subject, number, settings }: SealedContent): Promise<Buffer> =>
  wiping(new Uint8Array(hkdfSync('sha256', privateKey, '', PURPOSE, KEY_BYTES)), (key) =>
    createHmac('sha256', key)
      .update(printJson([subjectKey(subject), number, settings]))
      .digest(),
  );

/** The MAC of a policy as hex. */
export const sealOf = async (privateKey: Uint8Array, sealed: SealedContent): Promise<string> =>
  (await macOf(privateKey, sealed)).toString('hex');

/** Whether a MAC matches a policy under this key. */
export const isSealOf = async (privateKey: Uint8Array, sealed: SealedContent, mac: string): Promise<boolean> => {
  const [own, given] = [await macOf(privateKey, sealed), Buffer.from(mac, 'hex')];
  return own.length === given.length && timingSafeEqual(own, given);
};
