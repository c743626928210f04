import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ParsedArgs } from '../../../../src/cli/command/options.ts';
import { review } from '../../../../src/cli/commands/review/index.ts';
import type { ProfileSettings } from '../../../../src/cli/profiles/profile.ts';
import { isFailure } from '../../../../src/core/failure.ts';
import { ANNA, cryptoTxJson } from '../../../chain/evm/given.ts';
import { bytesOf, memo } from '../../../chain/solana/given.ts';
import { testIo } from '../../../support/io.ts';
import { profiled } from '../../../support/profiled.ts';

const COIN = cryptoTxJson();
const CALL = cryptoTxJson({ data: `"0xd09de08a"`, value: '0', gasLimit: '"90000"' });
const MEMO = Buffer.from(bytesOf([memo('hello')])).toString('base64');

/** The result of `review FILE --json` with the settings of a profile, without a call to a service. */
const judge = async (text: string, settings: ProfileSettings, given: ParsedArgs = {}) => {
  const { io, home, said } = await testIo();
  const file = join(home, 'file');
  await io.files.replacePrivate(file, text);
  try {
    await review.run(profiled(io, { json: true, ...given }, settings), { file, ...given });
    return { code: 'done', review: JSON.parse(said.stdout) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the data
    return { code: error.code, review: (error.details.data ?? {}) as any };
  }
};
const ids = ({ review: { checks } }: { review: { checks: { id: string }[] } }) => checks.map(({ id }) => id);

describe('review FILE', () => {
  it.each([
    ['a payment on an EVM chain', COIN],
    ['a Solana transaction', MEMO],
  ])('checks %s against the policy of a named profile, worst first, and otherwise against none', async (_, text) => {
    const policy = { chains: ['base'] };
    const named = await judge(text, { policy }, { profile: 'acme' });
    expect(named.code).toBe('refused_by_review');
    expect(ids(named)[0]).toBe('policy.chains');
    const bare = await judge(text, { policy });
    expect(bare.code).toBe('done');
    expect(ids(bare)).not.toContain('policy');
  });

  it('lists the outflows, and the arguments of a call that the named profile pins', async () => {
    expect((await judge(COIN, {})).review.leaves).toEqual([{ token: 'POL', amount: '1.000000000000000001' }]);
    const pins = [{ chain: 'polygon', address: ANNA, abi: 'function increment()' }];
    expect(ids(await judge(CALL, { pins }, { profile: 'acme' }))).toContain('arguments');
    expect(ids(await judge(CALL, { pins }))).not.toContain('arguments');
  });

  it('fails with bad_settings for an invalid pin', async () => {
    const pins = [{ chain: 'polygon', address: ANNA, abi: 'increment' }];
    expect((await judge(COIN, { pins }, { profile: 'acme' })).code).toBe('bad_settings');
  });
});
