import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyringOn } from '../../../src/io/keyring/keyring.ts';
import { temporaryFolder } from '../../support/io.ts';

/** The start of both fake tools, which record their arguments and store passwords in a file. */
const COMMON = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const file = (name) => join(process.env.HOME, name);
const args = process.argv.slice(2);
appendFileSync(file('calls'), JSON.stringify(args) + '\\n');
const stored = existsSync(file('stored')) ? JSON.parse(readFileSync(file('stored'), 'utf8')) : {};
const save = () => writeFileSync(file('stored'), JSON.stringify(stored));
const input = () => readFileSync(0, 'utf8');
const end = (code) => process.exit(code);
`;

/**
 * Stands for \`security\` of macOS, after its manual: \`-i\` reads commands from standard input, each word plain or in
 * quotes; \`-w\` of a search prints the password and a line feed, or its bytes in hex if the password is not printable
 * ASCII; \`-g\` shows on stderr which of the two forms was printed.
 */
const SECURITY = `${COMMON}
const option = (words, name) => words[words.indexOf(name) + 1];
const nameOf = (words) => option(words, '-s') + ' ' + option(words, '-a');
const act = (words) => {
  const [verb] = words;
  if (verb === 'add-generic-password') {
    if (!words.includes('-U') && stored[nameOf(words)] !== undefined) return 45;
    stored[nameOf(words)] = option(words, '-w');
    save();
    return 0;
  }
  const found = stored[nameOf(words)];
  if (found === undefined) return 44;
  if (verb === 'delete-generic-password') {
    delete stored[nameOf(words)];
    save();
    return 0;
  }
  if (verb !== 'find-generic-password') return 2;
  const isPrintable = /^[ -~]*$/.test(found);
  const hex = Buffer.from(found).toString('hex');
  if (words.at(-1) === '-w') process.stdout.write((isPrintable ? found : hex) + '\\n');
  if (words.at(-1) === '-g') {
    process.stdout.write('keychain: "login.keychain-db"\\nclass: "genp"\\n');
    process.stderr.write('password: ' + (isPrintable ? '"' + found + '"' : '0x' + hex.toUpperCase() + '  "?"') + '\\n');
  }
  return 0;
};
const wordsOf = (line) => [...line.matchAll(/"([^"]*)"|(\\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
if (args[0] === '-i') for (const line of input().split('\\n').filter(Boolean)) act(wordsOf(line));
else process.exitCode = act(args);
`;

/** Stands for \`secret-tool\` of libsecret: \`store\` reads its whole input as the secret, \`lookup\` prints the secret unchanged. */
const SECRET_TOOL = `${COMMON}
const [verb, ...rest] = args;
const name = rest.filter((word) => !word.startsWith('--')).join(' ');
if (verb === 'store') { stored[name] = input(); save(); end(0); }
if (stored[name] === undefined) end(1);
if (verb === 'lookup') process.stdout.write(stored[name]);
if (verb === 'clear') { delete stored[name]; save(); }
`;

const IDLE = `${COMMON}
end(0);
`;

const TOOLS = [
  [
    'darwin',
    'security',
    SECURITY,
    ['security', 'add-generic-password', '-s', 'bursar', '-a', 'prod', '-w'],
    'bursar prod',
  ],
  [
    'linux',
    'secret-tool',
    SECRET_TOOL,
    ['secret-tool', 'store', '--label=bursar prod', 'service', 'bursar', 'key', 'prod'],
    'service bursar key prod',
  ],
] as const;

const SECRETS = [
  'sk_live_0123456789abcdef',
  'd259cc9961fbd259cc9961fbd259cc99',
  '70c3a4737377c3b67264',
  "!#$%&'()*+,-./:;<=>?@[]^_`{|}~",
  '$(id)`id`',
  '-w',
  'x'.repeat(512),
];

describe.each(TOOLS)('the keyring of %s with the tool %s', (platform, command, tool, manualCommand, account) => {
  const setup = async (program: string = tool) => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'bin'));
    await writeFile(join(home, 'bin', command), program, { mode: 0o755 });
    const env = { PATH: join(home, 'bin'), HOME: home, BURSAR_API_KEY: 'not-for-the-tool' };
    const calls = async () => (await readFile(join(home, 'calls'), 'utf8').catch(() => '')) as string;
    return { home, calls, keyring: keyringOn(platform, { env, interrupted: new AbortController().signal }) };
  };
  const lookup = async (keyring: ReturnType<typeof keyringOn>) =>
    new TextDecoder().decode(await keyring.lookup('bursar', 'prod')).replace(/\n$/, '');

  it('returns a stored password, and no argument of a process shows the password', async () => {
    const { calls, keyring } = await setup();
    for (const secret of SECRETS) {
      await keyring.store('bursar', 'prod', secret);
      expect(await lookup(keyring)).toBe(secret);
      const inArguments = (await calls()).split('\n').filter((line) => line.includes(JSON.stringify(secret)));
      expect(
        inArguments.filter((line) => secret !== '-w' && line !== ''),
        secret,
      ).toEqual([]);
    }
    await keyring.clear('bursar', 'prod');
    await expect(keyring.lookup('bursar', 'prod')).rejects.toMatchObject({
      code: 'unreadable_file',
      details: { next: { argv: manualCommand } },
    });
  });

  it('rejects a password or name that the tool could read as another command, and does not call the tool', async () => {
    const { calls, keyring } = await setup();
    for (const secret of ['a"b', 'a\\b', 'a b', 'a\nb', '', 'ä']) {
      await expect(keyring.store('bursar', 'prod', secret), secret).rejects.toMatchObject({ code: 'internal' });
    }
    await expect(keyring.store('bursar', 'prod" -w "', 'x')).rejects.toMatchObject({ code: 'internal' });
    expect(await calls()).toBe('');
  });

  it('fails when the tool exits with 0 but did not store or remove the password', async () => {
    const { keyring } = await setup(IDLE);
    await expect(keyring.store('bursar', 'prod', 'x')).rejects.toMatchObject({ code: 'unreadable_file' });
    const { home, keyring: other } = await setup(
      tool.replace('delete stored[nameOf(words)]', '').replace('delete stored[name]', ''),
    );
    await writeFile(join(home, 'stored'), JSON.stringify({ [account]: 'x' }));
    await expect(other.clear('bursar', 'prod')).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it('is available without stored passwords, and not available when the tool is missing or fails', async () => {
    const { home, keyring } = await setup();
    await expect(keyring.assertAvailable()).resolves.toBeUndefined();
    const none = `${COMMON}process.stderr.write('${command}: Cannot autolaunch D-Bus without X11 $DISPLAY\\n'); end(1);`;
    await expect((await setup(none)).keyring.assertAvailable()).rejects.toMatchObject({ code: 'unreadable_file' });
    await rm(join(home, 'bin', command));
    await expect(keyring.assertAvailable()).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it('reads a password that the user stored by hand, also with letters beyond ASCII', async () => {
    const { home, keyring } = await setup();
    for (const password of ['correct horse battery staple', 'pässwörd', 'пароль', 'cafe', 'deadbeef', '1234']) {
      await writeFile(join(home, 'stored'), JSON.stringify({ [account]: password }));
      expect(await lookup(keyring)).toBe(password);
    }
  });
});
