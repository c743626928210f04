import bs58 from 'bs58';
import type { KeyChain } from '../../contract/chains.ts';
import { ED25519_KEY_BYTES, verifyEd25519 } from '../../core/ed25519.ts';
import { CHALLENGE_MS, KYC_PURPOSE } from '../assumptions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';

/** A wallet in the format of the service, and its family of chains. */
export type Wallet = { readonly wallet: string; readonly chain: KeyChain };

const readEvm = async (text: string): Promise<Wallet | undefined> => {
  if (/^0x0{40}$/i.test(text)) return undefined;
  const { getAddress } = await import('ethers/address');
  try {
    return { wallet: getAddress(text.replace(/^0X/, '0x')), chain: 'evm' };
  } catch {
    // Letters in both cases are a checksum (EIP-55). This one is wrong.
    return undefined;
  }
};

const readSolana = (text: string): Wallet | undefined => {
  const bytes = bs58.decodeUnsafe(text);
  if (bytes?.length !== ED25519_KEY_BYTES || bytes.every((byte) => byte === 0)) return undefined;
  return { wallet: bs58.encode(bytes), chain: 'solana' };
};

/**
 * Parses an EVM address with its checksum (EIP-55), or a Solana address as base58 of 32 bytes; `undefined` for other
 * text.
 */
export const readWallet = async (address: string): Promise<Wallet | undefined> => {
  const text = address.trim();
  if (/^0x[0-9a-f]{40}$/i.test(text)) return readEvm(text);
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? readSolana(text) : undefined;
};

const ED25519_SIGNATURE_BYTES = 64;

/** Hex of r, s and v. The compact form (EIP-2098) is refused, because a cut signature would look like it. */
const EVM_SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;

/** Whether a hex text, with or without 0x, is the wallet's personal-message signature (EIP-191). */
const isEvmSignature = async (wallet: string, message: string, signature: string): Promise<boolean> => {
  if (!EVM_SIGNATURE.test(signature)) return false;
  const { verifyMessage } = await import('ethers/hash');
  try {
    return verifyMessage(message, `0x${signature.replace(/^0x/i, '')}`) === wallet;
  } catch {
    return false;
  }
};

/**
 * Whether a base58 text is the wallet's detached ed25519 signature of the UTF-8 bytes. Two implementations must accept
 * it.
 */
const isSolanaSignature = async (wallet: string, message: string, signature: string): Promise<boolean> => {
  if (signature.length > 100) return false;
  const bytes = bs58.decodeUnsafe(signature);
  if (bytes?.length !== ED25519_SIGNATURE_BYTES) return false;
  const { default: nacl } = await import('tweetnacl');
  const [text, key] = [new TextEncoder().encode(message), bs58.decode(wallet)];
  return nacl.sign.detached.verify(text, bytes, key) && verifyEd25519(text, bytes, key);
};

/** Whether the owner of a wallet signed a text. Document: POST /kyc/prepare-wallet, `signed_bytes`. */
export const isSignedBy = ({ wallet, chain }: Wallet, message: string, signature: string): Promise<boolean> =>
  chain === 'evm' ? isEvmSignature(wallet, message, signature) : isSolanaSignature(wallet, message, signature.trim());

/** The text to sign: plain lines, which no wallet can read as a transaction, with the wallet and a random nonce. */
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

/** Stores and returns a text for the owner of a wallet to sign. Deletes expired challenges. */
export const issueChallenge = async (services: Services, wallet: Wallet, purpose: string): Promise<string> => {
  const ledger = await services.ledger();
  const now = services.clock.now();
  const expires_at = new Date(now + CHALLENGE_MS).toISOString();
  const nonce = Buffer.from(services.random.bytes(16)).toString('hex');
  const message = challengeText(wallet, purpose, nonce, expires_at);
  const row = { message, wallet: wallet.wallet, purpose, expires_at };
  await ledger.deleteFrom('wallet_challenges').where('expires_at', '<=', services.clock.nowIso()).execute();
  await ledger.insertInto('wallet_challenges').values(row).execute();
  return message;
};

/** Whether a text is a KYC challenge of this wallet, is not used and has not expired. `now` is ISO 8601. */
export const isOpenChallenge = async (ledger: Ledger, wallet: string, message: string, now: string): Promise<boolean> =>
  (await ledger
    .selectFrom('wallet_challenges')
    .select('message')
    .where('message', '=', message)
    .where('wallet', '=', wallet)
    .where('purpose', '=', KYC_PURPOSE)
    .where('expires_at', '>', now)
    .executeTakeFirst()) !== undefined;

/** Deletes a challenge, so that it proves a wallet only once. */
export const deleteChallenge = async (ledger: Ledger, message: string): Promise<void> => {
  await ledger.deleteFrom('wallet_challenges').where('message', '=', message).execute();
};
