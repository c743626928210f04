import { verifyEd25519 } from '../../core/ed25519.ts';
import type { Wallet } from './wallet.ts';

const ED25519_SIGNATURE_BYTES = 64;

/** Hex of r, s and v. The compact form (EIP-2098) is none: a cut signature would pass as one. */
const EVM_SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;

/** A personal-message signature (EIP-191), as hex with or without 0x. */
const isEvmSignature = async (wallet: string, message: string, signature: string): Promise<boolean> => {
  if (!EVM_SIGNATURE.test(signature)) return false;
  const { verifyMessage } = await import('ethers/hash');
  try {
    return verifyMessage(message, `0x${signature.replace(/^0x/i, '')}`) === wallet;
  } catch {
    return false;
  }
};

/** A detached ed25519 signature of the UTF-8 bytes, as base58. Two implementations must agree that it holds. */
const isSolanaSignature = async (wallet: string, message: string, signature: string): Promise<boolean> => {
  if (signature.length > 100) return false;
  const [{ default: bs58 }, { default: nacl }] = await Promise.all([import('bs58'), import('tweetnacl')]);
  const bytes = bs58.decodeUnsafe(signature);
  if (bytes?.length !== ED25519_SIGNATURE_BYTES) return false;
  const [text, key] = [new TextEncoder().encode(message), bs58.decode(wallet)];
  return nacl.sign.detached.verify(text, bytes, key) && verifyEd25519(text, bytes, key);
};

/** Whether the owner of a wallet signed a text. Document: POST /kyc/prepare-wallet, `signed_bytes`. */
export const isSignedBy = ({ wallet, chain }: Wallet, message: string, signature: string): Promise<boolean> =>
  chain === 'evm' ? isEvmSignature(wallet, message, signature) : isSolanaSignature(wallet, message, signature.trim());
