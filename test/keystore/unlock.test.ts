import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/core/next.ts';
import { secret } from '../../src/core/secret.ts';
import { addKey } from '../../src/keystore/change.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { unlock } from '../../src/keystore/unlock.ts';
import { type Given, testIo } from '../support/io.ts';
import { ADDRESS, changed, ethersFile, failureOf, hexOf, KEY, keyBytes } from './support.ts';

const unnamed = async (): Promise<string> => changed(await ethersFile('x'), 'address', () => undefined);

const withKey = async (text: string, given: Given) => {
  const made = await testIo(given);
  const keystore = openKeystore(made.io);
  await keystore.create('till', text);
  return { ...made, keystore };
};

describe('unlocking', () => {
  it('keeps the event loop going, so that the spinner turns, and wipes the key afterwards', async () => {
    const { io, spun } = await testIo({ stdin: 'open sesame\n' });
    const keystore = openKeystore(io);
    await addKey(io, keystore, { name: 'till', chain: 'evm', privateKey: keyBytes(), password: secret('open sesame') });
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

  it('names the weakness of the file on stderr and nothing else', async () => {
    const { io, keystore, said } = await withKey(await ethersFile('x'), { stdin: 'x' });
    await unlock(io, keystore, ADDRESS, { passwordStdin: true });
    expect(said.stderr).toMatch(
      /^Warning, key till: its scrypt with N = 1024 is weak.* \(\S+till\.json\)\nTo fix this: bursar key passwd till\n$/,
    );
    expect(said.stdout).toBe('');
  });

  it('does not tell whoever is changing the password to change the password', async () => {
    const { io, keystore, said } = await withKey(await ethersFile('x'), { stdin: 'x' });
    await unlock(io, keystore, ADDRESS, { passwordStdin: true, isRewritten: true });
    expect(said.stderr).toMatch(/^Warning, key till: .*\nThe new file fixes this.\n$/);
  });

  it('shows the address of a file without one and goes on only when the user knows it', async () => {
    const yes = await withKey(await unnamed(), { answers: ['x', true] });
    expect((await unlock(yes.io, yes.keystore, 'till', {})).address).toBe(ADDRESS);
    expect(yes.asked.at(-1)).toContain(ADDRESS);
    const no = await withKey(await unnamed(), { answers: ['x', false] });
    expect((await failureOf(unlock(no.io, no.keystore, 'till', {}))).code).toBe('refused_by_review');
  });

  it('without a terminal refuses a file without an address, and takes it with --yes', async () => {
    const { io, keystore } = await withKey(await unnamed(), { stdin: 'x' });
    const failure = await failureOf(unlock(io, keystore, 'till', { passwordStdin: true }));
    expect(failure.code).toBe('confirmation_needed');
    expect(failure.message).toContain(ADDRESS);
    expect((await unlock(io, keystore, 'till', { passwordStdin: true, yes: true })).address).toBe(ADDRESS);
  });

  it('names the file that is damaged or that the password does not open', async () => {
    const { io, keystore } = await withKey(await ethersFile('x'), { stdin: 'y' });
    const failure = await failureOf(unlock(io, keystore, 'till', { passwordStdin: true }));
    expect(failure.code).toBe('wrong_password');
    expect(failure.message).toContain(`${keystore.folder}/till.json`);
  });

  it('asks for no password of a key of the other family, which cannot sign what is wanted', async () => {
    const { io, keystore } = await withKey(await ethersFile('x'), {});
    const failure = await failureOf(unlock(io, keystore, 'till', {}, 'solana'));
    expect(failure).toMatchObject({ code: 'invalid_input', details: { next: nextStep('key.list') } });
    expect(failure.message).toBe('the key till is for an EVM chain; this command needs a key for Solana');
  });

  it('asks for no password of a key that is not there', async () => {
    const { io } = await testIo({ answers: [] });
    expect((await failureOf(unlock(io, openKeystore(io), 'till', {}))).code).toBe('key_not_found');
  });
});

describe('adding a key', () => {
  it('refuses a taken name before it derives anything', async () => {
    const { io, keystore, spun } = await withKey(await ethersFile('x'), {});
    const adding = addKey(io, keystore, { name: 'till', chain: 'evm', privateKey: keyBytes(), password: secret('x') });
    expect((await failureOf(adding)).code).toBe('key_exists');
    expect(spun).toEqual([]);
  });
});
