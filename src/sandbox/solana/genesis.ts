import { PublicKey } from '@solana/web3.js';
import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { VAULT_RESERVE } from '../assumptions.ts';
import { keyNamed, type SandboxKey } from './address.ts';
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from './effects.ts';
import { lenderAccount, SYSTEM_PROGRAM, TOKEN_PROGRAM, tokenAccountOf } from './instructions.ts';
import type { StoredAccount } from './store.ts';
import { makeVaults, SOLANA_TOKENS, type Vault } from './tokens.ts';

/** The key that gives test money: it mints tokens and pays its own fees. */
export const makeFaucet = (): SandboxKey => keyNamed('faucet');

const FAUCET_LAMPORTS = 5n * 10n ** 18n;

const account = (address: string, lamports: bigint, data: Uint8Array): StoredAccount => ({
  address,
  lamports: lamports.toString(),
  owner: data.length === 0 ? SYSTEM_PROGRAM : TOKEN_PROGRAM.toBase58(),
  data,
  executable: 0,
});

/** The data of a mint (SPL Token): authority, supply and decimals, without a freeze authority. */
const mintData = (authority: Uint8Array, supply: bigint, decimals: number): Uint8Array => {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(authority, 4);
  data.writeBigUInt64LE(supply, 36);
  data.writeUInt8(decimals, 44);
  data.writeUInt8(1, 45);
  return data;
};

/** The data of a token account (SPL Token): mint, owner and amount, without a delegate and a close authority. */
const tokenData = (mint: PublicKey, owner: PublicKey, units: bigint): Uint8Array => {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
  data.set(mint.toBytes(), 0);
  data.set(owner.toBytes(), 32);
  data.writeBigUInt64LE(units, 64);
  data.writeUInt8(1, 108);
  return data;
};

/** Returns the lamports that an account of a size must have to be exempt from rent. */
type Rent = (bytes: number) => bigint;

const tokenAccount = (owner: string, mintAddress: string, units: bigint, rent: Rent): StoredAccount => {
  const [holder, mint] = [new PublicKey(owner), new PublicKey(mintAddress)];
  const address = tokenAccountOf(holder, mint).toBase58();
  return account(address, rent(TOKEN_ACCOUNT_BYTES), tokenData(mint, holder, units));
};

const reserveOf = (vault: Vault): bigint => VAULT_RESERVE * 10n ** BigInt(vault.token.decimals);

/** The accounts of a new chain: faucet, mints of tokens and shares, vaults with deposits of others, and the lending program. */
export const genesisAccounts = async (rent: Rent): Promise<readonly StoredAccount[]> => {
  const faucet = makeFaucet();
  const vaults = makeVaults();
  const tokens = SOLANA_TOKENS.flatMap((token) => {
    const supply = vaults.filter((each) => each.token === token).reduce((sum, each) => sum + reserveOf(each), 0n);
    return [
      account(token.mint, rent(MINT_BYTES), mintData(faucet.bytes, supply, token.decimals)),
      tokenAccount(SANDBOX_SOLANA.fees, token.mint, 0n, rent),
    ];
  });
  const vaultAccounts = vaults.flatMap((vault) => [
    ...(vault.shareMint === undefined
      ? []
      : [account(vault.shareMint, rent(MINT_BYTES), mintData(vault.authority.bytes, 0n, vault.shareDecimals))]),
    tokenAccount(vault.authority.address, vault.token.mint, reserveOf(vault), rent),
  ]);
  const holders = [account(faucet.address, FAUCET_LAMPORTS, new Uint8Array(0)), ...tokens, ...vaultAccounts];
  return [...holders, await lenderAccount(rent)];
};
