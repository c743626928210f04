import { escapeText } from '../../../core/escape.ts';
import type { Silent } from '../../../flows/yield/silent-sources.ts';
import type { Cli } from '../../cli.ts';

/** Which providers an answer is without: a list that is not whole must not look so. */
export const saySilent = async (cli: Cli, silent: readonly Silent[]): Promise<void> => {
  for (const { provider, message } of silent) {
    await cli.say(`${escapeText(provider)} did not answer (${escapeText(message)}): what it offers is not in here.`);
  }
};
