import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/core/next.ts';
import { secret } from '../../src/core/secret.ts';
import { addKey } from '../../src/keystore/change.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { unlock } from '../../src/keystore/unlock.ts';
import { forgetDerived } from '../support/derive-once.ts';
import { type Given, testIo } from '../support/io.ts';
import { ADDRESS, changeField, ethersFile, failureOf, hexOf, KEY, keyBytes } from './support.ts';

const fileWithoutAddress = async (): Promise<string> => changeField(await ethersFile('x'), 'address', () => undefined);

const withKey = async (text: string, options: Given) => {
  const fake = await testIo(options);
  const keystore = openKeystore(fake.io);
  await keystore.create('till', text);
  return { ...fake, keystore };
};

describe('unlocking a key', () => {
  it('does not block the event loop, so that the spinner turns, and returns a key that can be wiped', async () => {
    const { io, spun } = await testIo({ stdin: 'open sesame\n' });
    const keystore = openKeystore(io);
    await addKey(io, keystore, { name: 'till', chain: 'evm', privateKey: keyBytes(), password: secret('open sesame') });
    forgetDerived();
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    const key = await unlock(io, keystore, 'till', { passwordStdin: true });
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(5);
    expect(spun).toEqual(['Encrypting till', 'Unlocking till']);
    expect(key).toMatchObject({ chain: 'evm', name: 'till', address: ADDRESS });
    expect(hexOf(key.privateKey)).toBe(KEY);
    key.wipe();
    expect(hexOf(key.privateKey)).toBe('0'.repeat(64));
  });

  it('prints a warning of the weak scrypt cost on stderr and nothing on stdout', async () => {
    const { io, keystore, said } = await withKey(await ethersFile('x'), { stdin: 'x' });
    await unlock(io, keystore, ADDRESS, { passwordStdin: true });
    expect(said.stderr).toMatch(
      /^warning: key till: its scrypt with N = 1024 is weak.* \(\S+till\.json\)\nTo fix this: bursar key passwd till\n$/,
    );
    expect(said.stdout).toBe('');
  });

  it('does not suggest a new password while the password is being changed', async () => {
    const { io, keystore, said } = await withKey(await ethersFile('x'), { stdin: 'x' });
    await unlock(io, keystore, ADDRESS, { passwordStdin: true, isRewritten: true });
    expect(said.stderr).toMatch(/^warning: key till: .*\nThe new file fixes this.\n$/);
  });

  it('asks the user to confirm the address of a file without one, and fails on no', async () => {
    const yes = await withKey(await fileWithoutAddress(), { answers: ['x', true] });
    expect((await unlock(yes.io, yes.keystore, 'till', {})).address).toBe(ADDRESS);
    expect(yes.asked.at(-1)).toContain(ADDRESS);
    const no = await withKey(await fileWithoutAddress(), { answers: ['x', false] });
    expect((await failureOf(unlock(no.io, no.keystore, 'till', {}))).code).toBe('refused_by_review');
  });

  it('without a terminal rejects a file without an address, and accepts the file with --yes', async () => {
    const { io, keystore } = await withKey(await fileWithoutAddress(), { stdin: 'x' });
    const failure = await failureOf(unlock(io, keystore, 'till', { passwordStdin: true }));
    expect(failure.code).toBe('confirmation_needed');
    expect(failure.message).toContain(ADDRESS);
    expect((await unlock(io, keystore, 'till', { passwordStdin: true, yes: true })).address).toBe(ADDRESS);
  });

  it('names the file when the password is wrong', async () => {
    const { io, keystore } = await withKey(await ethersFile('x'), { stdin: 'y' });
    const failure = await failureOf(unlock(io, keystore, 'till', { passwordStdin: true }));
    expect(failure.code).toBe('wrong_password');
    expect(failure.message).toContain(`${keystore.folder}/till.json`);
  });

  it('fails without asking for a password when the key is for another chain family', async () => {
    const { io, keystore } = await withKey(await ethersFile('x'), {});
    const failure = await failureOf(unlock(io, keystore, 'till', {}, 'solana'));
    expect(failure).toMatchObject({ code: 'invalid_input', details: { next: nextStep('key.list') } });
    expect(failure.message).toBe('the key till is for an EVM chain; this command needs a key for Solana');
  });

  it('fails without asking for a password when the key does not exist', async () => {
    const { io } = await testIo({ answers: [] });
    expect((await failureOf(unlock(io, openKeystore(io), 'till', {}))).code).toBe('key_not_found');
  });
});

describe('adding a key', () => {
  it('rejects a name that exists before any key derivation', async () => {
    const { io, keystore, spun } = await withKey(await ethersFile('x'), {});
    const adding = addKey(io, keystore, { name: 'till', chain: 'evm', privateKey: keyBytes(), password: secret('x') });
    expect((await failureOf(adding)).code).toBe('key_exists');
    expect(spun).toEqual([]);
  });
});
