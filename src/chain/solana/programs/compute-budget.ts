import { type Reader, readerOf } from '../bytes.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';
import { exactly } from './accounts.ts';

type Budget = Extract<Step, { kind: 'budget' }>;

const WISHES: Readonly<Record<number, (data: Reader) => Omit<Budget, 'kind'>>> = {
  1: (data) => ({ what: 'heap', value: BigInt(data.u32()) }),
  2: (data) => ({ what: 'units', value: BigInt(data.u32()) }),
  3: (data) => ({ what: 'price', value: data.u64() }),
  4: (data) => ({ what: 'data', value: BigInt(data.u32()) }),
};

/** Reads an instruction of the Compute Budget program (number as u8). Throws `invalid_input` when it is malformed. */
export const readComputeBudget = ({ accounts, data }: Instruction): Step => {
  const reader = readerOf(data);
  const number = reader.u8();
  const read = WISHES[number];
  if (!read)
    return {
      kind: 'dangerous',
      name: `Compute Budget program, instruction ${number}: not known, or not used any more`,
    };
  const budget = read(reader);
  reader.end();
  exactly(accounts, 0);
  return { kind: 'budget', ...budget };
};
