import type { PublicKey } from '@solana/web3.js';
import { MAX_TRANSACTION_BYTES } from '../../contract/solana.ts';
import type { Services } from '../services.ts';
import { buildTransaction } from '../solana/message.ts';
import type { Solana } from '../solana/solana.ts';
import type { Vault } from '../solana/tokens.ts';
import { both, type Judged, judgeAmount, judgeChain, judgeProvider, judgeToken, judgeWallet } from './judge.ts';
import { type Leg, priceReports } from './legs.ts';

/** The fields that deposit and withdraw take alike. */
export type OperationFields = {
  readonly provider: string;
  readonly chain_name: string;
  readonly asset: string;
  readonly wallet: string;
};

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
