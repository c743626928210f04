import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyChain } from '../../contract/key-chain.ts';
import { printJson } from '../../core/json.ts';
import { wiping } from '../wiping.ts';

/** Whose policy it is: an address of a family of chains. The names of its keys do not matter. */
export type PolicySubject = { readonly chain: KeyChain; readonly address: string };

/** The settings of a policy as they are stored. What they mean is judged where they are used. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/** What a seal vouches for. The number grows with every change, so that an older file is told from a newer one. */
type Sealed = { readonly subject: PolicySubject; readonly number: number; readonly settings: StoredSettings };

/** One spelling for one address: the capitals of an EVM address are a checksum. */
export const subjectKey = ({ chain, address }: PolicySubject): string =>
  `${chain}-${chain === 'evm' ? address.toLowerCase() : address}`;

/** Names the use of the derived key (RFC 5869, `info`). */
const PURPOSE = 'bursar key policy, version 1';
const KEY_BYTES = 32;

/**
 * The key of the MAC is derived from the private key (HKDF-SHA256, RFC 5869): only who unlocks the key has it, under any
 * of its names and passwords, and the file of the key stays as other tools write it.
 */
const macOf = (privateKey: Uint8Array, { subject, number, settings }: Sealed): Promise<Buffer> =>
  wiping(new Uint8Array(hkdfSync('sha256', privateKey, '', PURPOSE, KEY_BYTES)), (key) =>
    createHmac('sha256', key)
      .update(printJson([subjectKey(subject), number, settings]))
      .digest(),
  );

/** The MAC of a policy as hex. */
export const sealOf = async (privateKey: Uint8Array, sealed: Sealed): Promise<string> =>
  (await macOf(privateKey, sealed)).toString('hex');

/** Whether a MAC is that of a policy under this key. */
export const isSealOf = async (privateKey: Uint8Array, sealed: Sealed, mac: string): Promise<boolean> => {
  const [own, given] = [await macOf(privateKey, sealed), Buffer.from(mac, 'hex')];
  return own.length === given.length && timingSafeEqual(own, given);
};
