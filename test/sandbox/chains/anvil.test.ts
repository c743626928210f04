import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAnvil } from '../../../src/sandbox/chains/anvil.ts';
import { anvilPackage, findAnvil } from '../../../src/sandbox/chains/anvil-binary.ts';
import { temporaryFolder } from '../../support/io.ts';

test('names the anvil package of each supported system, and none for other systems', () => {
  expect(anvilPackage('linux', 'x64')).toBe('@foundry-rs/anvil-linux-amd64');
  expect(anvilPackage('darwin', 'arm64')).toBe('@foundry-rs/anvil-darwin-arm64');
  expect(anvilPackage('win32', 'x64')).toBe('@foundry-rs/anvil-win32-amd64');
  expect(anvilPackage('win32', 'arm64')).toBeUndefined();
  expect(anvilPackage('freebsd', 'x64')).toBeUndefined();
});

test('throws sandbox_unavailable without an anvil build for the machine, and without its package', () => {
  const code = 'sandbox_unavailable';
  expect(() => findAnvil('linux', 'riscv64')).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining('riscv64') }),
  );
  // The package for Windows is never installed here.
  const missing = expect.objectContaining({ code, message: expect.stringContaining('@foundry-rs/anvil-win32-amd64') });
  expect(() => findAnvil('win32', 'x64')).toThrow(missing);
});

/** Writes a program that prints a text to stderr and fails, as anvil does with a wrong C library. */
const failingBinary = async (text: string): Promise<string> => {
  const path = join(await temporaryFolder(), 'anvil');
  await writeFile(path, `#!/bin/sh\necho "${text}" >&2\nexit 1\n`);
  await chmod(path, 0o755);
  return path;
};

test.each([
  ['an old glibc', "anvil: /lib/libc.so.6: version 'GLIBC_2.35' not found", 'glibc 2.35'],
  ['any other failure', 'Error: something else', 'something else'],
])('explains in the error why anvil fails to start: %s', async (_name, output, expected) => {
  const failure = { code: 'sandbox_unavailable', message: expect.stringContaining(expected) };
  await expect(startAnvil({ chainId: 1_000_001, binary: await failingBinary(output) })).rejects.toMatchObject(failure);
});

test('explains in the error that the system cannot load the anvil binary, as on musl', async () => {
  const path = join(await temporaryFolder(), 'anvil');
  await writeFile(path, '#!/no/such/loader\n');
  await chmod(path, 0o755);
  const failure = { code: 'sandbox_unavailable', message: expect.stringContaining('musl') };
  await expect(startAnvil({ chainId: 1_000_001, binary: path })).rejects.toMatchObject(failure);
});
