import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { SOLANA_MINTS } from '../../src/contract/chains.ts';
import { ed25519Pair } from '../../src/core/ed25519.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, tokenAccountOf } from '../../src/sandbox/solana/instructions.ts';
import { SOLANA_ADDRESS } from './home.ts';

/** An account of the chain. It is immutable. */
export type Account = { readonly lamports: bigint; readonly owner: string; readonly data: Buffer };

/** All accounts by their address. */
export type Accounts = ReadonlyMap<string, Account>;

/** A key pair of the simulation, derived from its name. */
export const keyOf = (name: string) => {
  const seed = createHash('sha256').update(`the simulation: ${name}`).digest();
  const { publicKey, sign } = ed25519Pair(seed);
  const key = new PublicKey(publicKey);
  return { key, bytes: publicKey, address: key.toBase58(), sign };
};

export type Key = ReturnType<typeof keyOf>;

export const WALLET = new PublicKey(SOLANA_ADDRESS);

export const USDC = { mint: new PublicKey(SOLANA_MINTS.USDC.mint), decimals: SOLANA_MINTS.USDC.decimals };

/** The receipt token that provider_a mints for a deposit, beside the position. */
export const RECEIPT = { mint: keyOf('receipts of provider_a').key, decimals: 6 };

/** The program that stores the position of each wallet with each provider. */
export const PROGRAM = keyOf('the lending program').key;

export type Provider = 'provider_a' | 'provider_b';

/** The vaults that hold the deposits of the providers. */
export const VAULTS: Readonly<Record<Provider, Key>> = {
  provider_a: keyOf('the vault of provider_a'),
  provider_b: keyOf('the vault of provider_b'),
};

/** Another account, to which a hostile service sends money. */
export const OTHER = keyOf('somebody else');

/** A wallet's position with a provider. */
export const positionOf = (owner: PublicKey, provider: Provider): PublicKey =>
  keyOf(`the position of ${owner.toBase58()} with ${provider}`).key;

export const WALLET_TOKENS = tokenAccountOf(WALLET, USDC.mint).toBase58();
export const POSITIONS: Readonly<Record<Provider, string>> = {
  provider_a: positionOf(WALLET, 'provider_a').toBase58(),
  provider_b: positionOf(WALLET, 'provider_b').toBase58(),
};
export const VAULT_TOKENS: Readonly<Record<Provider, string>> = {
  provider_a: tokenAccountOf(VAULTS.provider_a.key, USDC.mint).toBase58(),
  provider_b: tokenAccountOf(VAULTS.provider_b.key, USDC.mint).toBase58(),
};

/** The first position of the wallet with each provider. */
export const FIRST_POSITION = 10n ** 9n;

const MINT_BYTES = 82;
const DECIMALS_AT = 44;
const TOKEN_BYTES = 165;
const OWNER_AT = 32;
const UNITS_AT = 64;
const DELEGATE_AT = 72;
const STATE_AT = 108;
const POSITION_BYTES = 48;
const POSITION_UNITS_AT = 40;

/** SPL Token, Account: the units of a mint that belong to an owner. */
const tokens = (mint: PublicKey, owner: PublicKey, units: bigint): Account => {
  const data = Buffer.alloc(TOKEN_BYTES);
  data.set(mint.toBytes());
  data.set(owner.toBytes(), OWNER_AT);
  data.writeBigUInt64LE(units, UNITS_AT);
  data.writeUInt8(1, STATE_AT);
  return { lamports: 2_039_280n, owner: TOKEN_PROGRAM.toBase58(), data };
};

const mint = (decimals: number): Account => {
  const data = Buffer.alloc(MINT_BYTES);
  data.set([decimals, 1], DECIMALS_AT);
  return { lamports: 1_461_600n, owner: TOKEN_PROGRAM.toBase58(), data };
};

/** A position: its kind in eight bytes, its owner, its units. */
const position = (owner: PublicKey, units: bigint): Account => {
  const data = Buffer.concat([Buffer.from('position'), owner.toBytes(), Buffer.alloc(8)], POSITION_BYTES);
  data.writeBigUInt64LE(units, POSITION_UNITS_AT);
  return { lamports: 1_224_960n, owner: PROGRAM.toBase58(), data };
};

export const unitsIn = ({ data }: Account): bigint => data.readBigUInt64LE(UNITS_AT);
export const positionIn = ({ data }: Account): bigint => data.readBigUInt64LE(POSITION_UNITS_AT);

/** Who may move the tokens of an account: its owner, and a delegate. */
export const rightsIn = ({ data }: Account): string =>
  data.subarray(OWNER_AT, UNITS_AT).toString('hex') + data.subarray(DELEGATE_AT, STATE_AT).toString('hex');

export const tokenOwnerIn = ({ data }: Account): string => new PublicKey(data.subarray(OWNER_AT, UNITS_AT)).toBase58();

const withUnitsAt = (account: Account, at: number, units: bigint): Account => {
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(units, at);
  return { ...account, data };
};

export const withUnits = (account: Account, units: bigint): Account => withUnitsAt(account, UNITS_AT, units);
export const withPosition = (account: Account, units: bigint): Account =>
  withUnitsAt(account, POSITION_UNITS_AT, units);

/** A token account whose tokens a delegate may take. */
export const withDelegate = (account: Account, delegate: PublicKey): Account => {
  const data = Buffer.from(account.data);
  data.writeUInt32LE(1, DELEGATE_AT);
  data.set(delegate.toBytes(), DELEGATE_AT + 4);
  return { ...account, data };
};

const coin = (lamports: bigint): Account => ({ lamports, owner: SYSTEM_PROGRAM, data: Buffer.alloc(0) });

const heldBy = (owner: PublicKey, units: bigint): readonly (readonly [string, Account])[] => [
  [tokenAccountOf(owner, USDC.mint).toBase58(), tokens(USDC.mint, owner, units)],
];

/** More than the sum of all operations in a life. */
const FUNDS = 10n ** 10n;

/** The accounts at the start. */
export const FIRST_ACCOUNTS: Accounts = new Map<string, Account>([
  [SOLANA_ADDRESS, coin(10n ** 10n)],
  [OTHER.address, coin(10n ** 9n)],
  [USDC.mint.toBase58(), mint(USDC.decimals)],
  [RECEIPT.mint.toBase58(), mint(RECEIPT.decimals)],
  [tokenAccountOf(WALLET, RECEIPT.mint).toBase58(), tokens(RECEIPT.mint, WALLET, 0n)],
  ...heldBy(WALLET, FUNDS),
  ...heldBy(OTHER.key, 0n),
  ...heldBy(VAULTS.provider_a.key, FUNDS),
  ...heldBy(VAULTS.provider_b.key, FUNDS),
  ...Object.values(POSITIONS).map((address): [string, Account] => [address, position(WALLET, FIRST_POSITION)]),
  [positionOf(OTHER.key, 'provider_a').toBase58(), position(OTHER.key, 0n)],
  [positionOf(OTHER.key, 'provider_b').toBase58(), position(OTHER.key, 0n)],
]);
