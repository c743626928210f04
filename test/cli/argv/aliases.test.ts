import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { newHome } from '../../support/bursar.ts';
import { runInProcess } from '../../support/in-process.ts';

const newAliases = async () => {
  const { home } = await newHome();
  const run = (...args: readonly string[]) => runInProcess(home, [...args], {});
  return { home, run, file: join(home, 'aliases.json') };
};

const stored = (words: unknown, name = 'recent') => JSON.stringify({ version: 1, aliases: { [name]: words } });

describe('an alias', () => {
  it('runs its command with its options, and accepts further arguments', async () => {
    const { run, file } = await newAliases();
    expect(await run('alias', 'set', 'recent', 'pay', 'list', '--json')).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(await readFile(file, 'utf8')).aliases).toEqual({ recent: ['pay', 'list', '--json'] });
    expect(await run('recent', '--limit', '3')).toEqual(await run('pay', 'list', '--json', '--limit', '3'));
    expect((await run('recent', '--limit', '3')).stdout).toBe('[]\n');
    expect((await run('recent', '--nope')).stderr).toContain("unknown option '--nope'");
  });

  it('is set from one quoted text', async () => {
    const { run } = await newAliases();
    const { stdout } = await run('alias', 'set', 'recent', 'pay list --limit 3', '--json');
    expect(JSON.parse(stdout), 'options after the quoted text belong to alias set').toEqual({
      name: 'recent',
      command: 'pay list --limit 3',
    });
    expect((await run('alias', 'list', '--json')).stdout).toContain('"pay list --limit 3"');
  });

  it('keeps a global option that precedes it', async () => {
    const { run } = await newAliases();
    await run('alias', 'set', 'recent', 'pay', 'list');
    expect((await run('--json', 'recent')).stdout).toBe('[]\n');
    expect((await run('--fields', 'recent', 'recent', '--json')).stdout).toBe(
      (await run('--fields', 'recent', 'pay', 'list', '--json')).stdout,
    );
  });

  it.each([['--help'], ['-h']])('shows the help of its command with %s', async (flag) => {
    const { run } = await newAliases();
    await run('alias', 'set', 'recent', 'pay', 'list', '--json');
    expect((await run('recent', flag)).stdout).toBe((await run('pay', 'list', flag)).stdout);
    expect((await run('help', 'recent')).stdout).toBe((await run('pay', 'list', '--help')).stdout);
  });

  it('is listed, replaced and deleted; deleting an unknown alias is exit 2', async () => {
    const { run } = await newAliases();
    await run('alias', 'set', 'one', 'pay', 'list');
    await run('alias', 'set', 'one', 'key', 'list');
    await run('alias', 'set', 'two', 'yield', 'list');
    const list = JSON.parse((await run('alias', 'list', '--json')).stdout);
    expect(list).toEqual([
      { name: 'one', command: 'key list' },
      { name: 'two', command: 'yield list' },
    ]);
    expect(JSON.parse((await run('alias', 'delete', 'one', '--json')).stdout)).toEqual({ ...list[0], removed: true });
    const gone = await run('alias', 'delete', 'onee');
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no alias "onee"') });
    expect(JSON.parse((await run('alias', 'list', '--json')).stdout)).toEqual([list[1]]);
  });

  it('is completed for alias delete', async () => {
    const { run } = await newAliases();
    await run('alias', 'set', 'one', 'pay', 'list');
    expect((await run('completion', 'bash')).stdout).toContain("'alias delete') arguments='@aliases'");
    expect((await run('completion', '--values', 'aliases')).stdout).toBe('one\n');
  });
});

describe('a refused alias', () => {
  it.each([
    ['of another program', ['x', 'rm', '-rf', '/'], '"rm" is no command of bursar'],
    ['of a shell', ['x', '!ls'], '"!ls" is no command of bursar'],
    ['of another alias', ['x', 'recent'], '"recent" is no command of bursar'],
    ['that answers for the user', ['x', 'pay', 'run', '--yes'], '--yes belongs on the command line'],
    ['that answers with a value', ['x', 'pay', 'run', '--yes=true'], '--yes belongs on the command line'],
    ['that overrides a review', ['x', 'pay', 'run', '--allow-blind'], '--allow-blind belongs on the command line'],
    ['with a wrong name', ['X!', 'pay', 'list'], 'a name has at most 32 lowercase letters'],
    ['named help', ['help', 'pay', 'list'], 'help is a command of bursar'],
    ...AREAS.map(({ name }) => [`named ${name}`, [name, 'pay', 'list'], `${name} is a command of bursar`]),
  ] as [string, string[], string][])('%s: exit 2, and nothing is stored', async (_, words, message) => {
    const { run } = await newAliases();
    const { code, stdout, stderr } = await run('alias', 'set', ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect((await run('alias', 'list', '--json')).stdout).toBe('[]\n');
  });

  it.each([
    ['answers for the user', stored(['pay', 'run', '--yes'])],
    ['runs another program', stored(['rm', '-rf'])],
    ['is no list', stored('pay list')],
    ['is damaged', '{'],
    ['has no aliases', '{"version":1}'],
  ])('in a hand-written file that %s: exit 2, and the alias runs no command', async (_, text) => {
    const { run, file } = await newAliases();
    await writeFile(file, text, { mode: 0o600 });
    const { code, stdout, stderr } = await run('recent');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('aliases.json');
    // A command of bursar does not read the file of aliases.
    expect((await run('pay', 'list', '--json')).code).toBe(0);
  });

  it('in a project folder names no command, and a bursar.json with aliases is exit 2', async () => {
    const { run, home } = await newAliases();
    const project = join(home, 'project');
    await mkdir(project);
    const aliases = { recent: ['pay', 'list'] };
    await writeFile(join(project, 'aliases.json'), JSON.stringify({ version: 1, aliases }), { mode: 0o600 });
    const plain = await runInProcess(home, ['recent'], { cwd: project });
    expect([plain.code, plain.stderr.includes("unknown command 'recent'")]).toEqual([2, true]);
    await writeFile(join(project, 'bursar.json'), JSON.stringify({ aliases }));
    const refused = await runInProcess(home, ['pay', 'status', 'pay_1', '--json'], { cwd: project });
    expect([refused.code, refused.stdout.includes('aliases')]).toEqual([2, true]);
    expect((await runInProcess(home, ['recent'], { cwd: project })).stderr).toContain("unknown command 'recent'");
    expect((await run('alias', 'list', '--json')).stdout).toBe('[]\n');
  });

  it('in a file that other users can write to: exit 2', async () => {
    const { run, file } = await newAliases();
    await run('alias', 'set', 'recent', 'pay', 'list');
    await chmod(file, 0o666);
    expect(await run('recent')).toMatchObject({ code: 2, stderr: expect.stringContaining('other users can write to') });
  });

  it('with the name of a property of every object: unknown command', async () => {
    const { run } = await newAliases();
    expect((await run('constructor')).stderr).toContain("unknown command 'constructor'");
  });
});

describe('bursar commands', () => {
  it('prints the whole command tree as one document', async () => {
    const { run } = await newAliases();
    const { stdout, stderr } = await run('commands', '--json');
    expect(stderr).toBe('');
    const { commands, groups, global_options: globals, version } = JSON.parse(stdout);
    expect(groups).toEqual(AREAS.map(({ name, group, summary }) => ({ name, group, summary })));
    const aliases = Object.fromEntries(
      commands.map((each: { command: string; aliases: readonly string[] }) => [each.command, each.aliases]),
    );
    expect(aliases).toMatchObject({ 'pay list': ['ls'], 'pay forget': ['rm'], 'pay run': [] });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
    expect(commands.map(({ command }: { command: string }) => command)).toEqual(
      leaves.map(({ words }) => words.join(' ')),
    );
    for (const leaf of leaves) {
      const found = commands.find(({ command }: { command: string }) => command === leaf.words.join(' '));
      expect(found.options.map(({ flag }: { flag: string }) => flag)).toEqual(
        (leaf.options ?? []).map(({ flag }) => flag),
      );
      expect(found.examples).toEqual(leaf.examples.map((line) => `bursar ${line}`));
      expect(found.exit_codes).toEqual(expect.arrayContaining([0, 1, 2, 130]));
    }
    expect(globals.map(({ flag }: { flag: string }) => flag)).toContain('--profile');
  });
});
