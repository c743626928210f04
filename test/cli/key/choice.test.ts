import { describe, expect, it } from 'vitest';
import type { Settings } from '../../support/bursar.ts';
import { ABOUT, keyHome } from './support.ts';

/** Far enough to choose a key: the file that would be signed is missing. */
const sign = ['pay', 'sign', '--unsigned', 'none.json', '--password-file', 'pw', '--profile', 'sandbox'];

const given = async (...names: readonly ('e' | 's')[]) => {
  const { bursar } = await keyHome(...names);
  const importing = ['key', 'import', 'e2', '--chain', 'evm', '--mnemonic-stdin', '--password-file', 'pw'];
  return {
    addAnother: () => bursar([...importing, '--path', "m/44'/60'/0'/0/1"], { stdin: ABOUT }),
    signed: async (env: Settings['env'] = {}, ...more: readonly string[]) => {
      const { code, stderr } = await bursar([...sign, ...more], { env });
      expect(code).toBe(2);
      return stderr;
    },
    dryRun: async (env: Settings['env'] = {}) =>
      (await bursar(['pay', 'run', '--dry-run', '--profile', 'sandbox'], { env })).stderr,
  };
};

const SAYS_ONLY = 'key: e, the only one for EVM chains\n';

describe('the key that signs', () => {
  it('is the only one of its family when none is named, and stderr says so', async () => {
    const { signed } = await given('e', 's');
    expect(await signed()).toMatch(new RegExp(`^${SAYS_ONLY}error: .*none.json`));
    for (const env of [{ BURSAR_KEY: 'e' }, { BURSAR_KEY: 's, e' }])
      expect(await signed(env)).toMatch(/^error: none.json/);
  });

  it('is asked for by name when there are several, or none', async () => {
    const { signed, addAnother, dryRun } = await given('e', 's');
    await addAnother();
    expect(await signed()).toContain('--key: required, for there are several: e, e2');
    expect(await dryRun()).toContain('--key: required, for there are several: e, e2');
    expect(await signed({}, '--key', 'e2')).toMatch(/^error: none.json/);
    expect(await (await given('s')).signed()).toContain('--key: required, and there is no key for EVM chains');
  });
});
