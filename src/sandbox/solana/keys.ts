import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import bs58 from 'bs58';

/** A key of the sandbox's own. It is derived from its name, so every sandbox has the same; it guards test money only. */
export type SandboxKey = {
  readonly address: string;
  readonly bytes: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
};

/** PKCS #8 and SPKI of Ed25519 (RFC 8410) before their 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_BYTES = 12;

const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

/** The sandbox's key of that name. */
export const keyNamed = (name: string): SandboxKey => {
  const key = privateKeyOf(createHash('sha256').update(`sandbox of bursar, Solana: ${name}`).digest());
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_BYTES);
  return { address: bs58.encode(bytes), bytes, sign: (message) => sign(null, message, key) };
};
