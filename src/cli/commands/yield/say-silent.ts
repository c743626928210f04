import { escapeText } from '../../../core/escape.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/silent-sources.ts';
import type { CommandContext } from '../../context/context.ts';

/** Which providers an answer is without: a list that is not whole must not look so. Where money goes by it, that is a warning. */
export const saySilent = async (
  tell: CommandContext['say' | 'warn'],
  silent: readonly UnavailableProvider[],
): Promise<void> => {
  for (const each of silent) await tell(escapeText(`${silenceOf(each)}: what it offers is not in here.`));
};
