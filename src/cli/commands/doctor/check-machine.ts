import { nextStep } from '../../../core/next.ts';
import { wantsColour } from '../../../output/render.ts';
import type { CommandContext } from '../../context/context.ts';
import { type Check, type Finding, failed, ok, orFailed, warn } from './finding.ts';

/** The oldest Node version that bursar supports, equal to `engines` of package.json. */
export const OLDEST_NODE = '20.19';

const numbers = (version: string): readonly number[] => version.replace(/^v/, '').split('.').map(Number);

const isOlder = (version: string, than: string): boolean => {
  const [own, other] = [numbers(version), numbers(than)];
  const at = other.findIndex((number, place) => (own[place] ?? 0) !== number);
  return at >= 0 && (own[at] ?? 0) < (other[at] ?? 0);
};

/** Whether bursar supports this version of Node. */
export const checkNode: Check = async ({ io: { machine }, version }) => {
  const message = `bursar ${version} on Node ${machine.node}, ${machine.system} ${machine.processor}`;
  if (!isOlder(machine.node, OLDEST_NODE)) return [ok('node', message)];
  return [
    {
      check: 'node',
      state: 'fail',
      message: `${message}: too old; install Node ${OLDEST_NODE} or newer`,
      next: nextStep('explain', 'bad_settings'),
      code: 'bad_settings',
    },
  ];
};

/** Whether there is a terminal, and what it can show. */
export const checkTerminal: Check = async ({ io, globals, talkStyle }) => {
  const { stdout, stdin, stderr, prompt } = io;
  if (![stdin, stdout, stderr].some((one) => one.isTerminal))
    return [ok('terminal', 'none: plain output, no questions')];
  const message = [
    stdout.isTerminal ? `${stdout.columns} columns` : 'output to a pipe or a file',
    wantsColour(io.env, stdout, globals.noColour) ? 'colour' : 'no colour',
    talkStyle.unicode ? 'Unicode' : 'ASCII',
    prompt.isPossible ? 'questions' : 'no questions',
  ];
  return [ok('terminal', message.join(', '))];
};

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
