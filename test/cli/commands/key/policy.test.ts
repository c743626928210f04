import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { newEvmKey } from '../../../support/cheap-key.ts';
import { ADDRESS, keyHome } from './support.ts';

const ANNA = '0x1111111111111111111111111111111111111111';
const WITH = ['--password-file', 'pw'] as const;

const policyFileOf = async (home: string) => {
  const folder = join(home, 'policies');
  const [name = ''] = await readdir(folder);
  return join(folder, name);
};

describe('key policy', () => {
  it('narrows a policy without the password, and prints the resulting policy', async () => {
    const { json } = await keyHome('e');
    const first = await json(['key', 'policy', 'set', 'e', 'chains=polygon,base', 'most_per_day.USDT=10']);
    const settings = { chains: ['polygon', 'base'], most_per_day: { USDT: '10' } };
    expect(first).toMatchObject({
      code: 0,
      data: { name: 'e', chain: 'evm', address: ADDRESS.e, sealed: false, policy: settings },
    });
    expect((await json(['key', 'policy', 'set', 'e', 'chains=base'])).code).toBe(0);
    expect((await json(['key', 'policy', 'show', 'e'])).data.policy).toEqual({ ...settings, chains: ['base'] });
  });

  it.each([
    ['a chain that comes back', ['set', 'e', 'chains=polygon']],
    ['a setting that goes', ['set', 'e', 'chains=']],
    ['a limit that is raised', ['set', 'e', 'most_per_day.USDT=11']],
    ['unset', ['unset', 'e']],
    ['unset of a part', ['unset', 'e', 'chains']],
  ])('%s needs the password: a missing or wrong password is exit 2 without a change', async (_, words) => {
    const { bursar, json, put } = await keyHome('e');
    await json(['key', 'policy', 'set', 'e', 'chains=base', 'most_per_day.USDT=10']);
    await put('wrong', 'no');
    for (const password of [[], ['--password-file', 'wrong']]) {
      expect((await bursar(['key', 'policy', ...words, ...password])).code).toBe(2);
      const { data } = await json(['key', 'policy', 'show', 'e']);
      expect(data.policy).toEqual({ chains: ['base'], most_per_day: { USDT: '10' } });
    }
    const allowed = await json(['key', 'policy', ...words, ...WITH]);
    expect(allowed).toMatchObject({ code: 0, data: { sealed: true } });
    expect(allowed.data.policy).not.toEqual({ chains: ['base'], most_per_day: { USDT: '10' } });
  });

  it('an unknown action is refused before the name is required; a key name alone suggests show', async () => {
    const { bursar } = await keyHome('e');
    const noAction = await bursar(['key', 'policy', 'allow', 'e']);
    expect(noAction).toMatchObject({ code: 2, stderr: expect.stringContaining('it is one of show, set, unset') });
    const alone = await bursar(['key', 'policy', 'e']);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('next: bursar key policy show e\n') });
    expect(alone.stderr).not.toContain('NAME');
  });

  it('reads a list from a file, and names every wrong setting at once', async () => {
    const { bursar, json, put } = await keyHome('e');
    await put('receivers.txt', `${ANNA}\n${ADDRESS.e},\n`);
    const { data } = await json(['key', 'policy', 'set', 'e', 'recipients=@receivers.txt']);
    expect(data.policy.recipients).toEqual([ANNA, ADDRESS.e]);
    const wrong = ['most_per_day.USTD=1', 'most_fee.solana=1', 'chain=base', 'recipients=@none.txt'];
    for (const setting of wrong) {
      const { code, stderr } = await bursar(['key', 'policy', 'set', 'e', setting, ...WITH]);
      expect({ code, setting, stderr }).toMatchObject({ code: 2 });
    }
    const { code, stderr } = await bursar(['key', 'policy', 'set', 'e', 'most_per_day.USTD=1', 'chains=polgon']);
    expect(code).toBe(2);
    for (const field of ['most_per_day.USTD', 'chains']) expect(stderr).toContain(`  ${field}: `);
  });

  it.each([
    [['key', 'policy'], 'ACTION'],
    [['key', 'policy', 'set', 'e'], 'KEY=VALUE'],
    [['key', 'policy', 'drop', 'e'], 'show, set, unset'],
    [['key', 'policy', 'show', 'nobody'], 'nobody'],
    [['key', 'policy', 'unset', 'e', 'chains=base'], 'unset takes setting names'],
  ])('%j is exit 2, and the error names the missing or wrong part', async (words, says) => {
    const { bursar } = await keyHome('e');
    const { code, stderr } = await bursar(words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  });

  it('has one help page, also for its actions', async () => {
    const { bursar } = await keyHome();
    const page = (await bursar(['key', 'policy', '--help'])).stdout;
    expect(page).toContain('most_fee.CHAIN');
    expect((await bursar(['help', 'key', 'policy', 'set'])).stdout).toBe(page);
    expect((await bursar(['help', 'key', 'policy', 'sett'])).code).toBe(2);
  });
});

describe('a policy', () => {
  it('belongs to the address: it survives another name, a removal, an import and another password', async () => {
    const { home, bursar, json, put } = await keyHome('e');
    await json(['key', 'policy', 'set', 'e', 'chains=base', ...WITH]);
    const shown = async (name: string) => (await json(['key', 'policy', 'show', name])).data.policy;
    await bursar(['key', 'rename', 'e', 'other']);
    expect(await shown('other')).toEqual({ chains: ['base'] });
    expect(await shown(ADDRESS.e.toLowerCase())).toEqual({ chains: ['base'] });
    await bursar(['key', 'export', 'other', '--format', 'v3', '--out', 'copy.json', ...WITH]);
    await bursar(['key', 'remove', 'other', '--yes']);
    await put('new', 'another');
    const imported = ['key', 'import', 'back', '--chain', 'evm', '--file', 'copy.json'];
    await bursar([...imported, '--source-password-file', 'pw', '--password-file', 'new']);
    expect(await shown('back')).toEqual({ chains: ['base'] });
    const signed = await bursar(['key', 'sign-message', 'back', '--message', 'hi', '--password-file', 'new']);
    expect(signed.code, 'the seal depends on the key, not on a password').toBe(0);
    await bursar(['key', 'passwd', 'back', '--password-file', 'new', '--new-password-file', 'pw']);
    expect((await bursar(['key', 'sign-message', 'back', '--message', 'hi', ...WITH])).code).toBe(0);
    const file = await readFile(join(home, 'keys', 'back.json'), 'utf8');
    expect((await Wallet.fromEncryptedJson(file, 'correct-horse-battery')).address, 'ethers unlocks the file').toBe(
      ADDRESS.e,
    );
  });

  it('of a Solana key has a seal too', async () => {
    const { json } = await keyHome('s');
    const { data } = await json(['key', 'policy', 'set', 's', 'chains=solana', 'most_per_day.USDC=5', ...WITH]);
    expect(data).toMatchObject({ chain: 'solana', address: ADDRESS.s, sealed: true });
  });
});

describe('a policy that is missing or changed', () => {
  it.each<[string, (path: string) => Promise<void>]>([
    ['missing', rm],
    ['changed', async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('base', 'ethereum'))],
  ])('%s: nothing is signed, exit 10, and the named command repairs the policy', async (_, damage) => {
    const { home, bursar, json } = await keyHome('e');
    await json(['key', 'policy', 'set', 'e', 'chains=base']);
    await damage(await policyFileOf(home));
    const refused = await json(['key', 'sign-message', 'e', '--message', 'hi', ...WITH]);
    expect(refused).toMatchObject({ code: 10, data: { error: { code: 'refused_by_review' } } });
    expect((await bursar(['key', 'policy', 'set', 'e', 'chains=base'])).code, 'the repair needs the password').toBe(2);
    const [program, ...next] = refused.data.error.next.split(' ');
    expect(program).toBe('bursar');
    expect((await bursar([...next, ...WITH])).code).toBe(0);
    expect((await bursar(['key', 'sign-message', 'e', '--message', 'hi', ...WITH])).code).toBe(0);
  });

  it('still allows the key to be shown, exported and removed', async () => {
    const { home, bursar, json } = await keyHome('e');
    await json(['key', 'policy', 'set', 'e', 'chains=base', ...WITH]);
    await rm(await policyFileOf(home));
    const { code, stderr } = await bursar(['key', 'show', 'e']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('cannot be trusted') });
    expect((await bursar(['key', 'export', 'e', '--format', 'v3', '--out', '-', ...WITH])).code).toBe(0);
    expect((await bursar(['key', 'remove', 'e', '--yes'])).code).toBe(0);
  });
});

describe('policies in the output of commands', () => {
  it('key show prints the policies of the key and of the profile, the pins and the limits', async () => {
    const { json } = await keyHome('e');
    expect(Object.keys((await json(['key', 'show', 'e'])).data)).toEqual(['name', 'chain', 'address', 'path']);
    const pins = [{ chain: 'polygon', address: ANNA, selector: '0xd09de08a' }];
    await json(['profile', 'set', 'sandbox', 'policy.most_per_day.USDC=7', `pins=${JSON.stringify(pins)}`]);
    await json(['key', 'policy', 'set', 'e', 'most_per_day.USDT=10', ...WITH]);
    const { data } = await json(['key', 'show', 'e', '--profile', 'sandbox']);
    expect(data).toMatchObject({
      policy: { sealed: true, most_per_day: { USDT: '10' } },
      profile: 'sandbox',
      profile_policy: { most_per_day: { USDC: '7' } },
      pins,
    });
    const { data: looked } = await json(['doctor', '--offline']);
    expect(looked.checks).toContainEqual(expect.objectContaining({ check: 'pins', state: 'ok' }));
    const limit = { most: '10', counted: '0', policy: 'the key e', setting: 'most_per_day.USDT' };
    expect(data.limits).toContainEqual({ ...limit, world: 'live' });
    expect(data.limits).toContainEqual({ ...limit, world: 'sandbox' });
    expect(data.limits).toContainEqual(expect.objectContaining({ policy: 'the profile sandbox', world: 'sandbox' }));
  });

  it('doctor lists the policies, and fails for a missing policy file, also without its key', async () => {
    const { home, json } = await keyHome('e');
    const found = async () => {
      const { code, data } = await json(['doctor', '--offline']);
      const of = data.checks.filter(({ check }: { check: string }) => check === 'policies');
      return { code, states: of.map(({ state }: { state: string }) => state), says: JSON.stringify(of) };
    };
    expect(await found()).toMatchObject({ states: ['ok'] });
    expect((await json(['profile', 'set', 'sandbox', 'policy.most_per_day.USTD=7'])).code).toBe(2);
    const profiles = { sandbox: { policy: { most_per_day: { USTD: '7' } } } };
    await writeFile(join(home, 'profiles.json'), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
    await json(['key', 'policy', 'set', 'e', 'chains=base', ...WITH]);
    const { states, says } = await found();
    expect(states.toSorted()).toEqual(['ok', 'warn']);
    expect(says).toContain('e: chains; sealed');
    expect(says).toContain('profile sandbox: policy.most_per_day.USTD');
    await rm(await policyFileOf(home));
    await json(['key', 'remove', 'e', '--yes']);
    expect(await found()).toMatchObject({ code: 10, states: expect.arrayContaining(['fail']) });
  });

  it('only the owner can read a policy and its marker', async () => {
    const { home, bursar } = await keyHome();
    await newEvmKey(home, 'cheap');
    await bursar(['key', 'policy', 'set', 'cheap', 'chains=base']);
    const { stat } = await import('node:fs/promises');
    for (const folder of [join(home, 'policies'), join(home, 'state', 'policies')]) {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });
});
