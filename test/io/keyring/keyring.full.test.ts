import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyringOn } from '../../../src/io/keyring/keyring.ts';
import { temporaryFolder } from '../../support/io.ts';

/** What both stand-ins do: note the arguments, and keep passwords in a file. */
const COMMON = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const file = (name) => join(process.env.HOME, name);
const args = process.argv.slice(2);
appendFileSync(file('asked'), JSON.stringify(args) + '\\n');
const kept = existsSync(file('kept')) ? JSON.parse(readFileSync(file('kept'), 'utf8')) : {};
const keep = () => writeFileSync(file('kept'), JSON.stringify(kept));
const input = () => readFileSync(0, 'utf8');
const end = (code) => process.exit(code);
`;

/**
 * Stands for macOS's security, as its manual has it: \`-i\` reads commands from standard input, each word plain or in
 * quotes; \`-w\` of a search prints the password and a line feed, or, where it is not printable ASCII, its bytes in hex; \`-g\` says on stderr which.
 */
const SECURITY = `${COMMON}
const option = (words, name) => words[words.indexOf(name) + 1];
const nameOf = (words) => option(words, '-s') + ' ' + option(words, '-a');
const act = (words) => {
  const [verb] = words;
  if (verb === 'add-generic-password') {
    if (!words.includes('-U') && kept[nameOf(words)] !== undefined) return 45;
    kept[nameOf(words)] = option(words, '-w');
    keep();
    return 0;
  }
  const found = kept[nameOf(words)];
  if (found === undefined) return 44;
  if (verb === 'delete-generic-password') {
    delete kept[nameOf(words)];
    keep();
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

/** Stands for libsecret's secret-tool: \`store\` takes all of its input as the secret, \`lookup\` prints it as it is. */
const SECRET_TOOL = `${COMMON}
const [verb, ...rest] = args;
const name = rest.filter((word) => !word.startsWith('--')).join(' ');
if (verb === 'store') { kept[name] = input(); keep(); end(0); }
if (kept[name] === undefined) end(1);
if (verb === 'lookup') process.stdout.write(kept[name]);
if (verb === 'clear') { delete kept[name]; keep(); }
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

describe.each(TOOLS)('the keyring of %s, by its tool %s', (platform, command, tool, byHand, account) => {
  const given = async (program: string = tool) => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'bin'));
    await writeFile(join(home, 'bin', command), program, { mode: 0o755 });
    const env = { PATH: join(home, 'bin'), HOME: home, BURSAR_API_KEY: 'not-for-others' };
    const asked = async () => (await readFile(join(home, 'asked'), 'utf8').catch(() => '')) as string;
    return { home, asked, keyring: keyringOn(platform, { env, interrupted: new AbortController().signal }) };
  };
  const found = async (keyring: ReturnType<typeof keyringOn>) =>
    new TextDecoder().decode(await keyring.lookup('bursar', 'prod')).replace(/\n$/, '');

  it('gives back what was stored, which no list of processes ever showed', async () => {
    const { asked, keyring } = await given();
    for (const secret of SECRETS) {
      await keyring.store('bursar', 'prod', secret);
      expect(await found(keyring)).toBe(secret);
      const inArguments = (await asked()).split('\n').filter((line) => line.includes(JSON.stringify(secret)));
      expect(
        inArguments.filter((line) => secret !== '-w' && line !== ''),
        secret,
      ).toEqual([]);
    }
    await keyring.clear('bursar', 'prod');
    await expect(keyring.lookup('bursar', 'prod')).rejects.toMatchObject({
      code: 'unreadable_file',
      details: { next: { argv: byHand } },
    });
  });

  it('keeps nothing that could be another command to the tool', async () => {
    const { asked, keyring } = await given();
    for (const secret of ['a"b', 'a\\b', 'a b', 'a\nb', '', 'ä']) {
      await expect(keyring.store('bursar', 'prod', secret), secret).rejects.toMatchObject({ code: 'internal' });
    }
    await expect(keyring.store('bursar', 'prod" -w "', 'x')).rejects.toMatchObject({ code: 'internal' });
    expect(await asked()).toBe('');
  });

  it('believes no tool that says that it kept or removed something', async () => {
    const { keyring } = await given(IDLE);
    await expect(keyring.store('bursar', 'prod', 'x')).rejects.toMatchObject({ code: 'unreadable_file' });
    const { home, keyring: other } = await given(
      tool.replace('delete kept[nameOf(words)]', '').replace('delete kept[name]', ''),
    );
    await writeFile(join(home, 'kept'), JSON.stringify({ [account]: 'x' }));
    await expect(other.clear('bursar', 'prod')).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it('is there where it finds nothing, and is not where its tool is missing or reaches none', async () => {
    const { home, keyring } = await given();
    await expect(keyring.assertAvailable()).resolves.toBeUndefined();
    const none = `${COMMON}process.stderr.write('${command}: Cannot autolaunch D-Bus without X11 $DISPLAY\\n'); end(1);`;
    await expect((await given(none)).keyring.assertAvailable()).rejects.toMatchObject({ code: 'unreadable_file' });
    await rm(join(home, 'bin', command));
    await expect(keyring.assertAvailable()).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it('reads a password that a person stored there, letters of any language included', async () => {
    const { home, keyring } = await given();
    for (const password of ['correct horse battery staple', 'pässwörd', 'пароль', 'cafe', 'deadbeef', '1234']) {
      await writeFile(join(home, 'kept'), JSON.stringify({ [account]: password }));
      expect(await found(keyring)).toBe(password);
    }
  });
});
