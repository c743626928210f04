import { createHash } from 'node:crypto';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { MAX_TRANSACTION_BYTES, SANDBOX_SOLANA } from '../../contract/chains.ts';
import { divideDecimals, fromUnits, multiplyDecimals, toUnits } from '../../core/decimal.ts';
import { exactNumber } from '../../core/json.ts';
import { PLATFORM_FEE_PERCENT, WHITELABEL_FEE_PERCENT } from '../assumptions.ts';
import { type ValidationResult, wrongField } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import type { SandboxKey } from '../solana/address.ts';
import {
  buildTransaction,
  burnChecked,
  createTokenAccount,
  lend,
  memo,
  mintToChecked,
  transferChecked,
} from '../solana/instructions.ts';
import type { Solana } from '../solana/solana.ts';
import type { SolanaToken, Vault } from '../solana/tokens.ts';
import { tokensOf } from '../solana/tokens.ts';
import { type Holding, holdingOf, type OperationFields, type Position, validateOperation } from './position.ts';
import { MARKETS, sharePrice, sharesFor } from './rates.ts';

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
  return built && built.length <= MAX_TRANSACTION_BYTES ? Buffer.from(built).toString('base64') : undefined;
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

/** A part of an amount, cut to a unit of the token. */
const percentOf = (units: bigint, percent: string, { decimals }: SolanaToken): bigint => {
  const part = multiplyDecimals(fromUnits(units, decimals), percent);
  return toUnits(divideDecimals(part, '100', decimals), decimals);
};

const amount = (units: bigint, { decimals }: SolanaToken) => exactNumber(fromUnits(units, decimals));

/** An unsigned deposit. The fees are part of the amount: the wallet pays exactly that. Document: POST /yield/deposit. */
export const buildDeposit = async (services: Services, fields: OperationFields & { readonly amount: string }) => {
  const validated = await validateOperation(services, fields);
  if (!validated.ok) return validated;
  const { solana, vault, owner, units } = validated.value;
  const platform = percentOf(units, PLATFORM_FEE_PERCENT, vault.token);
  const whitelabel = percentOf(units, WHITELABEL_FEE_PERCENT, vault.token);
  const put = units - platform - whitelabel;
  const shares = sharesFor(vault, put, sharePrice(vault, services.clock.now()));
  const leg = depositLeg({ vault, owner, units: put, shares }, platform + whitelabel);
  const transaction = buildOperation(solana, owner, [leg], [vault]);
  if (transaction === undefined) throw new Error('a deposit does not fit a transaction');
  const value = {
    transaction,
    charged_platform_fee_amount: amount(platform, vault.token),
    charged_whitelabel_fee_amount: amount(whitelabel, vault.token),
    platform_fee_percentage_applied: exactNumber(PLATFORM_FEE_PERCENT),
    used_yield_platform_custom_fee: false,
  };
  return { ok: true, value } satisfies ValidationResult<typeof value>;
};

const tooMuch = ({ vault: { token, provider } }: Position, { units }: Holding): ValidationResult<never> => {
  const most = `${fromUnits(units, token.decimals)} ${token.symbol}`;
  return wrongField('amount', `is more than the ${most} that this wallet has with ${provider}`);
};

/** The leg that takes an amount out; wrong when the wallet has not so much there. */
export const validateWithdrawal = async (
  services: Services,
  position: Position,
  units: bigint,
): Promise<ValidationResult<Leg>> => {
  const { solana, vault, owner } = position;
  const holding = holdingOf(solana, vault, owner, services.clock.now());
  const shares = sharesToBurn(vault, holding, units);
  if (shares === undefined) return tooMuch(position, holding);
  await fillVault(solana, vault, units);
  return { ok: true, value: withdrawLeg({ vault, owner, units, shares }) };
};

/** An unsigned withdrawal. Document: POST /yield/withdraw. */
export const buildWithdrawal = async (
  services: Services,
  fields: OperationFields & { readonly amount: string },
): Promise<ValidationResult<{ readonly transaction: string }>> => {
  const validated = await validateOperation(services, fields);
  if (!validated.ok) return validated;
  const { solana, vault, owner, units } = validated.value;
  const leg = await validateWithdrawal(services, validated.value, units);
  if (!leg.ok) return leg;
  const transaction = buildOperation(solana, owner, [leg.value], [vault]);
  if (transaction === undefined) throw new Error('a withdrawal does not fit a transaction');
  return { ok: true, value: { transaction } };
};
