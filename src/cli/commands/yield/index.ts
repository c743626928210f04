import { loadingEach } from '../../command/command.ts';

const journal = async () => (await import('./journal.ts')).YIELDS;

/** Loads the commands of `yield`, in the order of the help. */
export const loadYield = loadingEach({
  strategies: async () => (await import('./markets.ts')).strategies,
  opportunities: async () => (await import('./markets.ts')).opportunities,
  best: async () => (await import('./markets.ts')).best,
  deposit: async () => (await import('./actions.ts')).depositCommand,
  withdraw: async () => (await import('./actions.ts')).withdrawCommand,
  rebalance: async () => (await import('./actions.ts')).rebalanceCommand,
  sign: async () => (await import('./broadcast.ts')).sign,
  broadcast: async () => (await import('./broadcast.ts')).broadcast,
  earnings: async () => (await import('./earnings.ts')).earnings,
  list: async () => (await import('../../operations/list.ts')).listOf(await journal()),
  show: async () => (await import('../../operations/records.ts')).showOf(await journal()),
  resume: async () => (await import('./resume.ts')).resume,
  forget: async () => (await import('../../operations/records.ts')).forgetOf(await journal()),
});
