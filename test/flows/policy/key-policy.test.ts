import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/chain/review/policy.ts';
import { nextStep } from '../../../src/core/next.ts';
import { assertSealed, narrowKeyPolicy, readKeyPolicy, sealKeyPolicy } from '../../../src/flows/policy/key-policy.ts';
import type { Io } from '../../../src/io/io.ts';
import { addressOf } from '../../../src/keystore/evm-address.ts';
import { policyPath } from '../../../src/keystore/policy.ts';
import { testIo } from '../../support/io.ts';

const newKey = () => {
  const privateKey = randomBytes(32);
  return { chain: 'evm', address: addressOf(privateKey), privateKey } as const;
};
type Key = ReturnType<typeof newKey>;

const given = async () => {
  const { io, home } = await testIo();
  const key = newKey();
  const path = policyPath(io, key);
  const marker = join(io.places.state, 'policies', path.slice(path.lastIndexOf('/') + 1));
  return { io, home, key, path, marker };
};

const seal = (io: Io, key: Key, policy: Policy) => sealKeyPolicy(io, key, () => policy);
const narrow = (io: Io, key: Key, policy: Policy) => narrowKeyPolicy(io, key, () => policy);
const CHAINS = { chains: ['polygon', 'base'] };
const REFUSED = { code: 'refused_by_review', details: { errors: [{ field: 'policy' }] } };

describe('the policy of an address', () => {
  it('is none before one is set, and is read as it was sealed, in whatever letters the address is written', async () => {
    const { io, key } = await given();
    expect(await readKeyPolicy(io, key)).toBeUndefined();
    await assertSealed(io, key);
    await seal(io, key, CHAINS);
    const lower = { ...key, address: key.address.toLowerCase() };
    expect(await readKeyPolicy(io, lower)).toEqual({ policy: CHAINS, isSealed: true, hasMandate: false });
    await assertSealed(io, lower);
  });

  it('that was set without the password holds, and is sealed when the key is next unlocked', async () => {
    const { io, key } = await given();
    await narrow(io, key, CHAINS);
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: CHAINS, isSealed: false });
    await assertSealed(io, key);
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: CHAINS, isSealed: true });
    await expect(narrow(io, key, { chains: ['bsc'] }), 'it can only narrow').rejects.toMatchObject({
      code: 'unwritable_file',
    });
  });

  it('is a mandate only once it is sealed', async () => {
    const { io, key } = await given();
    const mandate = { ...CHAINS, tokens: ['USDT'], recipients: [key.address], most_per_transaction: { USDT: '1' } };
    await expect(narrow(io, key, mandate)).rejects.toMatchObject({ code: 'unwritable_file' });
    await seal(io, key, mandate);
    expect(await readKeyPolicy(io, key)).toMatchObject({ hasMandate: true });
  });

  it('can be removed by the password, and is then known to be none', async () => {
    const { io, key } = await given();
    await seal(io, key, CHAINS);
    await seal(io, key, {});
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: {} });
    await assertSealed(io, key);
  });
});

describe('a policy that is not as its owner set it', () => {
  it.each<[string, (at: Awaited<ReturnType<typeof given>>) => Promise<unknown>, RegExp]>([
    ['a file that is gone', ({ path }) => rm(path), /is missing$/],
    ['a marker that is gone', ({ marker }) => rm(marker), /its marker .* is missing$/],
    ['a marker that is damaged', ({ marker }) => writeFile(marker, '{}'), /its marker .* is damaged$/],
    ['a file that is empty', ({ path }) => writeFile(path, ''), /was changed by another program$/],
    [
      'a limit that was raised in the file',
      async ({ path }) => writeFile(path, (await readFile(path, 'utf8')).replace('"10"', '"1000"')),
      /was changed by another program$/,
    ],
  ])('%s stops every signature, and says what to do', async (_, damage, why) => {
    const at = await given();
    const { io, key } = at;
    await seal(io, key, { most_per_day: { USDT: '10' } });
    await damage(at);
    for (const work of [() => readKeyPolicy(io, key), () => assertSealed(io, key)]) {
      await expect(work()).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringMatching(why),
        details: { next: nextStep('key.policy.unset', key.address), hint: expect.stringContaining(at.path) },
      });
    }
    await seal(io, key, { chains: ['base'] });
    await assertSealed(io, key);
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: { chains: ['base'] } });
  });

  it('an older file in its place is found, and a file of another address', async () => {
    const { io, key, path } = await given();
    await seal(io, key, { most_per_day: { USDT: '1000' } });
    const old = await readFile(path, 'utf8');
    await seal(io, key, { most_per_day: { USDT: '10' } });
    await writeFile(path, old);
    await expect(readKeyPolicy(io, key)).rejects.toMatchObject({ ...REFUSED, message: expect.stringMatching(/older/) });
    const other = newKey();
    await seal(io, other, {});
    await writeFile(path, await readFile(policyPath(io, other), 'utf8'));
    await expect(readKeyPolicy(io, key)).rejects.toMatchObject(REFUSED);
  });

  it('what was changed together with its marker does not carry the seal, or may only narrow it', async () => {
    const { io, key, path, marker } = await given();
    const digestOf = async (text: string) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
    const forge = async (change: (file: Record<string, unknown>) => object) => {
      await seal(io, key, { most_per_day: { USDT: '10' } });
      const text = JSON.stringify(change(JSON.parse(await readFile(path, 'utf8'))));
      await writeFile(path, text);
      await writeFile(marker, JSON.stringify({ version: 1, number: 99, digest: await digestOf(text) }));
    };
    const settings = { most_per_day: { USDT: '1000' } };
    await forge((file) => ({ ...file, sealed: { ...(file['sealed'] as object), settings } }));
    await expect(assertSealed(io, key)).rejects.toMatchObject({ ...REFUSED, message: expect.stringContaining('seal') });
    await forge((file) => ({ ...file, narrowed: { number: 99, settings } }));
    await expect(assertSealed(io, key)).rejects.toMatchObject({ message: expect.stringContaining('allows more') });
    await forge((file) => ({ ...file, sealed: { ...(file['sealed'] as object), settings: { chain: [] } } }));
    await expect(readKeyPolicy(io, key)).rejects.toMatchObject({ message: expect.stringContaining('does not know') });
  });

  it('the seal is of the key itself: another key does not open it', async () => {
    const { io, key } = await given();
    await seal(io, key, CHAINS);
    const { privateKey } = newKey();
    await expect(assertSealed(io, { ...key, privateKey })).rejects.toMatchObject(REFUSED);
  });
});

describe('a process that is killed between the files', () => {
  /** Ends the writing after so many files. */
  const dying = (io: Io, after: number): Io => {
    let left = after;
    const replacePrivate: Io['files']['replacePrivate'] = async (path, bytes) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return io.files.replacePrivate(path, bytes);
    };
    return { ...io, files: { ...io.files, replacePrivate } };
  };

  it.each([0, 1, 2])('leaves the old policy or the new one, whole (after %i)', async (after) => {
    const { io, key } = await given();
    await expect(seal(dying(io, after), key, CHAINS)).rejects.toThrow('killed');
    expect((await readKeyPolicy(io, key))?.policy).toEqual(after === 2 ? CHAINS : undefined);
    await seal(io, key, CHAINS);
    await expect(seal(dying(io, after), key, { chains: ['bsc'] })).rejects.toThrow('killed');
    expect((await readKeyPolicy(io, key))?.policy).toEqual(after === 2 ? { chains: ['bsc'] } : CHAINS);
    await assertSealed(io, key);
  });

  it('of several at once each change is whole, and numbers grow', async () => {
    const { io: plain, key, path } = await given();
    const processes: Io['processes'] = { ...plain.processes, liveness: async () => 'alive' };
    const io: Io = { ...plain, processes, random: { ...plain.random, fraction: () => Math.random() } };
    await Promise.all(['polygon', 'base', 'bsc'].map((chain) => seal(io, key, { chains: [chain] })));
    expect(JSON.parse(await readFile(path, 'utf8')).sealed.number).toBe(3);
    await assertSealed(io, key);
    expect((await readdir(join(io.places.config, 'policies'))).length, 'no claim is left').toBe(1);
  });
});
