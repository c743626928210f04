import { ComputeBudgetProgram, type PublicKey, type TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import { COMPUTE_UNITS } from '../assumptions.ts';
import type { SandboxKey } from './keys.ts';

const SIGNATURE_BYTES = 64;

/** A transaction as bytes, with the signatures that the sandbox gives; the others are zero. */
export type Built = { readonly bytes: Uint8Array; readonly size: number };

/** The parts of a transaction; the payer signs first, and need not be among `signers`. */
export type Plan = {
  readonly payer: PublicKey;
  readonly blockhash: string;
  readonly instructions: readonly TransactionInstruction[];
  readonly signers: readonly SandboxKey[];
  /** Price of a compute unit in millionths of a lamport. Another one makes another transaction. */
  readonly unitPrice: number;
  /** In the form before versions, which every client reads without being asked to. */
  readonly isLegacy?: true;
};

/** `undefined` when the message is so large that it cannot even be written. */
const messageOf = ({ payer, blockhash, instructions, unitPrice, isLegacy }: Plan) => {
  const budget = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: unitPrice }),
  ];
  const whole = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [...budget, ...instructions],
  });
  const message = isLegacy ? whole.compileToLegacyMessage() : whole.compileToV0Message();
  try {
    return { message, bytes: message.serialize() };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Builds a transaction, v0 unless it is to be legacy: compute budget first, then the instructions. `undefined` when it is far too large. */
export const buildTransaction = (plan: Plan): Built | undefined => {
  const written = messageOf(plan);
  if (!written) return undefined;
  const { message, bytes } = written;
  const count = message.header.numRequiredSignatures;
  const whole = new Uint8Array(1 + count * SIGNATURE_BYTES + bytes.length);
  whole[0] = count;
  for (const { bytes: signer, sign } of plan.signers) {
    const at = message.staticAccountKeys.findIndex((key) => Buffer.compare(key.toBytes(), signer) === 0);
    if (at >= 0 && at < count) whole.set(sign(bytes), 1 + at * SIGNATURE_BYTES);
  }
  whole.set(bytes, 1 + count * SIGNATURE_BYTES);
  return { bytes: whole, size: whole.length };
};
