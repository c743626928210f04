import { Failure } from '../../../core/failure.ts';
import type { Secret } from '../../../core/secret.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { checkedKey, keyFromFile } from '../../context/api-key.ts';
import type { CommandContext } from '../../context/context.ts';

export const KEY_SOURCES: readonly Option[] = [
  { flag: '--api-key-file', value: 'FILE', description: 'File that holds the API key, readable by its owner alone' },
  { flag: '--api-key-stdin', description: 'Read the API key from standard input' },
];

/** What to give, where nobody can be asked for a key. */
export const MISSING_KEY = '--api-key-file or --api-key-stdin';

const MAX_BYTES = 64 * 1024;

/** How the API key comes in; `undefined` where the command line does not say it and nobody can be asked. */
export const keyReader = ({ io }: CommandContext, given: ParsedArgs): (() => Promise<Secret>) | undefined => {
  const file = stringArg(given, 'api-key-file');
  const isPiped = boolArg(given, 'api-key-stdin');
  if (file !== undefined && isPiped) {
    throw new Failure('invalid_input', 'give --api-key-file or --api-key-stdin, one of them');
  }
  const checked = (source: string, text: string): Secret => {
    if (text.trim() === '') throw new Failure('invalid_input', `${source} holds no API key`);
    return checkedKey(source, text.trim());
  };
  if (file !== undefined) return () => keyFromFile(io, '--api-key-file', file);
  if (isPiped && io.stdin.isTerminal) {
    throw new Failure('invalid_input', '--api-key-stdin: standard input is the terminal, which would show the key', {
      hint: 'Leave it out to be asked for the key unseen, or give a pipe or a file.',
    });
  }
  if (isPiped)
    return async () => checked('standard input', new TextDecoder().decode(await io.stdin.readAll(MAX_BYTES)));
  if (io.prompt.isPossible) return async () => checked('what was typed', await io.prompt.password('API key:'));
  return undefined;
};
