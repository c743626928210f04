import { createHash } from 'node:crypto';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { MAX_TRANSACTION_BYTES, SANDBOX_SOLANA } from '../../contract/chains.ts';
import type { Judged } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import type { SandboxKey } from '../solana/address.ts';
import { tokensOf } from '../solana/balances.ts';
import {
  buildTransaction,
  burnChecked,
  createTokenAccount,
  lend,
  lentPositionOf,
  memo,
  mintToChecked,
  sharesIn,
  transferChecked,
} from '../solana/instructions.ts';
import type { Solana } from '../solana/solana.ts';
import type { Vault } from '../solana/tokens.ts';
import { both, judgeAmount, judgeChain, judgeProvider, judgeToken, judgeWallet } from './judge.ts';
import { MARKETS, sharePrice, sharesFor, unitsOf } from './rates.ts';

/** One part of a transaction: its instructions, and the vault that must agree to it by its signature. */
export type Leg = { readonly vault: Vault; readonly instructions: readonly TransactionInstruction[] };

/** Amounts in smallest units. `owner` is the wallet; `credited` has the position, where that is somebody else. */
type Move = {
  readonly vault: Vault;
  readonly owner: PublicKey;
  readonly credited?: PublicKey;
  readonly units: bigint;
  readonly shares: bigint;
};

const coins = (mint: string, units: bigint, decimals: number) => ({ mint: new PublicKey(mint), units, decimals });

const tokenCoins = ({ token }: Vault, units: bigint) => coins(token.mint, units, token.decimals);

const authorityOf = ({ authority }: { readonly authority: SandboxKey }): PublicKey => new PublicKey(authority.bytes);

const feeTo = (vault: Vault, owner: PublicKey, fee: bigint): TransactionInstruction[] =>
  fee === 0n ? [] : [transferChecked(owner, new PublicKey(SANDBOX_SOLANA.fees), tokenCoins(vault, fee))];

/** A program that keeps positions moves the tokens and counts the shares itself. */
const lentBy = (kind: 'deposit' | 'withdraw', move: Move): TransactionInstruction => {
  const { vault, owner: wallet, credited: owner = wallet, units, shares } = move;
  const { mint, decimals } = tokenCoins(vault, units);
  return lend({ kind, wallet, owner, provider: authorityOf(vault), mint, decimals, units, shares });
};

/** Tokens from the owner to the vault, and shares for the owner. */
const putIn = (move: Move): TransactionInstruction[] => {
  const { vault, owner, credited = owner, units, shares } = move;
  const { shareMint, shareDecimals } = vault;
  if (shareMint === undefined) return [lentBy('deposit', move)];
  const share = coins(shareMint, shares, shareDecimals);
  return [
    createTokenAccount(owner, credited, share.mint),
    transferChecked(owner, authorityOf(vault), tokenCoins(vault, units)),
    mintToChecked(authorityOf(vault), credited, share),
  ];
};

/** The owner's shares are burnt, and the vault pays the owner. */
const takeOut = (move: Move): TransactionInstruction[] => {
  const { vault, owner, units, shares } = move;
  const { shareMint, shareDecimals } = vault;
  if (shareMint === undefined) return [lentBy('withdraw', move)];
  return [
    burnChecked(owner, coins(shareMint, shares, shareDecimals)),
    transferChecked(authorityOf(vault), owner, tokenCoins(vault, units)),
  ];
};

/** The deposit of a wallet, and its fee. */
export const depositLeg = (move: Move, fee: bigint): Leg => ({
  vault: move.vault,
  instructions: [...putIn(move), ...feeTo(move.vault, move.owner, fee)],
});

/** The withdrawal of a wallet. */
export const withdrawLeg = (move: Move): Leg => ({
  vault: move.vault,
  instructions: [createTokenAccount(move.owner, move.owner, new PublicKey(move.vault.token.mint)), ...takeOut(move)],
});

/** The price report of a market: text of a fixed length. Some markets need it in every transaction. */
const priceReports = (vaults: readonly Vault[], slot: number): readonly TransactionInstruction[] =>
  vaults.flatMap(({ provider, token }) => {
    const { reportBytes, usd } = MARKETS[token.symbol] ?? { reportBytes: 0, usd: '0' };
    if (reportBytes === 0) return [];
    const report = `price report of ${provider}: ${token.symbol} ${usd} USD, slot ${slot}, `;
    const proof = createHash('shake256', { outputLength: reportBytes }).update(report).digest('hex');
    return [memo((report + proof).slice(0, reportBytes))];
  });

/** The fields that deposit and withdraw take alike. */
export type OperationFields = Readonly<Record<'provider' | 'chain_name' | 'asset' | 'wallet', string>>;

/** A wallet and the vault that it deals with. */
export type Position = { readonly solana: Solana; readonly vault: Vault; readonly owner: PublicKey };

/** Reads which position a request is about; every wrong field is named. */
export const judgePosition = async (services: Services, fields: OperationFields): Promise<Judged<Position>> => {
  const where = both(await judgeChain(services, fields.chain_name), judgeProvider('provider', fields.provider));
  const what = both(judgeToken('asset', fields.asset), judgeWallet('wallet', fields.wallet));
  const judged = both(where, what);
  if (!judged.ok) return judged;
  const [[, provider], [token, owner]] = judged.value;
  const solana = await services.solana();
  return { ok: true, value: { solana, vault: solana.vaultOf(provider, token), owner } };
};

/** As `judgePosition`, with an amount in the smallest units of the token. */
export const judgeOperation = async (
  services: Services,
  fields: OperationFields & { readonly amount: string },
): Promise<Judged<Position & { readonly units: bigint }>> => {
  const judged = await judgePosition(services, fields);
  if (!judged.ok) return judged;
  const amount = judgeAmount(fields.amount, judged.value.vault.token);
  return amount.ok ? { ok: true, value: { ...judged.value, units: amount.value } } : amount;
};

/**
 * A transaction of these legs as base64: unsigned by its owner, signed by the vaults. `undefined` when it does not
 * fit a packet. `markets` are those whose price reports it carries, if they want any.
 */
export const buildOperation = (
  { chain, nextUnitPrice }: Solana,
  payer: PublicKey,
  legs: readonly Leg[],
  markets: readonly Vault[],
): string | undefined => {
  const slot = chain.slots.now();
  const built = buildTransaction({
    payer,
    blockhash: chain.slots.blockhashOf(slot),
    instructions: [...priceReports(markets, slot), ...legs.flatMap(({ instructions }) => instructions)],
    signers: [...new Set(legs.map(({ vault }) => vault.authority))],
    unitPrice: nextUnitPrice(),
  });
  if (!built || built.size > MAX_TRANSACTION_BYTES) return undefined;
  return Buffer.from(built.bytes).toString('base64');
};

/** A wallet's position with a provider, read from the chain; `units` is the value of the shares. In smallest units. */
export type Holding = Readonly<Record<'shares' | 'price' | 'units', bigint>>;

/** A wallet's shares: its tokens of their mint, or the count in the program's account of its position. */
const sharesOf = ({ chain }: Solana, { shareMint, token }: Vault, owner: PublicKey): bigint => {
  if (shareMint !== undefined) return tokensOf(chain, owner.toBase58(), shareMint);
  const [position] = lentPositionOf(owner, new PublicKey(token.mint));
  return sharesIn(chain.account(position.toBase58()));
};

/** A wallet's position in a vault at a time; an empty position is all zeros. */
export const holdingOf = (solana: Solana, vault: Vault, owner: PublicKey, nowMs: number): Holding => {
  const shares = sharesOf(solana, vault, owner);
  const price = sharePrice(vault, nowMs);
  return { shares, price, units: unitsOf(vault, shares, price) };
};

/** The shares that must be burnt for an amount; `undefined` when the wallet has not so many. */
export const sharesToBurn = (vault: Vault, holding: Holding, units: bigint): bigint | undefined => {
  const shares = sharesFor(vault, units, holding.price);
  return shares <= holding.shares ? shares : undefined;
};

/** Deposits of others pay the interest. Where they do not suffice, the sandbox adds tokens. */
export const fillVault = async (solana: Solana, { authority, token }: Vault, units: bigint): Promise<void> => {
  const there = tokensOf(solana.chain, authority.address, token.mint);
  if (there < units) await solana.give(authority.address, [{ token, units: units - there }]);
};
