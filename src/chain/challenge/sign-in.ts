import type { KeyChain } from '../../contract/key-chain.ts';

/** What a text in the form of EIP-4361 says of itself ("Sign-In with Ethereum"; with Solana it has the same form). */
export type SignIn = {
  readonly chain: KeyChain;
  /** Who asks for the signature: a host, with a port where it has one. */
  readonly domain: string;
  readonly address: string;
  readonly chainId: string | undefined;
  readonly expires: string | undefined;
  readonly notBefore: string | undefined;
};

const FIRST_LINE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(\S+) wants you to sign in with your (Ethereum|Solana) account:$/i;

const fieldOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);

/** Reads a text in the form of EIP-4361; `undefined` for any other text. */
export const readSignIn = (text: string): SignIn | undefined => {
  const lines = text.split(/\r?\n/);
  const [, domain, account] = FIRST_LINE.exec(lines[0] ?? '') ?? [];
  if (domain === undefined) return undefined;
  return {
    chain: account?.toLowerCase() === 'solana' ? 'solana' : 'evm',
    domain,
    address: lines[1] ?? '',
    chainId: fieldOf(lines, 'Chain ID'),
    expires: fieldOf(lines, 'Expiration Time'),
    notBefore: fieldOf(lines, 'Not Before'),
  };
};

const EXPIRY_LINE = /^\s*(?:expires|expires at|expiry|expiration|expiration time|valid until)\s*:\s*(\S+)\s*$/im;

/** When a text says that it expires, in the form of EIP-4361 or on a line of its own. */
export const expiryIn = (text: string): string | undefined => readSignIn(text)?.expires ?? EXPIRY_LINE.exec(text)?.[1];
