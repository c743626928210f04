import type { Command } from '../../command/command.ts';

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  create: async () => (await import('./write.ts')).create,
  list: async () => (await import('./list.ts')).list,
  update: async () => (await import('./write.ts')).update,
  enable: async () => (await import('./switch.ts')).enable,
  disable: async () => (await import('./switch.ts')).disable,
  toggle: async () => (await import('./switch.ts')).toggle,
  export: async () => (await import('./file.ts')).exportOrders,
  apply: async () => (await import('./apply.ts')).apply,
};

/** Loads the named command, or all commands of the group: each loads a part of the program. */
export const loadOrder = (verb = ''): Promise<readonly Command[]> => {
  const one = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  return Promise.all((one ? [one] : Object.values(COMMANDS)).map((load) => load()));
};
