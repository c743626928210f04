import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { Failure } from '../../core/failure.ts';
import type { SolanaChain } from './chain.ts';
import { makeFaucet } from './genesis.ts';
import { createTokenAccount, mintToChecked } from './instructions.ts';
import { buildTransaction } from './message.ts';
import { parseTransaction } from './parse.ts';
import type { SolanaToken } from './tokens.ts';

/** The largest amount that an account can hold. */
const MAX = 2n ** 64n - 1n;

/** Something to give: the native coin in lamports, or a token. */
export type Gift = { readonly token: SolanaToken | undefined; readonly units: bigint };

const instructionsFor = (faucet: PublicKey, to: PublicKey, { token, units }: Gift): TransactionInstruction[] => {
  if (!token) return [SystemProgram.transfer({ fromPubkey: faucet, toPubkey: to, lamports: units })];
  const mint = new PublicKey(token.mint);
  const { decimals } = token;
  return [createTokenAccount(faucet, to, mint), mintToChecked(faucet, to, { mint, units, decimals })];
};

/**
 * Gives coin or tokens out of nothing, all or none; kept when it resolves, with the transaction's signature. `unitPrice` makes each gift a transaction of its own.
 * Throws `invalid_input` for amounts that the chain cannot count.
 */
export const giveOnSolana = async (
  chain: SolanaChain,
  address: string,
  gifts: readonly Gift[],
  unitPrice: number,
): Promise<string> => {
  const faucet = makeFaucet();
  const [payer, to] = [new PublicKey(faucet.bytes), new PublicKey(address)];
  if (gifts.some(({ units }) => units > MAX)) throw new Failure('invalid_input', 'so much cannot be given');
  const built = buildTransaction({
    isLegacy: true,
    payer,
    blockhash: chain.slots.blockhashOf(chain.slots.now()),
    instructions: gifts.flatMap((gift) => instructionsFor(payer, to, gift)),
    signers: [faucet],
    unitPrice,
  });
  const parsed = parseTransaction(built?.bytes ?? new Uint8Array(0));
  if (!parsed.ok) throw new Failure('internal', `the sandbox could not fund ${address}: ${parsed.message}`);
  const sent = await chain.send(parsed.transaction);
  if (sent.error === undefined) return parsed.transaction.signature;
  throw new Failure('invalid_input', `so much cannot be given, or not to ${address}: ${JSON.stringify(sent.error)}`);
};
