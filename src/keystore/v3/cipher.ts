/** The cipher of the Web3 Secret Storage Definition. Its key is the first half of the derived bytes. */
export const CIPHER = 'aes-128-ctr';

/** keccak256 of the second half of the 32 derived bytes and the ciphertext, as the definition says. */
export const macOf = async (derived: Uint8Array, ciphertext: Uint8Array): Promise<Buffer> => {
  const { keccak256 } = await import('ethers/crypto');
  return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2), 'hex');
};
