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

/** One part of a transaction: its instructions, and the vault that must sign them. */
export type Leg = { readonly vault: Vault; readonly instructions: readonly TransactionInstruction[] };

/** A deposit or withdrawal, in the smallest units. `owner` is the wallet. `credited` gets the position if it differs. */
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

const feeInstructions = (vault: Vault, owner: PublicKey, fee: bigint): TransactionInstruction[] =>
  fee === 0n ? [] : [transferChecked(owner, new PublicKey(SANDBOX_SOLANA.fees), tokenCoins(vault, fee))];

/** The instruction of the lending program, which moves the tokens and changes the shares itself. */
const lendingInstruction = (kind: 'deposit' | 'withdraw', move: Move): TransactionInstruction => {
  const { vault, owner: wallet, credited: owner = wallet, units, shares } = move;
  const { mint, decimals } = tokenCoins(vault, units);
  return lend({ kind, wallet, owner, provider: authorityOf(vault), mint, decimals, units, shares });
};

/** Instructions that move tokens from the owner to the vault, and give shares to the owner. */
const depositInstructions = (move: Move): TransactionInstruction[] => {
  const { vault, owner, credited = owner, units, shares } = move;
  const { shareMint, shareDecimals } = vault;
  if (shareMint === undefined) return [lendingInstruction('deposit', move)];
  const share = coins(shareMint, shares, shareDecimals);
  return [
    createTokenAccount(owner, credited, share.mint),
    transferChecked(owner, authorityOf(vault), tokenCoins(vault, units)),
    mintToChecked(authorityOf(vault), credited, share),
  ];
};

/** Instructions that burn the owner's shares, and move tokens from the vault to the owner. */
const withdrawInstructions = (move: Move): TransactionInstruction[] => {
  const { vault, owner, units, shares } = move;
  const { shareMint, shareDecimals } = vault;
  if (shareMint === undefined) return [lendingInstruction('withdraw', move)];
  return [
    burnChecked(owner, coins(shareMint, shares, shareDecimals)),
    transferChecked(authorityOf(vault), owner, tokenCoins(vault, units)),
  ];
};

/** The deposit of a wallet, with its fee in the smallest units. */
export const depositLeg = (move: Move, fee: bigint): Leg => ({
  vault: move.vault,
  instructions: [...depositInstructions(move), ...feeInstructions(move.vault, move.owner, fee)],
});

/** The withdrawal of a wallet. */
export const withdrawLeg = (move: Move): Leg => ({
  vault: move.vault,
  instructions: [
    createTokenAccount(move.owner, move.owner, new PublicKey(move.vault.token.mint)),
    ...withdrawInstructions(move),
  ],
});

/** The price reports of markets, as memos of a fixed length. Some markets need one in each transaction. */
const priceReports = (vaults: readonly Vault[], slot: number): readonly TransactionInstruction[] =>
  vaults.flatMap(({ provider, token }) => {
    const { reportBytes, usd } = MARKETS[token.symbol] ?? { reportBytes: 0, usd: '0' };
    if (reportBytes === 0) return [];
    const report = `price report of ${provider}: ${token.symbol} ${usd} USD, slot ${slot}, `;
    const proof = createHash('shake256', { outputLength: reportBytes }).update(report).digest('hex');
    return [memo((report + proof).slice(0, reportBytes))];
  });

/**
 * Builds a transaction of these legs, in base64: signed by the vaults, but not yet by the wallet. It has the price reports of
 * `markets`. `undefined` if it does not fit a packet.
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

/** The shares to burn for an amount; `undefined` if the wallet has fewer. */
export const sharesToBurn = (vault: Vault, holding: Holding, units: bigint): bigint | undefined => {
  const shares = sharesFor(vault, units, holding.price);
  return shares <= holding.shares ? shares : undefined;
};

/** Adds the tokens that a vault lacks to pay out `units`. Usually, deposits of others pay the interest. */
export const fillVault = async (solana: Solana, { authority, token }: Vault, units: bigint): Promise<void> => {
  const balance = tokensOf(solana.chain, authority.address, token.mint);
  if (balance < units) await solana.give(authority.address, [{ token, units: units - balance }]);
};

/** A percentage of an amount, rounded down to a unit of the token. */
const percentOf = (units: bigint, percent: string, { decimals }: SolanaToken): bigint => {
  const part = multiplyDecimals(fromUnits(units, decimals), percent);
  return toUnits(divideDecimals(part, '100', decimals), decimals);
};

const amount = (units: bigint, { decimals }: SolanaToken) => exactNumber(fromUnits(units, decimals));

/** Builds an unsigned deposit. The amount includes the fees: the wallet pays exactly `amount`. Document: POST /yield/deposit. */
export const buildDeposit = async (services: Services, fields: OperationFields & { readonly amount: string }) => {
  const validated = await validateOperation(services, fields);
  if (!validated.ok) return validated;
  const { solana, vault, owner, units } = validated.value;
  const platform = percentOf(units, PLATFORM_FEE_PERCENT, vault.token);
  const whitelabel = percentOf(units, WHITELABEL_FEE_PERCENT, vault.token);
  const deposited = units - platform - whitelabel;
  const shares = sharesFor(vault, deposited, sharePrice(vault, services.clock.now()));
  const leg = depositLeg({ vault, owner, units: deposited, shares }, platform + whitelabel);
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

const positionExceeded = ({ vault: { token, provider } }: Position, { units }: Holding): ValidationResult<never> => {
  const maximum = `${fromUnits(units, token.decimals)} ${token.symbol}`;
  return wrongField('amount', `is more than the ${maximum} that this wallet has with ${provider}`);
};

/** The leg that withdraws an amount. The result is an error if the position is smaller. */
export const validateWithdrawal = async (
  services: Services,
  position: Position,
  units: bigint,
): Promise<ValidationResult<Leg>> => {
  const { solana, vault, owner } = position;
  const holding = holdingOf(solana, vault, owner, services.clock.now());
  const shares = sharesToBurn(vault, holding, units);
  if (shares === undefined) return positionExceeded(position, holding);
  await fillVault(solana, vault, units);
  return { ok: true, value: withdrawLeg({ vault, owner, units, shares }) };
};

/** Builds an unsigned withdrawal. Document: POST /yield/withdraw. */
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
