import bs58 from 'bs58';
import { Wallet } from 'ethers/wallet';
import nacl from 'tweetnacl';
import type { TestSandbox } from './sandbox.ts';

/** The owner of a wallet, who signs texts as the service's document requires. */
export type Owner = { readonly wallet: string; readonly sign: (message: string) => Promise<string> };

export const evmOwner = (): Owner => {
  const key = Wallet.createRandom();
  return { wallet: key.address, sign: (message) => key.signMessage(message) };
};

export const solanaOwner = (): Owner => {
  const { publicKey, secretKey } = nacl.sign.keyPair();
  const sign = async (message: string) => bs58.encode(nacl.sign.detached(Buffer.from(message, 'utf8'), secretKey));
  return { wallet: bs58.encode(publicKey), sign };
};

export const challengeFor = async ({ post }: TestSandbox, wallet: string): Promise<string> =>
  (await post('/security/wallet/challenge', { wallet })).body.data.message;

/** Gets a challenge, signs it and sends it to prepare-wallet. */
export const prepareWallet = async (sandbox: TestSandbox, { wallet, sign }: Owner, email?: string) => {
  const message = await challengeFor(sandbox, wallet);
  const signed_bytes = await sign(message);
  return sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes, ...(email && { email }) });
};

/** Reads the code of the newest e-mail to an address. */
export const codeFor = async ({ control }: TestSandbox, email: string): Promise<string> =>
  (await control('GET', `inbox?to=${encodeURIComponent(email)}`)).body.data.emails[0].code;

/** Prepares an e-mail address and verifies it by its code. */
export const proveEmail = async (sandbox: TestSandbox, email: string): Promise<void> => {
  await sandbox.post('/kyc/prepare', { email });
  await sandbox.post('/security/email/send-otp', { email });
  await sandbox.post('/security/email/verify-otp', { email, code: await codeFor(sandbox, email) });
};

export const openSession = ({ post }: TestSandbox, identity: { email?: string; wallet?: string }) =>
  post('/kyc/create/verify_public_kyc', identity);

export const statusOfUser = ({ get }: TestSandbox, identity: { email?: string; wallet?: string }) =>
  get(`/kyc/status?${new URLSearchParams(identity)}`);

export const decide = ({ control }: TestSandbox, decision: string, identity: { email?: string; wallet?: string }) =>
  control('POST', 'kyc', { decision, ...identity });

export const advance = async ({ control }: TestSandbox, span: string): Promise<void> => {
  await control('POST', 'clock', { advance: span });
};
