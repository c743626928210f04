import { escapeText } from '../../core/text.ts';
import { kindOf, nameOf } from '../profiles/selection.ts';
import { serviceInWords } from '../prompt/confirming.ts';
import type { CommandContext } from './context.ts';
import { SANDBOX_BY_DEFAULT } from './service.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Prints the service of a command on a terminal, once, before the first question. */
export const printTargetService = async (cli: CommandContext): Promise<void> => {
  if (!cli.io.stderr.isTerminal) return;
  const selection = await cli.selection();
  if (selection.as === 'sandbox' && selection.profile.from === 'default') await cli.sayOnce(SANDBOX_BY_DEFAULT);
  if (selection.as !== 'named' && selection.as !== 'unnamed') return;
  const service = serviceInWords({ profile: nameOf(selection), kind: kindOf(selection) });
  await cli.sayOnce(escapeText(`Service: ${service}, at ${hostOf(selection.baseUrl.value)}`));
};
