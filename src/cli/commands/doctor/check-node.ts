import { nextStep } from '../../../core/next.ts';
import { type Check, ok } from './finding.ts';

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
