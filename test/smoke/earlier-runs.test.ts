import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { CommandContext } from '../../src/cli/command/command.ts';
import { findResumable } from '../../src/cli/commands/smoke/earlier-runs.ts';
import { nextStep } from '../../src/core/next.ts';
import { systemDisk } from '../../src/io/files/disk.ts';
import { filesOn } from '../../src/io/files/files.ts';
import { openRun, pathOfRun } from '../../src/smoke/run-journal.ts';
import { testIo } from '../support/io.ts';

const SUBJECT = {
  profile: 'sandbox',
  kind: 'sandbox',
  baseUrl: 'http://127.0.0.1:1',
  asker: 'a',
  flows: ['flow'],
  digest: 'd',
  secrets: 's',
};

it('a run that ends between its first read and its claim is not ended again', async () => {
  let onRead = (): void => undefined;
  const files = filesOn({
    ...systemDisk,
    read: async (path) => {
      const bytes = await systemDisk.read(path);
      if (path.endsWith('.ndjson')) onRead();
      return bytes;
    },
  });
  const { io } = await testIo({ io: { files } });
  await openRun(io, 'run').start(SUBJECT);
  const path = pathOfRun(io, 'run');
  onRead = () => {
    onRead = () => undefined;
    appendFileSync(path, '{"event":"ended","status":"passed"}\n');
  };
  const cli = { io } as CommandContext;
  expect(await findResumable(cli, SUBJECT, nextStep('again', []))).toBeUndefined();
  expect((await readFile(path, 'utf8')).match(/"ended"/g)).toHaveLength(1);
});
