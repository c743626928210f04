import type { Kind } from '../../contract/chains.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure } from '../../core/failure.ts';
import { storeOf } from '../../journal/file-store.ts';
import { type Option, type ParsedArgs, stringArg } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';

/** The user's own name for an operation. */
export const INTENT_OPTION: Option = {
  flag: '--intent',
  heading: 'Signing and sending',
  value: 'KEY',
  description: 'Your own name for this operation: with the same journal folder, the same name gets the first one again',
};

/** The value of `--intent`. Throws `invalid_input` for an empty one: an unset variable would name all operations. */
export const intentKey = (given: ParsedArgs): string | undefined => {
  const key = stringArg(given, 'intent');
  if (key === undefined || key.trim() !== '') return key;
  throw new Failure('invalid_input', 'nothing was sent: --intent is empty', {
    errors: [{ field: 'intent', message: 'is empty, and would be the name of every operation', option: '--intent' }],
  });
};

/**
 * A name protects only against duplicates in the same journal. So this warns on a live service if the journal is
 * new. Returns the warning for the result.
 */
export const warnOfNewJournal = async (
  cli: CommandContext,
  kind: Kind,
  key: string | undefined,
): Promise<{ readonly warnings?: readonly string[] }> => {
  if (key === undefined || kind !== 'live' || (await storeOf(cli.io).list()).ids.length > 0) return {};
  const text = `the journal is new: --intent ${escapeText(key)} does not know of runs that used another folder`;
  await cli.warn(text);
  return { warnings: [text] };
};
