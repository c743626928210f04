/**
 * Whether a text is an EVM address that can receive money. The zero address cannot. A checksum (EIP-55), where it has
 * one, must be right: a wrong one means a typing error.
 */
export const isEvmAddress = async (text: string): Promise<boolean> => {
  if (!/^0x[0-9a-f]{40}$/i.test(text) || /^0x0{40}$/i.test(text)) return false;
  const { isAddress } = await import('ethers/address');
  return isAddress(text);
};

/** What is wrong with a text that `isEvmAddress` does not take. */
export const NOT_AN_ADDRESS = 'must be an EVM address: 0x and 40 hex digits, with a right checksum if it has one';
