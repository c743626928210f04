import type { CommandContext } from '../../context/context.ts';
import { type Check, type Finding, failed, ok, orFailed, warn } from './finding.ts';

const isChosen = async (cli: CommandContext): Promise<boolean> => {
  try {
    return (await cli.selection()).as === 'sandbox';
  } catch {
    return false;
  }
};

/** Checks the optional packages of the sandbox. A missing one is a failure only if the sandbox is the service in use. */
export const checkSandbox: Check = (cli) =>
  orFailed(
    'sandbox',
    (async () => {
      const { sandboxParts } = await import('../../../sandbox/parts.ts');
      const isNeeded = await isChosen(cli);
      return (await sandboxParts()).map(({ part, says: message, failure, limit }): Finding => {
        if (limit !== undefined) return warn('sandbox', `${part}: ${message}; ${limit}`);
        if (!failure) return ok('sandbox', `${part}: ${message}`);
        const finding = failed('sandbox', failure);
        return isNeeded ? finding : warn('sandbox', finding.message, finding.next);
      });
    })(),
  );
