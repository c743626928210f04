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

const createKey = async () => {
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
  it('is undefined before one is set, and is then read as sealed, also by a lower-case address', async () => {
    const { io, key } = await createKey();
    expect(await readKeyPolicy(io, key)).toBeUndefined();
    await assertSealed(io, key);
    await seal(io, key, CHAINS);
    const lower = { ...key, address: key.address.toLowerCase() };
    expect(await readKeyPolicy(io, lower)).toEqual({ policy: CHAINS, isSealed: true, hasMandate: false });
    await assertSealed(io, lower);
  });

  it('set without the password applies, and is sealed when the key is next unlocked', async () => {
    const { io, key } = await createKey();
    await narrow(io, key, CHAINS);
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: CHAINS, isSealed: false });
    await assertSealed(io, key);
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: CHAINS, isSealed: true });
    await expect(
      narrow(io, key, { chains: ['bsc'] }),
      'without the password a policy can only be narrowed',
    ).rejects.toMatchObject({
      code: 'unwritable_file',
    });
  });

  it('is a mandate only once it is sealed', async () => {
    const { io, key } = await createKey();
    const mandate = { ...CHAINS, tokens: ['USDT'], recipients: [key.address], most_per_transaction: { USDT: '1' } };
    await expect(narrow(io, key, mandate)).rejects.toMatchObject({ code: 'unwritable_file' });
    await seal(io, key, mandate);
    expect(await readKeyPolicy(io, key)).toMatchObject({ hasMandate: true });
  });

  it('can be removed with the password, and is then read as empty', async () => {
    const { io, key } = await createKey();
    await seal(io, key, CHAINS);
    await seal(io, key, {});
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: {} });
    await assertSealed(io, key);
  });
});

describe('a policy that was changed outside bursar', () => {
  it.each<[string, (files: Awaited<ReturnType<typeof createKey>>) => Promise<unknown>, RegExp]>([
    ['a missing file', ({ path }) => rm(path), /is missing$/],
    ['a missing marker', ({ marker }) => rm(marker), /its marker .* is missing$/],
    ['a damaged marker', ({ marker }) => writeFile(marker, '{}'), /its marker .* is damaged$/],
    ['an empty file', ({ path }) => writeFile(path, ''), /was changed by another program$/],
    [
      'a raised limit in the file',
      async ({ path }) => writeFile(path, (await readFile(path, 'utf8')).replace('"10"', '"1000"')),
      /was changed by another program$/,
    ],
  ])('with %s stops every signature and names the repair', async (_, damage, reason) => {
    const files = await createKey();
    const { io, key } = files;
    await seal(io, key, { most_per_day: { USDT: '10' } });
    await damage(files);
    for (const work of [() => readKeyPolicy(io, key), () => assertSealed(io, key)]) {
      await expect(work()).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringMatching(reason),
        details: { next: nextStep('key.policy.unset', key.address), hint: expect.stringContaining(files.path) },
      });
    }
    await seal(io, key, { chains: ['base'] });
    await assertSealed(io, key);
    expect(await readKeyPolicy(io, key)).toMatchObject({ policy: { chains: ['base'] } });
  });

  it('is refused when its file is an older one or one of another address', async () => {
    const { io, key, path } = await createKey();
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

  it('is refused when file and marker change together: the seal is wrong or the policy allows more', async () => {
    const { io, key, path, marker } = await createKey();
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

  it('is refused when its seal belongs to another private key', async () => {
    const { io, key } = await createKey();
    await seal(io, key, CHAINS);
    const { privateKey } = newKey();
    await expect(assertSealed(io, { ...key, privateKey })).rejects.toMatchObject(REFUSED);
  });
});

describe('the write of a policy', () => {
  /** Stops the process after it has written this many files. */
  const dying = (io: Io, after: number): Io => {
    let left = after;
    const replacePrivate: Io['files']['replacePrivate'] = async (path, bytes) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return io.files.replacePrivate(path, bytes);
    };
    return { ...io, files: { ...io.files, replacePrivate } };
  };

  it.each([0, 1, 2])(
    'leaves the complete old policy or the complete new one when the process dies after %i files',
    async (after) => {
      const { io, key } = await createKey();
      await expect(seal(dying(io, after), key, CHAINS)).rejects.toThrow('killed');
      expect((await readKeyPolicy(io, key))?.policy).toEqual(after === 2 ? CHAINS : undefined);
      await seal(io, key, CHAINS);
      await expect(seal(dying(io, after), key, { chains: ['bsc'] })).rejects.toThrow('killed');
      expect((await readKeyPolicy(io, key))?.policy).toEqual(after === 2 ? { chains: ['bsc'] } : CHAINS);
      await assertSealed(io, key);
    },
  );

  it('is whole for each of three changes at once, and their numbers grow', async () => {
    const { io: plain, key, path } = await createKey();
    const processes: Io['processes'] = { ...plain.processes, liveness: async () => 'alive' };
    const io: Io = { ...plain, processes, random: { ...plain.random, fraction: () => Math.random() } };
    await Promise.all(['polygon', 'base', 'bsc'].map((chain) => seal(io, key, { chains: [chain] })));
    expect(JSON.parse(await readFile(path, 'utf8')).sealed.number).toBe(3);
    await assertSealed(io, key);
    expect((await readdir(join(io.places.config, 'policies'))).length, 'no claim file remains').toBe(1);
  });
});
