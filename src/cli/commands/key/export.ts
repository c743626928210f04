import { resolve } from 'node:path';
import { Failure } from '../../../core/failure.ts';
import { exportPrivateKey, exportV3 } from '../../../keystore/export.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, textOf } from '../../options.ts';
import { required } from '../../required.ts';
import { PASSWORD_OPTIONS, withKey } from '../../signing-key.ts';
import { NAME } from './shared.ts';

const FORMATS = ['v3', 'private-key'] as const;

/** Both formats ask for the password: whoever exports a key must be able to use it. */
const exported = (cli: Cli, given: Given, name: string, format: string): Promise<string> =>
  withKey(cli, given, name, async (key) =>
    format === 'v3' ? exportV3(await openKeystore(cli.io).find(name)) : exportPrivateKey(key.privateKey),
  );

const confirmExport = async (cli: Cli, name: string): Promise<void> => {
  if (cli.globals.yes) return;
  if (!cli.io.prompt.isPossible) {
    throw new Failure('confirmation_needed', 'this writes out a secret, and nobody can be asked', {
      next: 'Add --yes.',
    });
  }
  const typed = await cli.io.prompt.text(`Whoever reads the private key owns its money. Type ${name} to export it:`);
  if (typed !== name) throw new Failure('declined', 'not confirmed; nothing was exported');
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const {
    NAME: name,
    '--format': format,
    '--out': out,
  } = required({ NAME: textOf(given, 'name'), '--format': textOf(given, 'format'), '--out': textOf(given, 'out') });
  if (format === 'private-key') await confirmExport(cli, name);
  const text = await exported(cli, given, name, format);
  if (out === '-') return cli.io.stdout.write(text);
  const path = resolve(cli.io.cwd, out);
  if (!(await cli.io.files.createNew(path, text))) {
    throw new Failure('file_exists', `${path} exists, and nothing is overwritten`, {
      hint: 'Choose another file.',
    });
  }
  await cli.answer({ name, format, path });
};

export const exportKey: Leaf = {
  words: ['key', 'export'],
  summary: 'Write a key out, as an encrypted file or in the clear',
  arguments: [NAME],
  options: [
    {
      flag: '--format',
      value: 'FORMAT',
      choices: FORMATS,
      says: 'v3 is encrypted; private-key is hex in the clear (required)',
    },
    { flag: '--out', value: 'FILE', says: 'File to make, 0600; - for stdout (required)' },
    ...PASSWORD_OPTIONS,
  ],
  examples: ['key export treasury --format v3 --out treasury.json'],
  run,
};
