import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { exitsOf } from '../../../src/cli/help/command-page.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

/** They speak to the sandbox of this machine, whatever service is configured. */
const OTHERS = ['sandbox', 'demo'];

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const calling = leaves.filter(({ words: [area] }) => !OTHERS.includes(area));

/** The words of an example, about the service of the test: no sandbox is to be started. */
const wordsIn = (example: string): readonly string[] =>
  (example.replace('--profile sandbox ', '').split(/ [<>|] /)[0] ?? '')
    .split(' ')
    .map((word) => word.replaceAll(/["'\\]/g, ''));

/** A watch without a failure ends at this time. */
const ending = (words: readonly string[]): readonly string[] =>
  words.includes('--watch') ? [...words, '--timeout', '1'] : words;

/** What examples name. */
const files = { 'orders.yaml': 'version: 1\norders: []\n', password: 'correct horse\n' };

it.each(calling.map((leaf) => [leaf.words.join(' '), leaf] as const))(
  '%s: a script that reads its help finds 4, 5 and 9 there, if it ever sends something',
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

it('the flows that send the most are among those that were seen to send', () => {
  const flows = calling.filter(({ calls = [] }) => calls.length > 0).map(({ words }) => words.join(' '));
  expect(flows).toEqual(expect.arrayContaining(['order export', 'order apply', 'kyc start', 'pay run']));
});
