import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Bytes of a seed (the private key of RFC 8032), and of a public key. */
export const ED25519_KEY_BYTES = 32;
const ED25519_SIGNATURE_BYTES = 64;

/** The PKCS #8 prefix of a 32-byte seed (RFC 8410). DER is a buffer, which can be overwritten after use. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The points of order 1, 2, 4 and 8 by their y, in hex without the sign bit. Encodings above the field's prime are
 * included (RFC 8032, section 5.1). A public key of small order verifies signatures that no secret made.
 */
const SMALL_ORDER: readonly string[] = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];

/**
 * Whether 32 bytes are a point of small order. Solana's validators refuse such a point as a public key and as the R of
 * a signature. node:crypto accepts both on Node 20 and 22 and refuses both on 24 and 26, so bursar checks first.
 */
const isSmallOrderPoint = (point: Uint8Array): boolean => {
  const unsigned = Buffer.from(point);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return SMALL_ORDER.includes(unsigned.toString('hex'));
};

/** Always derives the pair from the seed: signing with a wrong public key would reveal the private key. */
const privateKeyOf = (seed: Uint8Array): KeyObject => {
  const der = Buffer.concat([PKCS8, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
};

/** Uses a JSON Web Key (RFC 8037): OpenSSL reads and writes it many times faster than DER. */
const publicBytes = (key: KeyObject): Uint8Array =>
  Uint8Array.from(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url'));

const publicKeyOf = (bytes: Uint8Array): KeyObject => {
  const x = Buffer.from(bytes).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
};

/**
 * The key pair of a 32-byte seed (RFC 8032, sections 5.1.5 and 5.1.6). `sign` returns the detached signature: 64 bytes,
 * deterministic.
 */
export const ed25519Pair = (seed: Uint8Array) => {
  const key = privateKeyOf(seed);
  return { publicKey: publicBytes(key), sign: (bytes: Uint8Array) => Uint8Array.from(sign(null, bytes, key)) };
};

/** The 32 bytes of the public key of a seed. */
export const ed25519PublicKey = (seed: Uint8Array): Uint8Array => publicBytes(privateKeyOf(seed));

/** The detached signature by a seed. */
export const signEd25519 = (bytes: Uint8Array, seed: Uint8Array): Uint8Array => ed25519Pair(seed).sign(bytes);

/**
 * Whether the owner of the public key signed these bytes; false for an invalid key or signature.
 * The result is the same on every version of Node, because this function itself refuses points of small order.
 */
export const verifyEd25519 = (bytes: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean => {
  if (publicKey.length !== ED25519_KEY_BYTES || signature.length !== ED25519_SIGNATURE_BYTES) return false;
  if (isSmallOrderPoint(publicKey) || isSmallOrderPoint(signature.subarray(0, ED25519_KEY_BYTES))) return false;
  return verify(null, bytes, publicKeyOf(publicKey), signature);
};
