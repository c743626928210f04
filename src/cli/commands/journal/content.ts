import { Failure } from '../../../core/failure.ts';
import { nextStep, shellWord } from '../../../core/next.ts';
import type { Io } from '../../../io/io.ts';
import { checkJournal, type JournalCheck } from '../../../journal/check.ts';
import { journalName, storeOf } from '../../../journal/open-store.ts';
import { createGiven } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { required, stringArg } from '../../command/options.ts';

/** Each write is synced. */
const CHUNK = 1024 * 1024;

const documentOf = ({ journal, operations, entries, digest }: JournalCheck) => ({
  journal,
  operations,
  entries,
  sha256: digest,
});

/** Throws `journal_damaged` with every operation that cannot be read. */
const assertWhole = ({ damaged }: JournalCheck, done: string): void => {
  const [first] = damaged;
  if (first === undefined) return;
  throw new Failure('journal_damaged', `${damaged.length} of the operations cannot be read; the first is ${first.id}`, {
    errors: damaged.map(({ id, message }) => ({ field: id, message })),
    hint: `${done} Nothing is sent for these operations.`,
    next: nextStep('doctor'),
  });
};

/** Throws `bad_settings` for a journal in a database whose key is not in this home: nothing could be compared. */
const assertKey = async (io: Io): Promise<void> => {
  const { id, isReadOnly } = await storeOf(io);
  if (!isReadOnly) return;
  const { noKeyOf } = await import('../../../journal/postgres/journal-key.ts');
  throw noKeyOf(id, 'Without it no entry can be checked, and what is sealed cannot be read.');
};

/** `journal verify`. */
export const verify: Command = {
  words: ['journal', 'verify'],
  summary: 'Read every operation, and say which cannot be read',
  about: [
    'In a database it also checks that nobody without the key of the journal changed an entry.',
    'sha256 is of all lines, oldest operation first: equal journals have equal ones.',
  ],
  fails: ['journal_unreachable'],
  examples: ['journal verify', 'journal verify --jq .operations'],
  run: async (cli) => {
    await assertKey(cli.io);
    const checked = await cli.io.spin('reading the journal', checkJournal(cli.io));
    assertWhole(checked, 'Nothing was changed.');
    await cli.printResult(documentOf(checked));
  },
};

/** `journal export`. */
export const exportTo: Command = {
  words: ['journal', 'export'],
  summary: 'Write every entry of the journal to a file, one a line',
  about: [
    'The file has signed transactions, which are money: only its owner can read it. An existing file is not replaced.',
    'Inputs of open operations, which may name people, are not in it.',
  ],
  arguments: [{ name: 'FILE', description: 'The new file', completes: 'files' }],
  fails: ['journal_unreachable'],
  examples: ['journal export journal.ndjson', 'journal export journal.ndjson --json'],
  run: async (cli, given) => {
    const { FILE: name } = required({ FILE: stringArg(given, 'file') });
    await assertKey(cli.io);
    const path = await createGiven(cli.io, name, '');
    const file = await cli.io.files.openToAppend(path);
    let waiting = '';
    const write = async (): Promise<void> => {
      if (waiting !== '') await file.append(waiting);
      waiting = '';
    };
    const keep = async (lines: readonly string[]): Promise<void> => {
      for (const line of lines) waiting += `${line}\n`;
      if (waiting.length > CHUNK) await write();
    };
    try {
      const checked = await cli.io.spin('reading the journal', checkJournal(cli.io, keep));
      await write();
      assertWhole(checked, `The others are in ${path}.`);
      await cli.printCommitted({ ...documentOf(checked), file: path });
    } finally {
      await file.close();
    }
  },
};

/** `journal migrate`. */
export const migrateTo: Command = {
  words: ['journal', 'migrate'],
  summary: 'Move the operations of this home to a journal in a database',
  about: [
    'Each operation is claimed, copied and compared. Then no command uses the folder any more.',
    'A move that was killed is repeated by the same command. Signed transactions and inputs are sealed on the way.',
    'BURSAR_JOURNAL is not set for it, for it names the journal to use afterwards.',
  ],
  options: [{ flag: '--to', value: 'URL', description: 'The database, as in BURSAR_JOURNAL', isRequired: true }],
  fails: ['journal_unreachable', 'not_final'],
  examples: [
    "journal migrate --to 'postgres://bursar@db.example.com/journal?sslmode=verify-full'",
    'journal migrate --to postgres://bursar@localhost/journal --json',
  ],
  run: async (cli, given) => {
    const { '--to': url } = required({ '--to': stringArg(given, 'to') });
    if (await journalName(cli.io))
      throw new Failure('invalid_input', 'BURSAR_JOURNAL, or journal in the profile, names a database already', {
        hint: 'migrate moves the journal of the folder. Run it without that setting. Nothing was changed.',
      });
    const [{ migrate }, { checkStoredJournal }] = await Promise.all([
      import('../../../journal/postgres/migrate.ts'),
      import('../../../journal/postgres/address.ts'),
    ]);
    const moving = migrate(cli.io, { url: checkStoredJournal(url, '--to'), source: '--to' });
    const { journal, where, operations, entries, digest } = await cli.io.spin('moving the journal', moving);
    await cli.printNote(`From now on: export BURSAR_JOURNAL=${shellWord(where)}, or set journal in the profile`);
    await cli.printCommitted({ journal, database: where, operations, entries, sha256: digest });
  },
};
