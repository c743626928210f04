/** The chains that a key can be of. */
export type KeyChain = 'evm' | 'solana';

/** A private key in the open: whoever holds it wipes it (`privateKey.fill(0)`) after use. */
export type OpenedKey = {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** With the capitals of EIP-55. */
  readonly address: string;
  /** What the user should know of the file it came from, as ends of a sentence about it. */
  readonly warnings: readonly string[];
  /** The file names no address, so nothing but the user can vouch for this one. */
  readonly needsConfirmation: boolean;
};
