import { verifyEd25519 } from '../../core/ed25519.ts';
import { CHALLENGE_MS, KYC_PURPOSE } from '../assumptions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';
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

/** Plain lines that no wallet can take for a transaction, with the wallet and a number that is used once. */
const challengeText = ({ wallet, chain }: Wallet, purpose: string, nonce: string, expiresAt: string): string =>
  [
    'Prove that this wallet is yours. Nothing is paid and nothing is allowed by signing.',
    '',
    `Wallet: ${wallet}`,
    `Chain: ${chain}`,
    `Purpose: ${purpose}`,
    `Nonce: ${nonce}`,
    `Expires: ${expiresAt}`,
  ].join('\n');

/** Makes a text for the owner of a wallet to sign; what has expired is forgotten. */
export const issueChallenge = async (services: Services, wallet: Wallet, purpose: string): Promise<string> => {
  const ledger = await services.ledger();
  const now = services.clock.now();
  const expires_at = new Date(now + CHALLENGE_MS).toISOString();
  const nonce = Buffer.from(services.io.random.bytes(16)).toString('hex');
  const message = challengeText(wallet, purpose, nonce, expires_at);
  await ledger.deleteFrom('wallet_challenges').where('expires_at', '<=', services.clock.nowIso()).execute();
  await ledger
    .insertInto('wallet_challenges')
    .values({ message, wallet: wallet.wallet, purpose, expires_at })
    .execute();
  return message;
};

/** Whether a text was given to this wallet for KYC, has not been used with success, and has not expired. */
export const isOpenChallenge = async (ledger: Ledger, wallet: string, message: string, now: string): Promise<boolean> =>
  (await ledger
    .selectFrom('wallet_challenges')
    .select('message')
    .where('message', '=', message)
    .where('wallet', '=', wallet)
    .where('purpose', '=', KYC_PURPOSE)
    .where('expires_at', '>', now)
    .executeTakeFirst()) !== undefined;

/** Takes a challenge away, so that it proves once. */
export const useUpChallenge = async (ledger: Ledger, message: string): Promise<void> => {
  await ledger.deleteFrom('wallet_challenges').where('message', '=', message).execute();
};
