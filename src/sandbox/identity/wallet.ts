import type { KeyChain } from '../../contract/key-chain.ts';
/** A wallet in the format of the service, and the family of chains that it is of. */
export type Wallet = { readonly wallet: string; readonly chain: KeyChain };

const SOLANA_KEY_BYTES = 32;

const readEvm = async (text: string): Promise<Wallet | undefined> => {
  if (/^0x0{40}$/i.test(text)) return undefined;
  const { getAddress } = await import('ethers/address');
  try {
    return { wallet: getAddress(text.replace(/^0X/, '0x')), chain: 'evm' };
  } catch {
    // Letters in both cases are a checksum (EIP-55), and it is wrong.
    return undefined;
  }
};

const readSolana = async (text: string): Promise<Wallet | undefined> => {
  const { default: bs58 } = await import('bs58');
  const bytes = bs58.decodeUnsafe(text);
  if (bytes?.length !== SOLANA_KEY_BYTES || bytes.every((byte) => byte === 0)) return undefined;
  return { wallet: bs58.encode(bytes), chain: 'solana' };
};

/** Reads an address: EVM with its checksum (EIP-55), Solana as base58 of 32 bytes. `undefined` for neither. */
export const readWallet = async (given: string): Promise<Wallet | undefined> => {
  const text = given.trim();
  if (/^0x[0-9a-f]{40}$/i.test(text)) return readEvm(text);
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? readSolana(text) : undefined;
};
