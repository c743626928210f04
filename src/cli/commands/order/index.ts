import { loadingEach } from '../../command/command.ts';

/** Loads the commands of `order`. */
export const loadOrder = loadingEach({
  create: async () => (await import('./write.ts')).create,
  list: async () => (await import('./list.ts')).list,
  update: async () => (await import('./write.ts')).update,
  enable: async () => (await import('./switch.ts')).enable,
  disable: async () => (await import('./switch.ts')).disable,
  toggle: async () => (await import('./switch.ts')).toggle,
  export: async () => (await import('./file.ts')).exportOrders,
  apply: async () => (await import('./apply.ts')).apply,
});
