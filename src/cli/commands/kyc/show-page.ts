import type { Service } from '../../../client/service.ts';
import { escapeText } from '../../../core/escape.ts';
import { pageAddress } from '../../../core/page-address.ts';
import { remoteRows } from '../../../core/remote-text.ts';
import type { Verification } from '../../../flows/kyc/status.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Who } from './who.ts';

/** How the page of a verification is told of. */
export type Showing = {
  readonly who: Who;
  readonly service: Pick<Service, 'kind' | 'baseUrl'>;
  readonly opens: boolean;
};

const nameOf = (who: Who): string => (who.by === 'email' ? who.email : who.proof.address);

const UNSAFE =
  'warning: the service gave an address that bursar does not open: it is neither https nor that of a service on this machine, or it is not what it looks like:';

/** The whole address, on rows of its own. */
const sayAddress = async (
  { io, globals, talkStyle: { columns, unicode } }: CommandContext,
  url: string,
): Promise<void> => {
  if (globals.quiet) return;
  const { isTerminal, write } = io.stderr;
  const rows = isTerminal ? remoteRows(url, { columns, margin: '  ', unicode }) : [`  ${escapeText(url)}`];
  await write(`${rows.join('\n')}\n`);
};

const sayUnsafe = async (cli: CommandContext, url: string): Promise<void> => {
  await cli.say(UNSAFE);
  await sayAddress(cli, url);
};

/**
 * Says where the verification goes on, and opens the page for a person: https, or http where the service is on this
 * machine itself, and nothing else. What is opened was said before.
 */
export const showPage = async (
  cli: CommandContext,
  { session_url: url }: Verification,
  showing: Showing,
): Promise<void> => {
  const { who, service, opens } = showing;
  if (!url) return cli.say('The service gives no page for it: the verification is with its provider.');
  const page = pageAddress(url, service.baseUrl);
  if (page === undefined) return sayUnsafe(cli, url);
  // With --json a script has it in the answer and in the lines of states.
  if (cli.globals.json && !cli.io.stderr.isTerminal) return;
  await cli.say('The verification goes on in a browser:');
  await sayAddress(cli, page);
  if (service.kind === 'sandbox') {
    await cli.say('In the sandbox that page decides it, or:');
    await cli.say(`  bursar sandbox kyc ${nameOf(who)} --approve`);
  }
  // What was not said is not opened either.
  if (!opens || !cli.io.prompt.isPossible || cli.globals.quiet) return;
  if (!(await cli.io.browser.open(page))) {
    await cli.say('No browser could be started: open the address yourself.');
  }
};
