import bs58 from 'bs58';
import type { KeyChain } from '../../contract/chains.ts';
import { ED25519_KEY_BYTES, verifyEd25519 } from '../../core/ed25519.ts';
import { CHALLENGE_MS, KYC_PURPOSE } from '../assumptions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';

/** A wallet in the format of the service, and the family of chains that it is of. */
export type Wallet = { readonly wallet: string; readonly chain: KeyChain };

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

const readSolana = (text: string): Wallet | undefined => {
  const bytes = bs58.decodeUnsafe(text);
  if (bytes?.length !== ED25519_KEY_BYTES || bytes.every((byte) => byte === 0)) return undefined;
  return { wallet: bs58.encode(bytes), chain: 'solana' };
};

/** Reads an address: EVM with its checksum (EIP-55), Solana as base58 of 32 bytes. `undefined` for neither. */
export const readWallet = async (given: string): Promise<Wallet | undefined> => {
  const text = given.trim();
  if (/^0x[0-9a-f]{40}$/i.test(text)) return readEvm(text);
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? readSolana(text) : undefined;
};

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
  const bytes = bs58.decodeUnsafe(signature);
  if (bytes?.length !== ED25519_SIGNATURE_BYTES) return false;
  const { default: nacl } = await import('tweetnacl');
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
  const row = { message, wallet: wallet.wallet, purpose, expires_at };
  await ledger.deleteFrom('wallet_challenges').where('expires_at', '<=', services.clock.nowIso()).execute();
  await ledger.insertInto('wallet_challenges').values(row).execute();
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
export const deleteChallenge = async (ledger: Ledger, message: string): Promise<void> => {
  await ledger.deleteFrom('wallet_challenges').where('message', '=', message).execute();
};
