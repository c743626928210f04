import { describe, expect, it } from 'vitest';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

const EVM = '0x1111111111111111111111111111111111111111';
const CHECKSUMMED = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const SOLANA = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

const TENANT = ['--public-client-id', `c_${'0'.repeat(32)}`, '--webhook-url', 'https://a.example/h'];
const MONEY = ['--amount-from', '10', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'];
const REGISTER = ['pay', 'register', ...TENANT, ...MONEY, '--allow', 'crypto'];
const CREATE = ['order', 'create', ...MONEY, '--allow', 'crypto'];

const open = async () => {
  const { url, received } = await startServer(
    envelope(201, 'payment_registered', { data: { payment_id: 'pay_1', order_id: 'cmb1' } }),
  );
  const { bursar } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  return { received, run: (args: readonly string[]) => bursar(args, { env }) };
};

describe('a receiver', () => {
  it.each([
    ['0x1111', 'polygon', 'is not 0x and 40 hex digits'],
    ['0xZZ11111111111111111111111111111111111111', 'polygon', 'is not 0x and 40 hex digits'],
    [CHECKSUMMED.replace('fB', 'Fb'), 'polygon', 'EIP-55'],
    [EVM, 'solana', 'is an EVM address, and the destination is solana'],
    [SOLANA, 'polygon', 'is a Solana address, and the destination is polygon'],
  ])('%s on %s is exit 2 with the option, and nothing is sent', async (wallet, chain, why) => {
    const { run, received } = await open();
    const { code, stderr } = await run([...REGISTER, '--to-chain', chain, '--split', `${wallet}=100`]);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).toContain('--split');
    expect(received).toEqual([]);
  });

  it('that is mistyped is exit 2 in order create and order update', async () => {
    const { run, received } = await open();
    expect((await run([...CREATE, '--split', '0x1111=100'])).code).toBe(2);
    expect((await run(['order', 'update', 'cmb1', '--split', '0x1111=100'])).code).toBe(2);
    expect((await run(['order', 'update', 'cmb1', '--split', '0x1111=100', '--dry-run'])).code).toBe(2);
    expect(received).toEqual([]);
  });

  it.each([
    [EVM, 'polygon'],
    [CHECKSUMMED, 'base'],
    [SOLANA, 'solana'],
    [EVM, 'a-chain-of-tomorrow'],
  ])('%s on %s is sent without a warning', async (wallet, chain) => {
    const { run, received } = await open();
    const { code, stderr } = await run([...REGISTER, '--to-chain', chain, '--split', `${wallet}=100`]);
    expect([code, stderr]).toEqual([0, '']);
    expect(received).toHaveLength(1);
  });

  it('of an unknown address family is sent with a warning', async () => {
    const { run, received } = await open();
    const { code, stderr } = await run([...REGISTER, '--to-chain', 'tron', '--split', 'TXYZ=100']);
    expect(code).toBe(0);
    expect(stderr).toContain('TXYZ is neither an EVM nor a Solana address. It is sent.');
    expect(received).toHaveLength(1);
  });
});

describe('the wallet of the payer in pay transaction', () => {
  const create = (wallet: string) => [
    ...['pay', 'transaction', 'pay_1', '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
    ...['--chain-name', 'polygon', '--payer-token-symbol', 'USDT', '--payer-wallet', wallet],
  ];

  it.each([
    ['0x1111', 'begins as an EVM address does, and is not 0x and 40 hex digits'],
    [CHECKSUMMED.replace('fB', 'Fb'), 'has a wrong checksum'],
  ])('%s is exit 2 before anything is sent', async (wallet, why) => {
    const { run, received } = await open();
    const { code, stderr } = await run(create(wallet));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--payer-wallet: ${wallet} ${why}`)]);
    expect(received).toEqual([]);
  });

  it('may have the address form of a chain that is not built in', async () => {
    const { run, received } = await open();
    await run(create('GABCDEFGHIJKLMNOPQRSTUVWXYZ'));
    expect(received).toHaveLength(1);
  });
});

describe('--fields with an unknown field', () => {
  it.each([
    [[...CREATE, '--fields', 'id']],
    [[...REGISTER, '--to-chain', 'base', '--split', `${EVM}=100`, '--fields', 'payment']],
    [['order', 'toggle', 'cmb1', '--fields', 'activ']],
    [['pay', 'run', '--fields', 'hash']],
  ])('of %j is exit 2 before anything is sent', async (args) => {
    const { run, received } = await open();
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--fields: no field .* in this result\nhint: (?:Did you mean .*? )?Fields of this result: /);
    expect(received).toEqual([]);
  });

  it('is exit 2 for an empty list too; an optional field of the document is accepted', async () => {
    const page = { total: 0, page: 1, limit: 20, total_pages: 0 };
    const { url } = await startServer(envelope(200, 'orders_listed', { data: { orders: [], pagination: page } }));
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    const codeOf = async (fields: string) => (await bursar(['order', 'list', '--fields', fields], { env })).code;
    expect(await codeOf('idd')).toBe(2);
    expect(await codeOf('id,amount_from')).toBe(0);
    expect(await codeOf('created_at')).toBe(0);
    for (const list of ['pay', 'yield', 'key']) expect((await bursar([list, 'list', '--fields', 'nam'])).code).toBe(2);
  });
});
