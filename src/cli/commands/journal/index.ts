import { Failure } from '../../../core/failure.ts';
import { nextStep, shellWord } from '../../../core/next.ts';
import type { Io, JournalName } from '../../../io/io.ts';
import { journalName } from '../../../journal/open-store.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type Option, stringArg } from '../../command/options.ts';
import { exportTo, migrateTo, verify } from './content.ts';

/** A key file has one line. */
const LARGEST_KEY = 1024;

const LEASE: Option = {
  flag: '--lease',
  value: 'SECONDS',
  description: 'How long a stopped process keeps its operations, from 3 to 600',
  usual: '30',
  check: (text) =>
    /^\d{1,3}$/.test(text) && Number(text) >= 3 && Number(text) <= 600 ? undefined : 'must be 3 to 600',
};

/** The journal that the user named. Throws `bad_settings` without one. */
const namedJournal = async (io: Io): Promise<JournalName> => {
  const name = await journalName(io);
  if (name) return name;
  throw new Failure('bad_settings', 'no database is named: BURSAR_JOURNAL is not set', {
    hint: 'Set it to postgres://USER@HOST/DATABASE, or set journal in the profile. Nothing was changed.',
    next: nextStep('help', 'environment'),
  });
};

/** A journal that this home has the key of. */
type Joined = Readonly<Record<'journal' | 'where' | 'keyFile', string>> & { readonly leaseMs: number };

const documentOf = ({ journal, where, keyFile, leaseMs }: Joined) => ({
  journal,
  database: where,
  key_file: keyFile,
  lease_seconds: leaseMs / 1000,
});

/** `journal init`. */
const init: Command = {
  words: ['journal', 'init'],
  summary: 'Make a journal in a PostgreSQL database, for several machines',
  about: [
    'BURSAR_JOURNAL, or journal in the profile, names the database. It needs its tables once, and a key.',
    'The key is in a file of this home. It opens signed transactions and starts payments: carry it as you carry a password.',
    'On the other machine: bursar journal join --key-stdin < FILE',
  ],
  options: [LEASE],
  fails: ['journal_unreachable'],
  examples: ['journal init', 'journal init --lease 60 --json'],
  run: async (cli, given) => {
    const { initJournal } = await import('../../../journal/postgres/setup.ts');
    const seconds = Number(stringArg(given, 'lease') ?? LEASE.usual);
    const made = await initJournal(cli.io, await namedJournal(cli.io), seconds * 1000);
    await cli.printNote(`To use it on another machine: bursar journal join --key-stdin < ${shellWord(made.keyFile)}`);
    await cli.printCommitted(documentOf(made));
  },
};

/** `journal join`. */
const join: Command = {
  words: ['journal', 'join'],
  summary: 'Use the journal of another machine, with its key',
  about: [
    'Reads the key file of a home that has the journal, or asks for its line. Without the key, a home can only list it.',
  ],
  options: [{ flag: '--key-stdin', description: 'Read the key from standard input' }],
  fails: ['journal_unreachable'],
  examples: ['journal join --key-stdin < journal.key', 'journal join --key-stdin --json < journal.key'],
  run: async (cli, given) => {
    const name = await namedJournal(cli.io);
    const { io } = cli;
    const isAsked = io.stdin.isTerminal && io.prompt.isPossible;
    if (!isAsked && (!boolArg(given, 'key-stdin') || io.stdin.isTerminal))
      throw new Failure('invalid_input', 'the key of the journal comes from standard input', {
        errors: [{ field: 'key', message: 'is read from a pipe or a file', option: '--key-stdin' }],
        hint: 'journal init has printed the path of the key file: bursar journal join --key-stdin < FILE',
      });
    const { joinJournal } = await import('../../../journal/postgres/setup.ts');
    const line = isAsked
      ? await io.prompt.password('The line of the key file')
      : new TextDecoder().decode(await io.stdin.readAll(LARGEST_KEY));
    await cli.printCommitted(documentOf(await joinJournal(io, name, line)));
  },
};

/** `journal upgrade`. */
const upgrade: Command = {
  words: ['journal', 'upgrade'],
  summary: 'Bring the tables of the database to the version of this bursar',
  about: ['Stop every other bursar that uses it first. An older bursar stops before its next effect.'],
  fails: ['journal_unreachable'],
  examples: ['journal upgrade', 'journal upgrade --json'],
  run: async (cli) => {
    const { upgradeJournal } = await import('../../../journal/postgres/setup.ts');
    const { where, from, to } = await upgradeJournal(cli.io, await namedJournal(cli.io));
    await cli.printCommitted({ database: where, from, to, changed: from !== to });
  },
};

/** The commands of `journal`, in the order of the help. */
export const journal: readonly Command[] = [init, join, migrateTo, exportTo, verify, upgrade];
