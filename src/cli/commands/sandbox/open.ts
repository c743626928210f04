import { DASHBOARD_TABS, health } from '../../../contract/control/process.ts';
import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { pageAddress } from '../../../core/web-address.ts';
import type { CommandContext } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { controlCommand } from './control.ts';

const tabFrom = (text: string) => {
  const tab = DASHBOARD_TABS.find((each) => each === text);
  if (tab) return tab;
  const near = closest(text, DASHBOARD_TABS);
  throw new Failure('invalid_input', `"${text}" is no tab of the dashboard`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}The tabs are ${DASHBOARD_TABS.join(', ')}.`,
  });
};

/** A user sees the address on stdout and can answer. Only then may bursar start a browser. */
const mayOpen = ({ io, globals }: CommandContext): boolean =>
  io.stdout.isTerminal && io.prompt.isPossible && !globals.json;

/** `sandbox open`. */
export const open = controlCommand({
  verb: 'open',
  summary: 'Open the dashboard of the sandbox in a browser',
  about: [
    'Without a terminal, and with --json, it prints the address and opens no browser.',
    'The key in the address shows everything and changes nothing.',
  ],
  controls: [health],
  arguments: [
    {
      name: 'TAB',
      description: `Tab of the dashboard: ${DASHBOARD_TABS.join(', ')}`,
      isOptional: true,
      choices: DASHBOARD_TABS,
    },
  ],
  examples: ['sandbox open', 'sandbox open webhooks'],
  run: async (cli, given) => {
    const typed = stringArg(given, 'tab');
    const tab = typed === undefined ? undefined : tabFrom(typed);
    const { sandboxStatus } = await import('../../../sandbox/launcher.ts');
    const found = await sandboxStatus(cli.io);
    if (!found.running) {
      throw new Failure('sandbox_unavailable', 'no sandbox is running', { next: nextStep('sandbox.start') });
    }
    const address = tab === undefined ? found.dashboard : `${found.dashboard}&list=${tab}`;
    const page = pageAddress(address, found.url);
    const isTried = page !== undefined && mayOpen(cli);
    const opened = isTried && (await cli.io.browser.open(page));
    const result = { url: address, opened };
    await cli.printResult(result, cli.globals.fields ? result : [address]);
    if (isTried && !opened) await cli.printNote('No browser could be started. Open the address yourself.');
  },
});
