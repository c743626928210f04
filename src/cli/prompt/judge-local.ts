import { assertKeyName } from '../../keystore/key-name.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { Command } from '../command/command.ts';
import { problemOf } from '../command/problem-of.ts';
import type { CommandContext } from '../context/context.ts';
import type { Declared } from './declared.ts';
import { problemInFile } from './typed-path.ts';

/** Arguments that name a key to be. */
const NEW_KEYS: readonly string[] = ['key new NAME', 'key import NAME', 'key rename NEW_NAME'];

const problemInName = (cli: CommandContext, name: string) =>
  problemOf(async () => {
    assertKeyName(name);
    await openKeystore(cli.io).assertFree(name);
  });

/** Whether what is asked for is a path. */
export const isPath = ({ value, completes }: Declared): boolean => value === 'FILE' || completes === 'files';

/** Holds an answer against what is on this machine: a file that is to be read, one to be made, the name of a key to be. */
export const judgeLocal = async (
  cli: CommandContext,
  { words }: Command,
  declared: Declared,
  text: string,
): Promise<string | undefined> => {
  if (NEW_KEYS.includes(`${words.join(' ')} ${declared.flag}`)) return problemInName(cli, text);
  if (!isPath(declared) || text === '-') return undefined;
  if (declared.flag !== '--out') return problemInFile(cli.io, text);
  return (await cli.io.files.targetFacts(text)) ? 'is there already, and nothing is overwritten' : undefined;
};
