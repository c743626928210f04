import { type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import {
  buildTransaction,
  mintToChecked,
  TOKEN_PROGRAM,
  tokenAccountOf,
  transferChecked,
} from '../../src/sandbox/solana/instructions.ts';
import {
  type Key,
  keyOf,
  OTHER,
  PROGRAM,
  type Provider,
  positionOf,
  RECEIPT,
  USDC,
  VAULTS,
  WALLET,
} from './solana-accounts.ts';

/** One direction of an operation: its instructions, and the signers besides the wallet. */
type Part = { readonly instructions: readonly TransactionInstruction[]; readonly signers: readonly Key[] };

/** The content of an operation, in smallest units. */
export type Plan = {
  readonly kind: 'deposit' | 'withdraw';
  readonly provider: Provider;
  readonly units: bigint;
  /** The owner of the position or the money, if a hostile service changes it. */
  readonly owner?: PublicKey;
  /** The vault that gets the deposited tokens, if a hostile service changes it. */
  readonly vault?: PublicKey;
};

const usdc = (units: bigint) => ({ ...USDC, units });

const programCall = (kind: number, units: bigint, signer: PublicKey, writable: readonly PublicKey[]) => {
  const data = Buffer.alloc(9);
  data.writeUInt8(kind, 0);
  data.writeBigUInt64LE(units, 1);
  const keys = [
    { pubkey: signer, isSigner: true, isWritable: true },
    ...writable.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
    { pubkey: TOKEN_PROGRAM, isSigner: false, isWritable: false },
  ];
  return new TransactionInstruction({ programId: PROGRAM, data, keys });
};

/** provider_a moves tokens by plain transfers, which can be decoded, changes the position itself and mints receipts. */
const partOfA = ({ kind, units, owner = WALLET, vault = VAULTS.provider_a.key }: Plan): Part => {
  const isDeposit = kind === 'deposit';
  const position = positionOf(isDeposit ? owner : WALLET, 'provider_a');
  return {
    instructions: [
      ...(isDeposit
        ? [
            transferChecked(WALLET, vault, usdc(units)),
            mintToChecked(VAULTS.provider_a.key, owner, { ...RECEIPT, units }),
          ]
        : [transferChecked(VAULTS.provider_a.key, owner, usdc(units))]),
      programCall(isDeposit ? 2 : 3, units, VAULTS.provider_a.key, [position]),
    ],
    signers: [VAULTS.provider_a],
  };
};

/** provider_b moves tokens through the program, with the signature of the wallet. */
const partOfB = ({ kind, units, owner = WALLET, vault = VAULTS.provider_b.key }: Plan): Part => {
  const isDeposit = kind === 'deposit';
  const position = positionOf(isDeposit ? owner : WALLET, 'provider_b');
  const own = tokenAccountOf(isDeposit ? WALLET : owner, USDC.mint);
  const writable = [position, own, tokenAccountOf(vault, USDC.mint)];
  return { instructions: [programCall(isDeposit ? 0 : 1, units, WALLET, writable)], signers: [] };
};

const partOf = (plan: Plan): Part => (plan.provider === 'provider_a' ? partOfA : partOfB)(plan);

/** A change of a transaction that a hostile service makes. */
export type Forgery = {
  readonly change?: (plan: Plan) => Plan;
  readonly more?: readonly TransactionInstruction[];
  readonly payer?: PublicKey;
  readonly blockhash?: string;
};

/** Builds one transaction in base64, unsigned by the wallet. Different unit prices make all bytes different. */
export const built = (plans: readonly Plan[], blockhash: string, unitPrice: number, forgery: Forgery = {}): string => {
  const { change = (plan) => plan, more = [], payer = WALLET } = forgery;
  const parts = plans.map((plan) => partOf(change(plan)));
  const bytes = buildTransaction({
    payer,
    blockhash: forgery.blockhash ?? blockhash,
    instructions: [...parts.flatMap(({ instructions }) => instructions), ...more],
    signers: parts.flatMap(({ signers }) => signers),
    unitPrice,
  });
  if (!bytes) throw new Error('the transaction is too large');
  return Buffer.from(bytes).toString('base64');
};

const approval = (): TransactionInstruction => {
  const data = Buffer.alloc(9, 0xff);
  data.writeUInt8(4, 0);
  const keys = [
    { pubkey: tokenAccountOf(WALLET, USDC.mint), isSigner: false, isWritable: true },
    { pubkey: OTHER.key, isSigner: false, isWritable: false },
    { pubkey: WALLET, isSigner: true, isWritable: false },
  ];
  return new TransactionInstruction({ programId: TOKEN_PROGRAM, data, keys });
};

/** Changes that a wallet must refuse, or that are harmless to the wallet. */
export const FORGERIES: readonly Forgery[] = [
  { change: (plan) => ({ ...plan, units: plan.units + 1_000_000n }) },
  { change: (plan) => ({ ...plan, units: plan.units / 2n }) },
  { change: (plan) => ({ ...plan, owner: OTHER.key }) },
  { change: (plan) => ({ ...plan, vault: OTHER.key }) },
  { change: (plan) => ({ ...plan, provider: plan.provider === 'provider_a' ? 'provider_b' : 'provider_a' }) },
  { change: (plan) => ({ ...plan, kind: plan.kind === 'deposit' ? 'withdraw' : 'deposit' }) },
  { more: [transferChecked(WALLET, OTHER.key, usdc(1_000_000n))] },
  { more: [SystemProgram.transfer({ fromPubkey: WALLET, toPubkey: OTHER.key, lamports: 1_000_000n })] },
  { more: [approval()] },
  { payer: OTHER.key },
  { blockhash: keyOf('no blockhash').address },
];
