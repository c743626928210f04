import type { Command } from '../../command/command.ts';

const LEAVES: Readonly<Record<string, () => Promise<Command>>> = {
  create: async () => (await import('./create.ts')).create,
  list: async () => (await import('./list.ts')).list,
  update: async () => (await import('./update.ts')).update,
  enable: async () => (await import('./switch.ts')).enable,
  disable: async () => (await import('./switch.ts')).disable,
  toggle: async () => (await import('./switch.ts')).toggle,
  export: async () => (await import('./export.ts')).exportOrders,
  apply: async () => (await import('./apply.ts')).apply,
};

/** The commands of the area, or the one that is meant: each brings a part of the program with it. */
export const loadOrder = (verb = ''): Promise<readonly Command[]> => {
  const one = Object.hasOwn(LEAVES, verb) ? LEAVES[verb] : undefined;
  return Promise.all((one ? [one] : Object.values(LEAVES)).map((load) => load()));
};
