import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAIN_NAMES, EVM_CHAINS } from '../../../../src/contract/chains.ts';
import { runBursar } from '../../../support/bursar.ts';
import { newSolanaKey, SANDBOX_ENV } from '../../../support/cheap-key.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { type Journey, startJourney } from '../../../support/journey.ts';
import { showInProcess } from '../../../support/shown-in-process.ts';

type Row = { readonly name: string | null; readonly chain: string; readonly token: string; readonly amount: string };

let journey: Journey;
let solana = '';

const rowsOf = async (line: string): Promise<readonly Row[]> => {
  const { code, data } = await journey.json(line.split(' '));
  expect(code, JSON.stringify(data)).toBe(0);
  return data as unknown as readonly Row[];
};

const shown = (line: string, columns = 120) =>
  showInProcess(journey.home, line.split(' '), { columns, env: { ...SANDBOX_ENV, NO_COLOR: '1' } });

beforeAll(async () => {
  journey = await startJourney();
  solana = (await newSolanaKey(journey.home, 'saver')).address;
  await journey.bursar(['sandbox', 'fund', 'payer', '--chain', 'base', '--token', 'USDC', '--amount', '0.000001']);
});
afterAll(() => journey.end());

test('sandbox balance of a key lists every coin and token of every chain as exact decimals', async () => {
  const rows = await rowsOf('sandbox balance payer');
  expect(new Set(rows.map(({ chain }) => chain))).toEqual(new Set(EVM_CHAINS.map(({ name }) => name)));
  expect(rows).toHaveLength(3 * EVM_CHAINS.length);
  const amountOf = (chain: string, token: string) =>
    rows.find((row) => row.chain === chain && row.token === token)?.amount;
  expect([amountOf('polygon', 'POL'), amountOf('polygon', 'USDT')]).toEqual(['10', '10000']);
  expect([amountOf('base', 'USDC'), amountOf('base', 'USDT')]).toEqual(['0.000001', '0']);
  expect(rows[0]).toEqual({
    ...{ name: 'payer', address: journey.address, chain: rows[0]?.chain, token: rows[0]?.token },
    amount: expect.stringMatching(/^\d+(?:\.\d+)?$/),
  });
});

test('sandbox balance of an address names its key in any letter case, or null without a key', async () => {
  const own = await rowsOf(`sandbox balance ${journey.address.toLowerCase()} --chain polygon`);
  expect(own.map(({ name }) => name)).toEqual(['payer', 'payer', 'payer']);
  const [other] = await rowsOf('sandbox balance 0x4444444444444444444444444444444444444444 --chain polygon');
  expect(other).toMatchObject({ name: null, chain: 'polygon', token: 'POL', amount: '0' });
});

test('sandbox balance without an argument lists all keys; with a chain, the keys of its family', async () => {
  const rows = await rowsOf('sandbox balance');
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['payer', 'saver']));
  expect(new Set(rows.map(({ chain }) => chain))).toEqual(new Set(CHAIN_NAMES));
  const onSolana = await rowsOf('sandbox balance --chain solana');
  expect(new Set(onSolana.map(({ name }) => name))).toEqual(new Set(['saver']));
  expect(new Set((await rowsOf(`sandbox balance ${solana}`)).map(({ name }) => name))).toEqual(new Set(['saver']));
  expect(new Set((await rowsOf('sandbox balance --chain bsc')).map(({ name }) => name))).toEqual(new Set(['payer']));
});

test('sandbox balance prints one line for each balance to a pipe, also for 0', async () => {
  const { code, stdout, stderr } = await runBursar(journey.home, ['sandbox', 'balance', 'payer', '--chain', 'base']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    `payer\t${journey.address}\tbase\tETH\t10`,
    `payer\t${journey.address}\tbase\tUSDT\t0`,
    `payer\t${journey.address}\tbase\tUSDC\t0.000001`,
    '',
  ]);
});

test('sandbox balance on a terminal hides balances of 0 with a note, and --all shows them', async () => {
  const { stdout, stderr } = await shown('sandbox balance payer --chain base');
  expect(stdout).toMatch(/^name +address +chain +token +amount\n/);
  expect(stdout.match(/^payer /gm)).toHaveLength(2);
  expect(stderr).toContain('Hidden balances of 0: 1. To show them: --all\n');
  const all = await shown('sandbox balance payer --chain base --all');
  expect(all.stdout.match(/^payer /gm)).toHaveLength(3);
  expect(all.stderr).not.toContain('Hidden');
  const narrow = await shown('sandbox balance payer --chain base', 40);
  expect(narrow.stdout).toMatch(/base +ETH +10\n/);
});

test('sandbox balance of an empty wallet on a terminal is one sentence with the fund command', async () => {
  const { code, stdout, stderr } = await shown('sandbox balance saver');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('Every balance is 0. To get test money: bursar sandbox fund saver');
});

test('sandbox balance of an unknown key is exit 2, with the closest name and key list', async () => {
  const { code, stdout, stderr } = await journey.bursar(['sandbox', 'balance', 'paier']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: there is no key named paier\nhint: Did you mean payer\?\nnext: bursar key list\n$/);
  expect((await journey.json(['sandbox', 'balance', 'paier'])).data).toMatchObject({
    error: { code: 'key_not_found', next: 'bursar key list' },
  });
});

test.each([
  ['0x1111', 'this one has 4'],
  [`0x${'g'.repeat(40)}`, 'this one has other characters'],
])('sandbox balance and fund of %s are exit 2, with the form of an address and key list', async (text, found) => {
  for (const verb of ['balance', 'fund']) {
    const { code, stderr } = await journey.bursar(['sandbox', verb, text]);
    const message = `an EVM address has 40 hexadecimal digits after 0x; ${found}`;
    expect([code, stderr]).toEqual([2, `error: ${message}\nnext: bursar key list\n`]);
  }
});

test.each([
  ['sandbox balance payer --chain mars', 2],
  ['sandbox balance payer --chain solana', 9],
  ['sandbox balance not/a/name', 2],
])('bursar %s: exit %i', async (line, code) => {
  expect((await journey.bursar(line.split(' '))).code).toBe(code);
});

test('sandbox fund on a terminal names the fee coin and the next command; a pipe gets neither', async () => {
  const { stdout, stderr } = await shown('sandbox fund payer --chain base --token USDC');
  expect(stdout).toMatch(/^chain +token +amount +use\nbase +ETH +\S+ +coin, pays fees\nbase +USDT +\S+ +token\n/);
  expect(stderr).toMatch(/next: bursar pay run --key payer\n$/);
  const piped = await journey.bursar(['sandbox', 'fund', 'payer', '--chain', 'base', '--token', 'USDC']);
  expect([piped.stdout.split('\n')[0]?.split('\t').length, piped.stderr]).toEqual([3, '']);
});

test('sandbox balance in a home without keys prints an empty list', async () => {
  const { home, bursar } = await newHomeInProcess();
  expect(await bursar(['sandbox', 'balance', '--json'])).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
  const { stderr } = await showInProcess(home, ['sandbox', 'balance'], { columns: 80, env: {} });
  expect(stderr).toContain('There is no key on this machine. To make one: bursar key new NAME --chain evm');
});
