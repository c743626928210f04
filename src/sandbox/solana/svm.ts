import bs58 from 'bs58';
import { addressOf } from './address.ts';
import { type Calls, callsOf, holdingsOf, type TransactionError, transactionError } from './effects.ts';
import { type Binding, isFailed, type LiteSvm, loadSolana, type SvmAccount, type SvmMetadata } from './package.ts';
import type { ParsedTransaction } from './parse.ts';
import type { KeptAccount } from './store.ts';

/** The runtime's result of a transaction. */
export type ExecutionResult = Calls & {
  readonly error: TransactionError | undefined;
  readonly logs: readonly string[];
  readonly units: bigint;
  /** Whether it is part of the chain: one that failed in its instructions is, and paid its fee. */
  readonly hasLanded: boolean;
};

/** The runtime's result of a simulation, and the accounts after it. */
export type SimulationResult = ExecutionResult & { readonly accounts: readonly KeptAccount[] };

/** The runtime: accounts in memory, and transactions executed on them. */
export type Svm = Readonly<ReturnType<typeof openSvm>>;

const NEVER_PAYS_RENT = 2n ** 64n - 1n;

const factsOf = (meta: SvmMetadata) => ({ logs: meta.logs(), units: meta.computeUnitsConsumed(), ...callsOf(meta) });

const setTime = (binding: Binding, svm: LiteSvm, slot: number, nowMs: number): void =>
  svm.setClock(new binding.Clock(BigInt(slot), 0n, 0n, 0n, BigInt(Math.floor(nowMs / 1000))));

/** An execution always verifies signatures; only a simulation may omit that. */
const simulateOn = (svm: LiteSvm, bytes: Uint8Array, verifySignatures: boolean) => {
  svm.setSigverify(verifySignatures);
  try {
    return svm.simulateVersionedTransaction(bytes);
  } finally {
    svm.setSigverify(true);
  }
};

/** A new runtime without accounts of ours. Throws `sandbox_unavailable` where litesvm cannot run. */
export const openSvm = () => {
  const binding = loadSolana();
  const svm = new binding.LiteSvm();
  // The blockhash window and what was sent before are the sandbox's to check: the runtime knows neither time nor restarts.
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  const kept = (address: string, found: SvmAccount): KeptAccount => ({
    address,
    lamports: found.lamports().toString(),
    owner: addressOf(found.owner()),
    data: Buffer.from(found.data()),
    executable: Number(found.executable()),
  });
  /** `key`: the address in bytes, where they are at hand. */
  const account = (address: string, key = bs58.decode(address)): KeptAccount | undefined => {
    const found = svm.getAccount(key);
    return found ? kept(address, found) : undefined;
  };
  const lamportsOf = (key: Uint8Array | undefined) => (key ? svm.getBalance(key) : undefined);
  return {
    account,
    put: ({ address, lamports, data, owner, executable }: KeptAccount) =>
      svm.setAccount(
        bs58.decode(address),
        new binding.Account(
          BigInt(lamports),
          new Uint8Array(data),
          bs58.decode(owner),
          executable === 1,
          NEVER_PAYS_RENT,
        ),
      ),
    ownedBy: (program: string): readonly KeptAccount[] =>
      svm.getProgramAccounts(bs58.decode(program)).flatMap(({ address }) => account(bs58.encode(address)) ?? []),
    rent: (bytes: number) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    holdings: (transaction: ParsedTransaction) => holdingsOf(svm, transaction),
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
        : result.postAccounts().map((each) => kept(bs58.encode(each.address), each.account()));
      const error = isFailed(result) ? transactionError(result.err()) : undefined;
      return { error, ...factsOf(result.meta()), hasLanded: false, accounts };
    },
  };
};
