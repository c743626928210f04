import type { SvmMetadata } from './binding.ts';
import type { Holdings } from './holdings.ts';

/** An instruction as a message holds it: accounts by index, data in base64. */
export type Compiled = {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  /** 1 for an instruction of the transaction itself; `null` if the runtime does not report it. */
  readonly stackHeight: number | null;
};

/** The instructions that programs called while the instruction at `index` of the transaction was executed. */
export type Inner = { readonly index: number; readonly instructions: readonly Compiled[] };

/** The inner instructions of a transaction and its return data, in base64. */
export type Calls = {
  readonly inner: readonly Inner[];
  readonly returned: { readonly program: string; readonly data: string } | undefined;
};

/** The effects of an executed transaction, as the ledger stores them in JSON. */
export type Effects = Calls & { readonly before: Holdings; readonly after: Holdings };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Reads the calls from the metadata of the runtime. */
export const callsOf = (meta: SvmMetadata): Calls => {
  const inner = meta.innerInstructions().map((list, index) => ({
    index,
    instructions: list.map((each) => {
      const called = each.instruction();
      const [accounts, data] = [[...called.accounts()], base64(called.data())];
      return { programIdIndex: called.programIdIndex(), accounts, data, stackHeight: each.stackHeight() };
    }),
  }));
  const returned = meta.returnData();
  const data = returned.data();
  return {
    inner: inner.filter(({ instructions }) => instructions.length > 0),
    returned: data.length === 0 ? undefined : { program: base64(returned.programId()), data: base64(data) },
  };
};

const sum = (lamports: readonly string[]): bigint => lamports.reduce((total, each) => total + BigInt(each), 0n);

/** The fee in lamports: the sum that the accounts of a transaction lost, since only the fee leaves them. */
export const feeOf = ({ before, after }: Effects): bigint => sum(before.lamports) - sum(after.lamports);
