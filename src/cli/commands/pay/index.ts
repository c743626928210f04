import type { Command } from '../../command/command.ts';

const journal = async () => (await import('./journal.ts')).PAYMENTS;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).run,
  register: async () => (await import('./create.ts')).register,
  transaction: async () => (await import('./create.ts')).transaction,
  sign: async () => (await import('./sign.ts')).sign,
  execute: async () => (await import('./execute.ts')).execute,
  status: async () => (await import('./status.ts')).status,
  resume: async () => (await import('./resume.ts')).resume,
  list: async () => (await import('../../operations/records.ts')).listOf(await journal()),
  show: async () => (await import('../../operations/records.ts')).showOf(await journal()),
  forget: async () => (await import('../../operations/records.ts')).forgetOf(await journal()),
};

/** Loads one command of the area, or all of them. Each command loads its own part of the program. */
export const loadPay = (verb = ''): Promise<readonly Command[]> => {
  const one = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  return Promise.all((one ? [one] : Object.values(COMMANDS)).map((load) => load()));
};
