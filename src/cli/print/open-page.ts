import { pageAddress } from '../../core/web-address.ts';
import type { CommandContext } from '../command/command.ts';

/** A user sees the address on stdout and can answer. Only then may bursar start a browser. */
const mayOpen = ({ io, globals }: CommandContext): boolean =>
  io.stdout.isTerminal && io.prompt.isPossible && !globals.json;

const UNSAFE_PAGE =
  'warning: bursar does not open this address. It is not https, not on this machine, or looks like another address.';

/**
 * Prints the address of a page, and at a terminal opens it in a browser if it is safe. `namedBy` is the service that named
 * it. `linkFor` makes the address for the command line of the browser, which other users of the machine can read.
 */
export const openPage = async (
  cli: CommandContext,
  {
    url,
    namedBy,
    linkFor,
  }: { readonly url: string; readonly namedBy: string; readonly linkFor?: () => Promise<string> },
): Promise<void> => {
  const [isSafe, isTried] = [pageAddress(url, namedBy) !== undefined, mayOpen(cli)];
  const page = isSafe && isTried ? pageAddress((await linkFor?.()) ?? url, namedBy) : undefined;
  const opened = page !== undefined && (await cli.io.browser.open(page));
  const result = { url, opened };
  await cli.printResult(result, cli.globals.fields ? result : [url]);
  if (!isSafe) await cli.printNote(UNSAFE_PAGE);
  else if (isTried && !opened) await cli.printNote('No browser could be started. Open the address yourself.');
};
