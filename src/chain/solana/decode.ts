import { isFailure } from '../../core/failure.ts';
import type { SolanaNetwork } from './network.ts';
import { PROGRAMS } from './programs/addresses.ts';
import { readAssociatedToken } from './programs/associated-token.ts';
import { readComputeBudget } from './programs/compute-budget.ts';
import { readLender } from './programs/lender.ts';
import { readMemo } from './programs/memo.ts';
import { readSystem } from './programs/system.ts';
import { readToken } from './programs/token.ts';
import type { Instruction } from './resolve.ts';
import type { Step } from './step.ts';

type Program = { readonly name: string; readonly read: (instruction: Instruction) => Step };

const READERS: Readonly<Record<string, Program>> = {
  [PROGRAMS.system]: { name: 'System program', read: readSystem },
  [PROGRAMS.token]: { name: 'Token program', read: readToken },
  [PROGRAMS.token2022]: { name: 'Token-2022 program', read: readToken },
  [PROGRAMS.associatedToken]: { name: 'Associated Token program', read: readAssociatedToken },
  [PROGRAMS.computeBudget]: { name: 'Compute Budget program', read: readComputeBudget },
  [PROGRAMS.memo]: { name: 'Memo program', read: readMemo },
  [PROGRAMS.memoV1]: { name: 'Memo program', read: readMemo },
};

/** The lending program is one of the sandbox's chain alone. */
const lenderOf = ({ lender }: SolanaNetwork, program: string): Program | undefined =>
  lender !== undefined && program === lender ? { name: 'lending program', read: readLender } : undefined;

/**
 * Says what an instruction does on a network. Never throws: what a known program would not understand is `malformed`.
 */
export const decodeInstruction = (instruction: Instruction, network: SolanaNetwork): Step => {
  const { program, accounts } = instruction;
  const known = Object.hasOwn(READERS, program) ? READERS[program] : lenderOf(network, program);
  if (!known) return { kind: 'unknown', program, accounts: accounts.map(({ address }) => address) };
  try {
    return known.read(instruction);
  } catch (error) {
    if (!isFailure(error, 'invalid_input')) throw error;
    return { kind: 'malformed', name: known.name, why: error.message };
  }
};
