import { DASHBOARD_TABS, health, makeLink } from '../../../contract/control/process.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { CommandContext } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { openPage } from '../../print/open-page.ts';
import { controlCommand, wordFrom } from './control.ts';

/** The running sandbox of this home. Throws `sandbox_unavailable` if none runs. */
export const runningSandbox = async ({ io }: CommandContext) => {
  const { sandboxStatus } = await import('../../../sandbox/launcher.ts');
  const found = await sandboxStatus(io);
  if (found.running) return found;
  throw new Failure('sandbox_unavailable', 'no sandbox is running', { next: nextStep('sandbox.start') });
};

/** A link for the command line of a browser: it is of use once. */
const oneTimeLink = async (cli: CommandContext, url: string, query: readonly string[]): Promise<string> => {
  const { readAddress } = await import('../../../sandbox/address.ts');
  const { control } = await import('../../../sandbox/control-client.ts');
  const address = await readAddress(cli.io);
  const token = address && (await control(cli.io, address)(makeLink)).token;
  return `${url}/?${[...(token === undefined ? [] : [`once=${token}`]), ...query].join('&')}`;
};

/** Opens the dashboard of the running sandbox; `page` is a query such as `list=webhooks`. Throws as `runningSandbox`. */
export const openDashboard = async (cli: CommandContext, page?: string): Promise<void> => {
  const { url, dashboard } = await runningSandbox(cli);
  const query = page === undefined ? [] : [page];
  const linkFor = () => oneTimeLink(cli, url, query);
  await openPage(cli, { url: [dashboard, ...query].join('&'), namedBy: url, linkFor });
};

/** `sandbox open`. */
export const open = controlCommand({
  verb: 'open',
  summary: 'Open the dashboard of the sandbox in a browser',
  about: [
    'Without a terminal, and with --json, it prints the address and opens no browser.',
    'The key in the address shows everything and changes nothing. The browser gets a link that is valid once.',
  ],
  controls: [health, makeLink],
  arguments: [
    {
      name: 'TAB',
      description: 'Tab of the dashboard',
      isOptional: true,
      choices: DASHBOARD_TABS,
    },
  ],
  examples: ['sandbox open', 'sandbox open webhooks'],
  run: async (cli, given) => {
    const tab = stringArg(given, 'tab');
    await openDashboard(
      cli,
      tab === undefined ? undefined : `list=${wordFrom(tab, DASHBOARD_TABS, 'tab of the dashboard', 'tabs')}`,
    );
  },
});
