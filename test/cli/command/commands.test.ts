import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../../src/cli/argv/command-line.ts';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { newHomeInProcess } from '../../support/in-process.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const names = leaves.map(({ words }) => words.join(' '));

const sources = async (folder: string): Promise<string> => {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return (await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
};

describe('the commands', () => {
  it('have unique names', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(leaves.map((leaf) => [leaf.words.join(' '), leaf] as const))(
    '%s has a summary, an example and described options, none of which hides a global option',
    (name, leaf) => {
      expect(leaf.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(leaf.examples.length).toBeGreaterThan(0);
      for (const example of leaf.examples) expect(`${example} `).toContain(`${name} `);
      const own = (leaf.options ?? []).map(({ flag }) => flag);
      expect(new Set(own).size).toBe(own.length);
      const taken: readonly string[] = GLOBAL_OPTIONS.map(({ flag }) => flag);
      expect(own.filter((flag) => taken.includes(flag))).toEqual([]);
      for (const { description } of leaf.options ?? []) expect(description.length).toBeGreaterThan(5);
    },
  );

  it('take no secret as the value of an option, except a one-time code and a card token', () => {
    const options = [...leaves.flatMap((leaf) => leaf.options ?? []), ...GLOBAL_OPTIONS].filter(
      (each) => 'value' in each,
    );
    const soundsSecret = /pass|secret|mnemonic|private|key|code|token|seed|pin|cvv|card/;
    const found = new Set(options.map(({ flag }) => flag).filter((flag) => soundsSecret.test(flag)));
    const ofFiles = [...found].filter((flag) => flag.endsWith('-file'));
    const ofNames = ['--key', '--order-code', '--payer-token-symbol', '--token', '--token-mint', '--address-zipcode'];
    expect([...found].toSorted()).toEqual([...ofFiles, ...ofNames, '--card-token', '--code'].toSorted());
    expect(ofFiles.length).toBeGreaterThan(3);
  });

  it('named in the source and the README all exist', async () => {
    const text = `${await sources('src')}\n${await readFile('README.md', 'utf8')}`;
    const areas = AREAS.map(({ name }) => name);
    const called = [
      ...text.matchAll(/(?:`|\$ |Run |says more: |next: '|\n|"|'|\()bursar ([a-z]+)(?: ([a-z][a-z-]+))?/g),
    ];
    const wrong = called
      .map(([, area = '', verb = '']) => ({ area, verb }))
      .filter(({ area }) => area !== 'help')
      .filter(({ area, verb }) => !areas.includes(area) || !(names.includes(area) || names.includes(`${area} ${verb}`)))
      .map(({ area, verb }) => `${area} ${verb}`);
    expect(wrong).toEqual([]);
    expect(called.length).toBeGreaterThan(20);
  });

  const shown = leaves.filter(({ supportsDryRun }) => supportsDryRun).flatMap(({ examples }) => examples);
  // order enable and order disable first read the order, and no service answers here.
  const needing = /\$|--body|--file|< |--wait|@|--key|order (?:enable|disable)/;
  it.each(shown.filter((example) => !needing.test(example)))(
    'the example "bursar %s" is a whole command',
    async (line) => {
      const { bursar } = await newHomeInProcess();
      const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };
      const args = line.replace('--profile sandbox ', '').split(' ');
      expect(await bursar([...args, '--dry-run', '--json'], { env })).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^(?:This is the request for one page[^\n]*\n)?$/),
      });
    },
  );

  it('the example of pay run with all its options is a whole command', async () => {
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k', BURSAR_KEY_PASSWORD: 'pw' };
    await bursar(['key', 'new', 'treasury', '--chain', 'evm'], { env });
    const line = leaves.find(({ words }) => words.join(' ') === 'pay run')?.examples[1] ?? '';
    expect(await bursar([...line.split(' '), '--dry-run', '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
  });
});
