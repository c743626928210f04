import { ComputeBudgetProgram, SystemProgram, VersionedMessage } from '@solana/web3.js';
import * as z from 'zod';
import { exactNumber } from '../../../core/json.ts';
import { BLOCKHASH_SLOTS, FIRST_SLOT } from '../../assumptions.ts';
import { invalidParams, result } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import { atSlot, type Method } from './method.ts';

/** As many slots as an epoch of Solana's main network has. */
const SLOTS_IN_EPOCH = 432_000;

const epochInfo: Method = ({ slots, count }) => {
  const slot = slots.now();
  return result({
    absoluteSlot: slot,
    blockHeight: slot,
    epoch: Math.floor(slot / SLOTS_IN_EPOCH),
    slotIndex: slot % SLOTS_IN_EPOCH,
    slotsInEpoch: SLOTS_IN_EPOCH,
    transactionCount: count(),
  });
};

/** Lamports for a signature. */
const SIGNATURE_FEE = 5_000n;
/** Compute units that a transaction pays for where it sets no limit: for an instruction of the runtime, and of others. */
const RUNTIME_UNITS = 3_000n;
const PROGRAM_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;
const MICRO = 1_000_000n;

const BUDGET = ComputeBudgetProgram.programId.toBase58();
const RUNTIME: readonly string[] = [BUDGET, SystemProgram.programId.toBase58()];
const SET_LIMIT = 2;
const SET_PRICE = 3;

type Budget = { readonly limit?: bigint; readonly price?: bigint };

const budgetIn = (data: Buffer): Budget => {
  if (data[0] === SET_LIMIT && data.length === 5) return { limit: BigInt(data.readUInt32LE(1)) };
  return data[0] === SET_PRICE && data.length === 9 ? { price: data.readBigUInt64LE(1) } : {};
};

/** What a message costs in lamports: its signatures, and what it offers for its compute units, rounded up. */
const feeOf = (message: VersionedMessage): bigint => {
  const calls = message.compiledInstructions.map(({ programIdIndex, data }) => {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58() ?? '';
    return { program, data: Buffer.from(data) };
  });
  const budgets = calls.filter(({ program }) => program === BUDGET).map(({ data }) => budgetIn(data));
  const { limit, price = 0n }: Budget = Object.assign({}, ...budgets);
  const usual = calls.map(({ program }) => (RUNTIME.includes(program) ? RUNTIME_UNITS : PROGRAM_UNITS));
  const asked = limit ?? usual.reduce((sum, units) => sum + units, 0n);
  const units = asked < MAX_UNITS ? asked : MAX_UNITS;
  return BigInt(message.header.numRequiredSignatures) * SIGNATURE_FEE + (units * price + MICRO - 1n) / MICRO;
};

const readMessage = (text: unknown): VersionedMessage | undefined => {
  try {
    return typeof text === 'string' ? VersionedMessage.deserialize(Buffer.from(text, 'base64')) : undefined;
  } catch {
    return undefined;
  }
};

const feeForMessage: Method = (chain, [text]) => {
  const message = readMessage(text);
  if (!message) return invalidParams('the first is no message in base64');
  const isRecent = chain.slots.recentSlotOf(message.recentBlockhash) !== undefined;
  return atSlot(chain, isRecent ? exactNumber(feeOf(message).toString()) : null);
};

/** Nobody has to outbid anybody: no slot has less room than it needs. */
const prioritizationFees: Method = ({ slots }, [given]) => {
  const addresses = z.array(z.string().refine(isSolanaAddress)).max(128).nullish().safeParse(given);
  if (!addresses.success) return invalidParams('the first is no list of at most 128 addresses');
  const last = slots.now();
  const first = Math.max(FIRST_SLOT, last - BLOCKHASH_SLOTS + 1);
  return result(Array.from({ length: last - first + 1 }, (_, at) => ({ slot: first + at, prioritizationFee: 0 })));
};

const epochSchedule = {
  slotsPerEpoch: SLOTS_IN_EPOCH,
  leaderScheduleSlotOffset: SLOTS_IN_EPOCH,
  warmup: false,
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
};

/** What clients ask about the chain as a whole, and about fees. */
export const CLUSTER: Readonly<Record<string, Method>> = {
  getEpochInfo: epochInfo,
  getEpochSchedule: () => result(epochSchedule),
  getTransactionCount: ({ count }) => result(count()),
  getFeeForMessage: feeForMessage,
  getRecentPrioritizationFees: prioritizationFees,
};
