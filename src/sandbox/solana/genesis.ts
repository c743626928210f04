import { PublicKey } from '@solana/web3.js';
import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { VAULT_RESERVE } from '../assumptions.ts';
import { keyNamed, type SandboxKey } from './address.ts';
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from './effects.ts';
import { lenderAccount, SYSTEM_PROGRAM, TOKEN_PROGRAM, tokenAccountOf } from './instructions.ts';
import type { KeptAccount } from './store.ts';
import { makeVaults, SOLANA_TOKENS, type Vault } from './tokens.ts';

/** Gives test money: it makes tokens and pays for what it does. */
export const makeFaucet = (): SandboxKey => keyNamed('faucet');

const FAUCET_LAMPORTS = 5n * 10n ** 18n;

const account = (address: string, lamports: bigint, data: Uint8Array): KeptAccount => ({
  address,
  lamports: lamports.toString(),
  owner: data.length === 0 ? SYSTEM_PROGRAM : TOKEN_PROGRAM.toBase58(),
  data,
  executable: 0,
});

/** SPL Token's Mint: its authority, supply, decimals; nobody can freeze. */
const mintData = (authority: Uint8Array, supply: bigint, decimals: number): Uint8Array => {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(authority, 4);
  data.writeBigUInt64LE(supply, 36);
  data.writeUInt8(decimals, 44);
  data.writeUInt8(1, 45);
  return data;
};

/** SPL Token's Account: mint, owner, amount, initialised; no delegate and no other who may close it. */
const tokenData = (mint: PublicKey, owner: PublicKey, units: bigint): Uint8Array => {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
  data.set(mint.toBytes(), 0);
  data.set(owner.toBytes(), 32);
  data.writeBigUInt64LE(units, 64);
  data.writeUInt8(1, 108);
  return data;
};

type Rent = (bytes: number) => bigint;

const holding = (owner: string, mintAddress: string, units: bigint, rent: Rent): KeptAccount => {
  const [holder, mint] = [new PublicKey(owner), new PublicKey(mintAddress)];
  const address = tokenAccountOf(holder, mint).toBase58();
  return account(address, rent(TOKEN_ACCOUNT_BYTES), tokenData(mint, holder, units));
};

const reserveOf = (vault: Vault): bigint => VAULT_RESERVE * 10n ** BigInt(vault.token.decimals);

/**
 * What the chain begins with: the faucet, the test tokens, each vault with what others put in, the shares' mints, and the
 * program that lends.
 */
export const genesisAccounts = async (rent: Rent): Promise<readonly KeptAccount[]> => {
  const faucet = makeFaucet();
  const vaults = makeVaults();
  const tokens = SOLANA_TOKENS.flatMap((token) => {
    const supply = vaults.filter((each) => each.token === token).reduce((sum, each) => sum + reserveOf(each), 0n);
    return [
      account(token.mint, rent(MINT_BYTES), mintData(faucet.bytes, supply, token.decimals)),
      holding(SANDBOX_SOLANA.fees, token.mint, 0n, rent),
    ];
  });
  const kept = vaults.flatMap((vault) => [
    ...(vault.shareMint === undefined
      ? []
      : [account(vault.shareMint, rent(MINT_BYTES), mintData(vault.authority.bytes, 0n, vault.shareDecimals))]),
    holding(vault.authority.address, vault.token.mint, reserveOf(vault), rent),
  ]);
  const money = [account(faucet.address, FAUCET_LAMPORTS, new Uint8Array(0)), ...tokens, ...kept];
  return [...money, await lenderAccount(rent)];
};
