import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findEvmChain } from '../../../../src/contract/chains.ts';
import { cryptoTxJson, transferData } from '../../../chain/evm/given.ts';
import {
  ata,
  bytesOf,
  depositSteps,
  instruction,
  LENDER,
  memo,
  stranger,
  token,
  wallet,
  withMinter,
} from '../../../chain/solana/given.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { envelope, startServer } from '../../../support/server.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const DEPOSIT = base64(bytesOf(depositSteps(), withMinter));
const TO_STRANGER = base64(bytesOf([token.transferChecked(ata(wallet), ata(stranger), 1_000_000n)]));

const review = async (stdin: string, ...options: readonly string[]) => {
  const { bursar } = await newHomeInProcess();
  return bursar(['review', '-', ...options], { stdin });
};

describe('bursar review, without configuration and network', () => {
  it('prints the effects of a Solana transaction from each input form', async () => {
    const answers = [
      DEPOSIT,
      `${DEPOSIT}\n`,
      JSON.stringify(DEPOSIT),
      JSON.stringify({ transaction: DEPOSIT, charged_platform_fee_amount: 0.1 }),
      JSON.stringify({ success: true, status: 'deposit_yield_strategy_ok', data: { transaction: DEPOSIT } }),
    ];
    for (const stdin of answers) {
      const { code, stdout, stderr } = await review(stdin, '--json');
      expect([code, stderr]).toEqual([0, '']);
      const { verdict, chain, from, moves, unsigned } = JSON.parse(stdout);
      expect([verdict, chain, from, unsigned]).toEqual(['pass', 'solana', wallet.toBase58(), undefined]);
      expect(moves[0]).toMatchObject({ token: 'USDC', amount: '99.9', to_name: 'the vault of provider_a' });
    }
  });

  it('prints the effects of a crypto_tx from a file and from an answer, as JSON and as lines', async () => {
    const { home, bursar } = await newHomeInProcess();
    const file = join(home, 'crypto_tx.json');
    await writeFile(file, cryptoTxJson());
    const plain = await bursar(['review', file, '--json']);
    expect(JSON.parse(plain.stdout)).toMatchObject({ verdict: 'pass', chain: 'polygon', chain_id: 1000137, nonce: 7 });
    const answer = `{"data":{"crypto_tx":${await readFile(file, 'utf8')}}}`;
    expect(JSON.parse((await review(answer, '--json')).stdout)).toEqual(JSON.parse(plain.stdout));
    const { code, stdout, stderr } = await bursar(['review', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^move\t\t1\.000000000000000001 POL to 0x1111\w+\ncall\tpass\tThe transaction pays 1\.000000000000000001 POL to 0x1111/,
    );
  });

  it('a refused transaction is exit 10 with the reason', async () => {
    const { code, stdout } = await review(
      base64(bytesOf([...depositSteps(), token.approve(stranger, 1n)], withMinter)),
      '--json',
    );
    const { error } = JSON.parse(stdout);
    expect([code, error.code, error.data.verdict]).toEqual([10, 'refused_by_review', 'refuse']);
    expect(error.errors[0].message).toContain('Approve');
  });

  it('a transaction that needs a confirmation is exit 10 with its option, and passes with it', async () => {
    const doubtful = await review(TO_STRANGER);
    expect([doubtful.code, doubtful.stdout]).toEqual([10, '']);
    const option = `--allow-recipient ${ata(stranger).toBase58()}`;
    expect(doubtful.stderr).toContain(option);
    expect((await review(TO_STRANGER, ...option.split(' '))).code).toBe(0);
    const opaque = base64(bytesOf([instruction(LENDER, Buffer.of(1), [stranger, 'w'])]));
    expect((await review(opaque)).stderr).toContain(`--allow-program ${LENDER.toBase58()}`);
    expect((await review(opaque, '--allow-program', LENDER.toBase58())).code).toBe(0);
  });

  it('a token of a real chain is identified by its contract', async () => {
    const usdt = findEvmChain('polygon')?.tokens.USDT.address ?? '';
    const request = { to: `"${usdt}"`, data: `"${transferData('0x1111111111111111111111111111111111111111', 5n)}"` };
    const more = { value: '0', chainId: '137', gasLimit: '"90000"' };
    const { code, stdout } = await review(cryptoTxJson({ ...request, ...more }), '--json');
    expect([code, JSON.parse(stdout).moves]).toEqual([
      0,
      [{ token: 'USDT', amount: '0.000005', to: expect.any(String) }],
    ]);
  });

  it('a memo writes no command to a terminal or a CI runner', async () => {
    const { stdout } = await review(base64(bytesOf([memo('\u001b[2J::error::x ##[command]')])));
    expect(stdout).toContain('\\u{1b}[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
    expect(stdout).not.toMatch(/\u001b|##\[/);
  });

  it.each<[string, string, number]>([
    ['nothing', '', 2],
    ['an object without a transaction', '{"a":1}', 2],
    ['a list', '[1]', 2],
    ['two transactions', JSON.stringify({ transactions: [DEPOSIT, DEPOSIT] }), 2],
    ['bytes behind the transaction', base64(Buffer.concat([Buffer.from(DEPOSIT, 'base64'), Buffer.of(0)])), 10],
    ['base64 of something else', base64(Buffer.from('hello, this is text')), 10],
    ['a crypto_tx of another family', '{"family":"tron"}', 10],
  ])('%s is no transaction: exit 2 or 10 with one document', async (_, stdin, code) => {
    const ended = await review(stdin, '--json');
    expect([ended.code, ended.stderr]).toEqual([code, '']);
    expect(JSON.parse(ended.stdout)).toHaveProperty('error.code');
  });

  it('a node that does not answer is exit 5 without a call to the service, and its API key is not printed', async () => {
    const { url, received } = await startServer(envelope(200, 'ok'));
    const { bursar } = await newHomeInProcess();
    const words = ['review', '-', '--rpc-url', 'http://127.0.0.1:9/?api-key=hidden', '--json'];
    const ended = await bursar(words, { stdin: DEPOSIT, env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' } });
    expect(received).toEqual([]);
    expect([ended.code, JSON.parse(ended.stdout).error.code]).toEqual([5, 'unavailable']);
    expect(ended.stdout + ended.stderr).not.toContain('hidden');
    expect((await review(cryptoTxJson(), '--rpc-url', 'http://127.0.0.1:9')).code).toBe(5);
    expect((await review(cryptoTxJson(), '--rpc-url', 'node')).code).toBe(2);
  });

  it('an invalid address is exit 2 and names its option', async () => {
    const { code, stdout } = await review(TO_STRANGER, '--allow-recipient', 'x', '--json');
    expect([code, JSON.parse(stdout).error.errors[0].option]).toEqual([2, '--allow-recipient']);
  });
});
