import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADDRESS, keyHome, PASSWORD } from './support.ts';

/** Replaces the secret-tool of libsecret: it stores its arguments and environment, and prints the password of `s`. */
const TOOL = `#!/bin/sh
echo "$@" > "$HOME/asked"; env > "$HOME/environment"
[ "$*" = 'lookup service bursar key s' ] && printf '%s' '${PASSWORD}'
`;

const given = async (tool: string | undefined) => {
  const { home, alone } = await keyHome('s', 'e');
  const bin = join(home, 'bin');
  await mkdir(bin);
  if (tool !== undefined) {
    await writeFile(join(bin, 'secret-tool'), tool);
    await chmod(join(bin, 'secret-tool'), 0o755);
  }
  const path = tool === undefined ? bin : `${bin}:${process.env['PATH']}`;
  const sign = (name: string, ...more: readonly string[]) =>
    alone(['key', 'sign-message', name, '--message', 'hello', '--password-keyring', '--quiet', ...more], {
      env: { PATH: path, BURSAR_API_KEY: 'not-for-others' },
    });
  return { home, sign };
};

describe.runIf(process.platform === 'linux')('--password-keyring', () => {
  it('unlocks a key with its password from the keyring; the tool does not get the API key', async () => {
    const { home, sign } = await given(TOOL);
    const { code, stdout, stderr } = await sign('s');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(ADDRESS.s);
    expect(await readFile(join(home, 'asked'), 'utf8')).toBe('lookup service bursar key s\n');
    expect(await readFile(join(home, 'environment'), 'utf8')).not.toContain('not-for-others');
  });

  it('prints how to store a missing password, and how to install a missing tool: exit 2', async () => {
    const { sign } = await given(TOOL);
    const { code, stderr } = await sign('e');
    expect(code).toBe(2);
    expect(stderr).toContain("next: secret-tool store '--label=bursar e' service bursar key e");
    const none = await (await given(undefined)).sign('s');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('apt-get install libsecret-tools');
  });

  it('cannot be combined with --password-file: exit 2', async () => {
    const { sign } = await given(TOOL);
    expect((await sign('s', '--password-file', 'pw')).code).toBe(2);
  });
});
