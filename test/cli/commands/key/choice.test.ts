import { HDNodeWallet } from 'ethers/wallet';
import { describe, expect, it } from 'vitest';
import { cryptoTxJson } from '../../../chain/evm/given.ts';
import type { Settings } from '../../../support/bursar.ts';
import { ABOUT, keyHome } from './support.ts';

/** The second account of `ABOUT`, as ethers derives it. */
const OF_E2 = HDNodeWallet.fromPhrase(ABOUT, '', "m/44'/60'/0'/0/1").address;

/** Runs as far as the choice of the key: the file to sign is missing. */
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
  it('is the only key of its family by default, and stderr names it', async () => {
    const { signed } = await given('e', 's');
    expect(await signed()).toMatch(new RegExp(`^${SAYS_ONLY}error: .*none.json`));
    for (const env of [{ BURSAR_KEY: 'e' }, { BURSAR_KEY: 's, e' }])
      expect(await signed(env)).toMatch(/^error: none.json/);
  });

  it('cannot read its password from the pipe of the transaction: exit 2 with the reason', async () => {
    const { bursar } = await keyHome('e');
    const args = ['pay', 'sign', '--unsigned', '-', '--key', 'e', '--password-stdin', '--profile', 'sandbox'];
    const { code, stdout, stderr } = await bursar(args, { stdin: cryptoTxJson() });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: standard input can be read only once; pass one of the two values in a file\n/);
  });

  it('is the key of the profile for its family; BURSAR_KEY outranks it, and --key outranks both', async () => {
    const { bursar } = await keyHome('e', 's');
    const stated = ['--amount-from', '1.000000000000000001', '--payer-token-symbol', 'POL', '--chain-name', 'polygon'];
    const split = ['--split', '0x1111111111111111111111111111111111111111=100'];
    const sign = ['pay', 'sign', '--unsigned', '-', '--password-file', 'pw', '--profile', 'sandbox', '--json'];
    const unsigned = [...sign, ...stated, ...split];
    const signer = async (env: Settings['env'] = {}, ...more: readonly string[]) => {
      const { code, stdout } = await bursar([...unsigned, ...more], {
        env,
        stdin: cryptoTxJson({ from: `"${OF_E2}"` }),
      });
      return code === 0 ? JSON.parse(stdout).from : JSON.parse(stdout).error.code;
    };
    const path = ['--path', "m/44'/60'/0'/0/1"];
    await bursar(['key', 'import', 'e2', '--chain', 'evm', '--mnemonic-stdin', '--password-file', 'pw', ...path], {
      stdin: ABOUT,
    });
    expect(await signer(), 'two EVM keys exist').toBe('invalid_input');
    await bursar(['profile', 'set', 'sandbox', 'keys.evm=e2', 'keys.solana=s']);
    expect(await signer()).toBe(OF_E2);
    expect(await signer({ BURSAR_KEY: 'e' }), 'the key is not the payer').toBe('refused_by_review');
    expect(await signer({ BURSAR_KEY: 'e' }, '--key', 'e2')).toBe(OF_E2);
    const message = await bursar(['yield', 'sign', '--transaction', '-', '--password-file', 'pw'], { stdin: 'AAAA' });
    expect(message.stderr, 'the Solana key of the profile is used').toMatch(/this Solana transaction cannot be signed/);
  });

  it('must be named by --key when its family has several keys or none', async () => {
    const { signed, addAnother, dryRun } = await given('e', 's');
    await addAnother();
    expect(await signed()).toContain('--key: required, for there are several: e, e2');
    expect(await dryRun()).toContain('--key: required, for there are several: e, e2');
    expect(await signed({}, '--key', 'e2')).toMatch(/^error: none.json/);
    expect(await (await given('s')).signed()).toContain('--key: required, and there is no key for EVM chains');
  });
});
