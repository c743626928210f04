import type { Command } from '../../command/command.ts';

const journal = async () => (await import('./journal.ts')).PAYMENTS;

const LEAVES: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).run,
  register: async () => (await import('./register.ts')).register,
  transaction: async () => (await import('./transaction.ts')).transaction,
  sign: async () => (await import('./sign.ts')).sign,
  execute: async () => (await import('./execute.ts')).execute,
  status: async () => (await import('./status.ts')).status,
  resume: async () => (await import('./resume.ts')).resume,
  list: async () => (await import('../../operations/list.ts')).listOf(await journal()),
  show: async () => (await import('../../operations/show.ts')).showOf(await journal()),
  forget: async () => (await import('../../operations/forget.ts')).forgetOf(await journal()),
};

/** The commands of the area, or the one that is meant: each brings a part of the program with it. */
export const loadPay = (verb = ''): Promise<readonly Command[]> => {
  const one = Object.hasOwn(LEAVES, verb) ? LEAVES[verb] : undefined;
  return Promise.all((one ? [one] : Object.values(LEAVES)).map((load) => load()));
};
