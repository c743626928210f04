import { escapeText } from '../../../core/escape.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/silent-sources.ts';
import type { CommandContext } from '../../context/context.ts';

/** Prints which providers are missing in a result, so that it does not look complete. */
export const printMissingProviders = async (
  print: CommandContext['say' | 'warn'],
  silent: readonly UnavailableProvider[],
): Promise<void> => {
  for (const each of silent) await print(escapeText(`${silenceOf(each)}: what it offers is not in here.`));
};
