import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { cast } from '../../../keystore/support.ts';
import { newHome } from '../../../support/bursar.ts';
import { ABOUT, ADDRESS, keyHome } from './support.ts';

const signing = (name: string, message: string) => [
  'key',
  'sign-message',
  name,
  '--message',
  message,
  '--password-file',
  'pw',
];
const verifying = (address: string, message: string, signature: string) => [
  ...['key', 'verify-message', '--address', address, '--message', message, '--signature', signature],
];

describe('key sign-message and verify-message', () => {
  it.each([
    ['e', 'I own this wallet'],
    ['e', '0xdeadbeef'],
    ['e', ''],
    ['s', '{"domain":"shop.example"}'],
    ['s', '-----\ntwo lines'],
  ] as const)(
    'with the key %s sign, print and verify %j; another text is exit 10 with one document',
    async (name, text) => {
      const { json, bursar } = await keyHome(name);
      const { code, data, stderr } = await json(signing(name, text));
      expect([code, data.address]).toEqual([0, ADDRESS[name]]);
      for (const line of text.split('\n')) expect(stderr).toContain(`  ${line}\n`);
      const elsewhere = await newHome();
      const valid = await elsewhere.bursar([...verifying(data.address, text, data.signature), '--json']);
      expect({ ...valid, stdout: JSON.parse(valid.stdout) }).toEqual({
        code: 0,
        stderr: '',
        stdout: { valid: true, address: data.address },
      });
      const other = await json(verifying(data.address, `${text}.`, data.signature));
      expect(other).toEqual({ code: 10, stderr: '', data: { valid: false, address: data.address } });
      const plain = await bursar(verifying(data.address, `${text}.`, data.signature));
      expect([plain.stdout.split('\n')[0], plain.stderr]).toEqual(['valid\tfalse', expect.stringMatching(/^error: /)]);
    },
  );

  it.each(['e', 's'] as const)(
    'with the key %s read @FILE and - to the last byte, with line ends and the byte order mark',
    async (name) => {
      const { json, put } = await keyHome(name);
      const text = '\uFEFFI own this wallet.\nSince 2026.\n';
      const texts = name === 's' ? [text.slice(1)] : [text];
      for (const exact of texts) {
        await put('text', exact);
        const { data } = await json(signing(name, exact));
        expect((await json(signing(name, '@text'))).data).toEqual(data);
        expect((await json(signing(name, '-'), exact)).data).toEqual(data);
        expect((await json(signing(name, '-'), exact.trimEnd())).data.signature).not.toBe(data.signature);
        for (const message of ['@text', '-']) {
          const { code, data: checked } = await json(verifying(data.address, message, data.signature), exact);
          expect([code, checked.valid]).toEqual([0, true]);
        }
      }
    },
  );

  it.each(['-', '@empty'])('refuse an empty %s with exit 2, and sign an empty text', async (message) => {
    const { json, put } = await keyHome('e');
    await put('empty', '');
    const { code, data } = await json(signing('e', message), '');
    expect([code, data.error.message]).toEqual([2, `--message ${message}: it is empty`]);
    expect((await json(signing('e', ''))).code).toBe(0);
  });

  it('suggest --message - for a text that starts with @ when no such file exists', async () => {
    const { bursar } = await keyHome('e');
    const { code, stderr } = await bursar(signing('e', '@alice owns this'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('alice owns this: no such file')]);
    expect(stderr).toContain('To give a text that starts with @, use stdin: --message -');
  });

  it('sign the same bytes as cast for an EVM key', async () => {
    const { home, json } = await keyHome('e');
    const args = ['wallet', 'sign', '--mnemonic', ABOUT, '--mnemonic-index', '0', 'pay Anna'];
    expect((await json(signing('e', 'pay Anna'))).data.signature).toBe((await cast(home, ...args)).trim());
  });

  it('do not print a message whose password is missing: exit 2', async () => {
    const { bursar } = await keyHome('e');
    const { code, stdout, stderr } = await bursar(['key', 'sign-message', 'e', '--message', 'pay Anna']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: the password of the key is missing/);
  });

  it('name all missing options at once, and refuse an invalid address', async () => {
    const { json } = await keyHome();
    const missing = await json(['key', 'verify-message']);
    expect(missing.code).toBe(2);
    expect(missing.data.error.errors.map(({ option }: { option: string }) => option)).toEqual([
      '--address',
      '--message',
      '--signature',
    ]);
    for (const address of ['0x1', 'nobody']) expect((await json(verifying(address, 'x', '1'))).code).toBe(2);
  });
});

describe('a message that a Solana key must not sign', () => {
  let transaction = '';
  beforeAll(() => {
    const payer = Keypair.generate().publicKey;
    const move = SystemProgram.transfer({ fromPubkey: payer, toPubkey: payer, lamports: 1 });
    const made = new Transaction({ feePayer: payer, blockhash: payer.toBase58(), lastValidBlockHeight: 1 }).add(move);
    transaction = made.serializeMessage().toString('base64');
  });

  it('is refused with exit 10 before bursar asks for a password', async () => {
    const { bursar } = await keyHome('s');
    const wrapped = transaction.replace(/.{20}/g, '$&\r\n');
    for (const message of [transaction, wrapped, '', ' \n', 'pay \u001b[2K1', 'a\u202eb', 'a\u200bb']) {
      const { code, stdout, stderr } = await bursar(['key', 'sign-message', 's', '--message', message]);
      expect([code, stdout], JSON.stringify(message)).toEqual([10, '']);
      expect(stderr).toMatch(/^error: the message .* it was not signed\nnext: bursar explain refused_by_review\n$/);
      for (const acting of ['\u001b', '\u202e', '\u200b']) expect(stderr).not.toContain(acting);
    }
  });
});
