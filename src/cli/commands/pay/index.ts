import { loadingEach } from '../../command/command.ts';
import type { RecordedFacts } from '../../operations/records.ts';

const journal = async () => (await import('./journal.ts')).PAYMENTS;

const recordedFacts: RecordedFacts = async (cli, state) =>
  (await import('./signed-facts.ts')).recordedFacts(cli, state);

/** Loads the commands of `pay`. */
export const loadPay = loadingEach({
  run: async () => (await import('./run.ts')).run,
  bulk: async () => (await import('./bulk/bulk.ts')).bulk,
  'bulk-status': async () => (await import('./bulk/status.ts')).bulkStatus,
  'bulk-withdraw': async () => (await import('./bulk/status.ts')).bulkWithdraw,
  register: async () => (await import('./create.ts')).register,
  transaction: async () => (await import('./create.ts')).transaction,
  sign: async () => (await import('./sign.ts')).sign,
  execute: async () => (await import('./execute.ts')).execute,
  status: async () => (await import('./status.ts')).status,
  resume: async () => (await import('./resume.ts')).resume,
  list: async () => (await import('../../operations/list.ts')).listOf(await journal()),
  show: async () => (await import('../../operations/records.ts')).showOf(await journal(), recordedFacts),
  forget: async () => (await import('../../operations/records.ts')).forgetOf(await journal()),
});
