import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { exitsOf } from '../../../src/cli/help/command-page.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

/** Areas that call the sandbox of this machine, also with a configured service. */
const OTHERS = ['sandbox', 'demo'];

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const calling = leaves.filter(({ words: [area] }) => !OTHERS.includes(area));

/** The words of an example, without the sandbox profile, so that no sandbox starts. */
const wordsIn = (example: string): readonly string[] =>
  (example.replace('--profile sandbox ', '').split(/ [<>|] /)[0] ?? '')
    .split(' ')
    .map((word) => word.replaceAll(/["'\\]/g, ''));

/** Adds a limit, because a watch and a receiver without a failure do not end. */
const ending = (words: readonly string[]): readonly string[] =>
  words.includes('--watch')
    ? [...words, '--timeout', '1']
    : words.includes('listen')
      ? [...words, '--idle', '1']
      : words;

/** The files that examples name. */
const files = { 'orders.yaml': 'version: 1\norders: []\n', password: 'correct horse\n' };

it.each(calling.map((leaf) => [leaf.words.join(' '), leaf] as const))(
  '%s lists the exit codes 4, 5 and 9 in its help if it sends a request',
  async (_, leaf) => {
    const { url, received } = await startServer(envelope(401, 'unauthorized'));
    const { home, bursar } = await newHomeInProcess();
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text, { mode: 0o600 });
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    for (const example of leaf.examples) await bursar(ending(wordsIn(example)), { env });
    const sends = received.length > 0 || (leaf.calls ?? []).length > 0;
    expect(exitsOf(leaf)).toEqual(expect.arrayContaining(sends ? [4, 5, 9] : []));
  },
);

it('order export, order apply, kyc start and pay run list their calls', () => {
  const flows = calling.filter(({ calls = [] }) => calls.length > 0).map(({ words }) => words.join(' '));
  expect(flows).toEqual(expect.arrayContaining(['order export', 'order apply', 'kyc start', 'pay run']));
});
