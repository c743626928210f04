import type { StoredKey } from './keystore.ts';

/** The key file as it is, byte for byte: it stays encrypted with its password. */
export const exportV3 = (key: StoredKey): string => key.text;

/** The private key in the open: 0x and 64 hex digits, and a line feed. */
export const exportPrivateKey = (privateKey: Uint8Array): string => `0x${Buffer.from(privateKey).toString('hex')}\n`;
