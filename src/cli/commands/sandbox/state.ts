import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';

const launcher = () => import('../../../sandbox/launcher.ts');

/** `sandbox stop`. */
export const stop: Command = {
  words: ['sandbox', 'stop'],
  summary: 'Stop the sandbox; its state stays',
  fails: ['sandbox_unavailable'],
  examples: ['sandbox stop'],
  run: async (cli) => {
    const { stopSandbox } = await launcher();
    await cli.printResult({ stopped: await stopSandbox(cli.io) });
  },
};

/** Said where the system gives nodes no network of their own. */
const OPEN_NODES =
  'Limit: other users, programs and web pages on this machine can change balances on the EVM test chains.';

/** `sandbox status`. */
export const status: Command = {
  words: ['sandbox', 'status'],
  summary: 'Show whether the sandbox runs, where it and its dashboard are, and which chains run',
  fails: ['sandbox_unavailable'],
  examples: ['sandbox status', 'sandbox status --json --fields url'],
  run: async (cli) => {
    const { sandboxStatus } = await launcher();
    const found = await sandboxStatus(cli.io);
    const summary = async () => (await import('../../summaries/sandbox-summary.ts')).sandboxSummary(found);
    await cli.printResult(found, found, { summary });
    if (found.running && found.evm_access === 'loopback') await cli.say(OPEN_NODES);
  },
};

/** `sandbox reset`. */
export const reset: Command = {
  words: ['sandbox', 'reset'],
  summary: 'Forget all payments, orders and balances of the sandbox',
  about: ['Keys and port stay. It asks first; --yes answers.'],
  fails: ['sandbox_unavailable'],
  examples: ['sandbox reset --yes'],
  run: async (cli) => {
    if (!(await cli.confirm('Forget everything in the sandbox?'))) {
      throw new Failure('declined', 'not confirmed; nothing was forgotten');
    }
    const { resetSandbox } = await launcher();
    await resetSandbox(cli.io);
    await cli.printResult({ reset: true });
  },
};
