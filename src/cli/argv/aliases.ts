import { join } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isWritableByOthers } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';
import { type CommandLine, withWordReplaced } from './command-line.ts';

/** The aliases of a home: a name, and the words that it stands for. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

const VERSION = 1;

const aliasesPath = ({ places }: Io): string => join(places.config, 'aliases.json');

/** The form of the name of an alias. */
const ALIAS_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Options that an alias may not hold, because they answer for the user: --yes, and what overrides a review. */
const ANSWER = /^--(?:yes|allow-[a-z]+)(?==|$)/;

/** Whether a word is a command group of the program. */
export type IsCommand = (word: string) => boolean;

/** Why an alias is not allowed, as the end of a sentence; `undefined` for one that is. */
export const problemOfAlias = (name: string, words: readonly string[], isCommand: IsCommand): string | undefined => {
  if (!ALIAS_NAME.test(name)) return 'a name has at most 32 lowercase letters, digits and hyphens';
  if (name === 'help' || isCommand(name)) return `${name} is a command of bursar`;
  const [first = ''] = words;
  if (!isCommand(first)) return `"${first}" is no command of bursar, and an alias runs no other program`;
  const answer = words.flatMap((word) => ANSWER.exec(word) ?? [])[0];
  return answer && `${answer} belongs on the command line: an alias confirms nothing`;
};

const damaged = (path: string, why: string): Failure =>
  new Failure('bad_settings', `${path}: ${why}`, {
    hint: 'Nothing was done. Correct the file or move it away.',
    next: nextStep('file.aside', path),
  });

const readWords = (path: string, name: string, value: unknown, isCommand: IsCommand): readonly string[] => {
  const isText = Array.isArray(value) && value.every((word) => typeof word === 'string');
  const words: readonly string[] = isText ? value : [];
  const problem = isText ? problemOfAlias(name, words, isCommand) : 'its value is no list of words';
  if (problem !== undefined) throw damaged(path, `the alias ${name} is not allowed: ${problem}`);
  return words;
};

/** Reads the aliases of this home. Throws `bad_settings` for a file that others can write, or that is damaged. */
export const readAliases = async (io: Io, isCommand: IsCommand): Promise<Aliases> => {
  const path = aliasesPath(io);
  const bytes = await io.files.read(path);
  if (!bytes) return new Map();
  const facts = await io.files.targetFacts(path);
  if (facts && isWritableByOthers(facts)) {
    throw new Failure('bad_settings', `other users can write to ${path}`, {
      next: nextStep('file.private', '600', path),
    });
  }
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw damaged(path, 'the file is damaged');
  }
  const stored = isJsonObject(value) ? value['aliases'] : undefined;
  if (!isJsonObject(stored)) throw damaged(path, 'the file has no aliases');
  return new Map(Object.entries(stored).map(([name, words]) => [name, readWords(path, name, words, isCommand)]));
};

/** Changes the aliases under a lock. `change` returns the new ones from the current ones. */
export const changeAliases = async (
  io: Io,
  isCommand: IsCommand,
  change: (aliases: Aliases) => Aliases,
): Promise<void> => {
  const { orUnwritable, withLock } = await import('../../keystore/lock.ts');
  const path = aliasesPath(io);
  await withLock(io, path, async () => {
    const aliases = change(await readAliases(io, isCommand));
    await orUnwritable(path, io.settings.write(path, { version: VERSION, aliases: Object.fromEntries(aliases) }));
  });
};

/** The line with the command that an alias stands for. An alias may come after `help` too. */
export const withoutAlias = async (
  io: Io,
  line: CommandLine,
  known: Parameters<CommandLine['words']>[0],
  isCommand: IsCommand,
): Promise<CommandLine> => {
  const typed = line.words(known);
  const place = typed[0] === 'help' ? 1 : 0;
  const words = (await readAliases(io, isCommand)).get(typed[place] ?? '');
  return words ? withWordReplaced(line, place, words, known) : line;
};
