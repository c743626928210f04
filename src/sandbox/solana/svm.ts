import bs58 from 'bs58';
import { addressOf } from './address.ts';
import { type Calls, callsOf, holdingsOf, type TransactionError, transactionError } from './effects.ts';
import { type Binding, isFailed, type LiteSvm, loadSolana, type SvmAccount, type SvmMetadata } from './package.ts';
import type { ParsedTransaction } from './parse.ts';
import type { StoredAccount } from './store.ts';

/** The runtime's result of a transaction. */
export type ExecutionResult = Calls & {
  readonly error: TransactionError | undefined;
  readonly logs: readonly string[];
  readonly units: bigint;
  /** Whether the transaction is part of the chain. A transaction that failed in its instructions is, and paid its fee. */
  readonly hasLanded: boolean;
};

/** The runtime's result of a simulation, and the accounts after it. */
export type SimulationResult = ExecutionResult & { readonly accounts: readonly StoredAccount[] };

/** The runtime: accounts in memory, and transactions executed on them. */
export type Svm = Readonly<ReturnType<typeof openSvm>>;

/** The rent epoch of accounts that are exempt from rent. */
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n;

const factsOf = (meta: SvmMetadata) => ({ logs: meta.logs(), units: meta.computeUnitsConsumed(), ...callsOf(meta) });

const setTime = (binding: Binding, svm: LiteSvm, slot: number, nowMs: number): void =>
  svm.setClock(new binding.Clock(BigInt(slot), 0n, 0n, 0n, BigInt(Math.floor(nowMs / 1000))));

/** Simulates a transaction. Then turns the verification of signatures on again, because executions need it. */
const simulateOn = (svm: LiteSvm, bytes: Uint8Array, verifySignatures: boolean) => {
  svm.setSigverify(verifySignatures);
  try {
    return svm.simulateVersionedTransaction(bytes);
  } finally {
    svm.setSigverify(true);
  }
};

/** Opens a new runtime without the sandbox's accounts. Throws `sandbox_unavailable` if litesvm cannot run. */
export const openSvm = () => {
  const binding = loadSolana();
  const svm = new binding.LiteSvm();
  // The sandbox checks blockhashes and repeated transactions itself: the runtime has no slots and forgets at a restart.
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  const toStored = (address: string, found: SvmAccount): StoredAccount => ({
    address,
    lamports: found.lamports().toString(),
    owner: addressOf(found.owner()),
    data: Buffer.from(found.data()),
    executable: Number(found.executable()),
  });
  /** Reads an account. Pass `key`, the address in bytes, to save its decoding. */
  const account = (address: string, key = bs58.decode(address)): StoredAccount | undefined => {
    const found = svm.getAccount(key);
    return found ? toStored(address, found) : undefined;
  };
  const lamportsOf = (key: Uint8Array | undefined) => (key ? svm.getBalance(key) : undefined);
  return {
    account,
    /** Creates or replaces an account. */
    put: ({ address, lamports, data, owner, executable }: StoredAccount) =>
      svm.setAccount(
        bs58.decode(address),
        new binding.Account(
          BigInt(lamports),
          new Uint8Array(data),
          bs58.decode(owner),
          executable === 1,
          RENT_EXEMPT_EPOCH,
        ),
      ),
    /** The accounts that a program owns. */
    ownedBy: (program: string): readonly StoredAccount[] =>
      svm.getProgramAccounts(bs58.decode(program)).flatMap(({ address }) => account(bs58.encode(address)) ?? []),
    /** The lamports that an account of a size must have to be exempt from rent. */
    rent: (bytes: number) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    holdings: (transaction: ParsedTransaction) => holdingsOf(svm, transaction),
    /** Executes a transaction at a slot and a time, in milliseconds since 1970. */
    run: ({ bytes, keyBytes: [payer] }: ParsedTransaction, slot: number, nowMs: number): ExecutionResult => {
      setTime(binding, svm, slot, nowMs);
      const before = lamportsOf(payer);
      const result = svm.sendVersionedTransaction(bytes);
      if (!isFailed(result)) return { error: undefined, ...factsOf(result), hasLanded: true };
      const hasLanded = lamportsOf(payer) !== before;
      return { error: transactionError(result.err()), ...factsOf(result.meta()), hasLanded };
    },
    simulate: (
      { bytes }: ParsedTransaction,
      slot: number,
      nowMs: number,
      verifySignatures: boolean,
    ): SimulationResult => {
      setTime(binding, svm, slot, nowMs);
      const result = simulateOn(svm, bytes, verifySignatures);
      const accounts = isFailed(result)
        ? []
        : result.postAccounts().map((each) => toStored(bs58.encode(each.address), each.account()));
      const error = isFailed(result) ? transactionError(result.err()) : undefined;
      return { error, ...factsOf(result.meta()), hasLanded: false, accounts };
    },
  };
};
