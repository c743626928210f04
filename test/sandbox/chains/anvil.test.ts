import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAnvil } from '../../../src/sandbox/chains/anvil.ts';
import { anvilPackage, findAnvil } from '../../../src/sandbox/chains/anvil-binary.ts';
import { temporaryFolder } from '../../support/io.ts';

test('each system gets the package of its build, and others none', () => {
  expect(anvilPackage('linux', 'x64')).toBe('@foundry-rs/anvil-linux-amd64');
  expect(anvilPackage('darwin', 'arm64')).toBe('@foundry-rs/anvil-darwin-arm64');
  expect(anvilPackage('win32', 'x64')).toBe('@foundry-rs/anvil-win32-amd64');
  expect(anvilPackage('win32', 'arm64')).toBeUndefined();
  expect(anvilPackage('freebsd', 'x64')).toBeUndefined();
});

test('a machine without a build, or an installation without the package, is told so', () => {
  const code = 'sandbox_unavailable';
  expect(() => findAnvil('linux', 'riscv64')).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining('riscv64') }),
  );
  // The package of another system is never installed here.
  const missing = expect.objectContaining({ code, message: expect.stringContaining('@foundry-rs/anvil-win32-amd64') });
  expect(() => findAnvil('win32', 'x64')).toThrow(missing);
});

/** A program that ends as anvil does where the C library is not its own. */
const binaryThatSays = async (text: string): Promise<string> => {
  const path = join(await temporaryFolder(), 'anvil');
  await writeFile(path, `#!/bin/sh\necho "${text}" >&2\nexit 1\n`);
  await chmod(path, 0o755);
  return path;
};

test.each([
  ['an old glibc', "anvil: /lib/libc.so.6: version 'GLIBC_2.35' not found", 'glibc 2.35'],
  ['any other end', 'Error: something else', 'something else'],
])('%s is explained', async (_what, said, expected) => {
  const failure = { code: 'sandbox_unavailable', message: expect.stringContaining(expected) };
  await expect(startAnvil({ chainId: 1_000_001, binary: await binaryThatSays(said) })).rejects.toMatchObject(failure);
});

test('a binary that the system cannot load, as on musl, is explained', async () => {
  const path = join(await temporaryFolder(), 'anvil');
  await writeFile(path, '#!/no/such/loader\n');
  await chmod(path, 0o755);
  const failure = { code: 'sandbox_unavailable', message: expect.stringContaining('musl') };
  await expect(startAnvil({ chainId: 1_000_001, binary: path })).rejects.toMatchObject(failure);
});
