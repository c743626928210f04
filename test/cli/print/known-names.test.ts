import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { approveData, cryptoTxJson } from '../../chain/evm/given.ts';
import { ata, bytesOf, stranger, token, USDT, wallet } from '../../chain/solana/given.ts';
import { newKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { hasTerminal, openTerminal } from '../../support/terminal.ts';

/** A home with a key, and the address of the key. */
const withKey = async (name: string, chain: 'evm' | 'solana') => {
  const { home, bursar } = await newHomeInProcess();
  return { home, bursar, address: await newKey(home, name, chain) };
};

const review = async (bursar: Awaited<ReturnType<typeof withKey>>['bursar'], stdin: string, ...more: string[]) => {
  const ended = await bursar(['review', '-', '--json', ...more], { stdin });
  const data = JSON.parse(ended.stdout);
  return { ...ended, review: data.error?.data ?? data };
};

describe('a review names', () => {
  it('the key of the user on an EVM chain in any letter case, as payer and as receiver', async () => {
    const { bursar, address } = await withKey('treasury', 'evm');
    const to = cryptoTxJson({ to: `"${address.toLowerCase()}"` });
    expect((await review(bursar, to)).review.moves).toEqual([
      expect.objectContaining({ to: address, to_name: 'treasury' }),
    ]);
    expect((await review(bursar, cryptoTxJson({ from: `"${address}"` }))).review.from_name).toBe('treasury');
    const piped = await bursar(['review', '-'], { stdin: to });
    expect(piped.stdout).toContain(`POL to treasury (${address})`);
  });

  it('the key of the user on Solana, and a contract of the registry that may spend', async () => {
    const { bursar, address } = await withKey('savings', 'solana');
    const own = new PublicKey(address);
    const bytes = bytesOf([token.transferChecked(ata(wallet), ata(own), 1n)]);
    const paid = await review(bursar, Buffer.from(bytes).toString('base64'), '--allow-recipient', address);
    expect(paid.review.moves[0]).toMatchObject({ to: address, to_name: 'savings' });
    const { USDT: contract, splitter } = SANDBOX_CONTRACTS;
    const allows = cryptoTxJson({ to: `"${contract}"`, data: `"${approveData(splitter, 5n)}"`, value: '0' });
    const { afterwards } = (await review(bursar, allows)).review;
    expect(afterwards).toEqual([
      { who: splitter, who_name: 'the splitter of polygon', says: 'may take 0.000005 USDT at any time' },
    ]);
  });

  it('the key of the user on Solana when only its token account is paid', async () => {
    const { bursar, address } = await withKey('savings', 'solana');
    const own = new PublicKey(address);
    const paying = (to: PublicKey) =>
      Buffer.from(bytesOf([token.transferChecked(ata(wallet), to, 1n)])).toString('base64');
    const paid = await review(bursar, paying(ata(own)));
    expect(paid.review.moves[0]).toMatchObject({ to: ata(own).toBase58(), to_name: 'the token account of savings' });
    expect(paid.code, 'a name does not change the verdict').toBe(10);
    expect((await review(bursar, paying(ata(stranger)))).review.moves[0].to_name).toBeUndefined();
    expect(
      (await review(bursar, paying(ata(own, USDT)))).review.moves[0].to_name,
      'a token account of another token has no name',
    ).toBeUndefined();
  });

  it('no other address, also with a damaged key file and an unreadable key file', async () => {
    const { home, bursar, address } = await withKey('treasury', 'evm');
    await writeFile(join(home, 'keys', 'broken.json'), '{', { mode: 0o600 });
    await mkdir(join(home, 'keys', 'unreadable.json'));
    const { code, review: other } = await review(bursar, cryptoTxJson());
    expect([code, other.from_name, other.moves[0].to_name]).toEqual([0, undefined, undefined]);
    expect((await review(bursar, cryptoTxJson({ to: `"${address}"` }))).review.moves[0].to_name).toBe('treasury');
  });
});

describe('a refusal', () => {
  it('prints each reason once in the review and once as the error', async () => {
    const { bursar } = await newHomeInProcess();
    const { stderr } = await bursar(['review', '-'], { stdin: cryptoTxJson({ chainId: '1' }) });
    const reason = 'Chain: the transaction names polygon (id 137) but is valid on chain 1';
    expect(stderr.split('\n').filter((line) => line.includes(reason))).toHaveLength(2);
    expect(stderr).toMatch(/^error: Chain: the transaction names polygon/m);
  });
});

describe.runIf(hasTerminal())('a review on a terminal', () => {
  it.each([80, 40])(
    'of %d columns names the key before its address, and the remaining spending rights',
    async (columns) => {
      const { home, address } = await withKey('treasury', 'evm');
      await writeFile(join(home, 'tx.json'), cryptoTxJson({ to: `"${address}"` }));
      const terminal = openTerminal(home, { columns, rows: 40 });
      terminal.run(`clear; bursar review ${home}/tx.json; echo "exit=$?"`);
      const screen = await terminal.until('exit=0');
      // The terminal, not bursar, breaks an address, so that it can be copied as one word.
      const inOneLine = screen.replaceAll(/\s+/g, ' ');
      expect(inOneLine).toContain(`to treasury (${address})`);
      expect(inOneLine).toContain('after grants no future spending rights');
      for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.max(columns, 60));
    },
  );
});
