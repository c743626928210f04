import {
  ComputeBudgetProgram,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { burnChecked, transferChecked } from '../../src/sandbox/solana/instructions.ts';
import { makeVaults, type Provider, type Vault } from '../../src/sandbox/solana/tokens.ts';
import { depositLeg, type Leg, withdrawLeg } from '../../src/sandbox/yield/operation.ts';

/** The data with which a hostile service builds a transaction: the owner of the money and a valid blockhash. */
export type Scene = { readonly owner: PublicKey; readonly blockhash: string };

/** Reads the scene from a transaction that the honest sandbox built. */
export const sceneOf = (transaction: string): Scene => {
  const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  const [owner = PublicKey.default] = message.staticAccountKeys;
  return { owner, blockhash: message.recentBlockhash };
};

/** The vault of a provider for a token. */
export const vaultOf = (provider: Provider, symbol = 'USDC'): Vault => {
  const found = makeVaults().find((vault) => vault.provider === provider && vault.token.symbol === symbol);
  if (!found) throw new Error(`no vault of ${provider} for ${symbol}`);
  return found;
};

/** A plausible number of shares: a share is worth slightly more than one token. */
const sharesFor = (units: bigint): bigint => units * 900n;

type Amounts = { readonly units: bigint; readonly shares?: bigint; readonly fee?: bigint };

export const depositOf = (
  { owner }: Scene,
  vault: Vault,
  { units, shares = sharesFor(units), fee = 0n }: Amounts,
): Leg => depositLeg({ vault, owner, units, shares }, fee);

export const withdrawalOf = ({ owner }: Scene, vault: Vault, { units, shares = sharesFor(units) }: Amounts): Leg =>
  withdrawLeg({ vault, owner, units, shares });

export const payment = ({ owner }: Scene, to: PublicKey, vault: Vault, units: bigint): TransactionInstruction =>
  transferChecked(owner, to, { mint: new PublicKey(vault.token.mint), units, decimals: vault.token.decimals });

export const burning = ({ owner }: Scene, vault: Vault, units: bigint): TransactionInstruction =>
  burnChecked(owner, { mint: new PublicKey(vault.token.mint), units, decimals: vault.token.decimals });

type More = {
  readonly instructions?: readonly TransactionInstruction[];
  readonly payer?: PublicKey;
  readonly version?: 'legacy' | 0;
  readonly unitPrice?: number;
};

const SIGNATURE_BYTES = 64;

/** Builds a transaction as a hostile service does. The vaults sign it, because the service has their keys. */
export const built = (scene: Scene, legs: readonly Leg[], more: More = {}): string => {
  const plan = new TransactionMessage({
    payerKey: more.payer ?? scene.owner,
    recentBlockhash: scene.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: more.unitPrice ?? 1 }),
      ...legs.flatMap(({ instructions }) => instructions),
      ...(more.instructions ?? []),
    ],
  });
  const message = more.version === 'legacy' ? plan.compileToLegacyMessage() : plan.compileToV0Message();
  const bytes = message.serialize();
  const count = message.header.numRequiredSignatures;
  const whole = new Uint8Array(1 + count * SIGNATURE_BYTES + bytes.length);
  whole[0] = count;
  whole.set(bytes, 1 + count * SIGNATURE_BYTES);
  for (const { authority } of new Set(legs.map(({ vault }) => vault))) {
    const at = message.staticAccountKeys.findIndex((key) => key.toBase58() === authority.address);
    whole.set(authority.sign(bytes), 1 + at * SIGNATURE_BYTES);
  }
  return Buffer.from(whole).toString('base64');
};
