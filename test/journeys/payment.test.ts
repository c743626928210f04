import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEvmKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Journey, PAYMENT, processesFirst, RECEIVERS, startJourney } from '../support/journey.ts';

const way = processesFirst();

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney(way.run);
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

const balances = () => Promise.all([journey.address, ...RECEIVERS].map(journey.balance));

const registerOne = async (...more: readonly string[]) => {
  const register = ['pay', 'register', '--body', '-', ...more];
  const { data } = await journey.json(register, { stdin: JSON.stringify(PAYMENT) });
  return String(data['payment_id']);
};

const createTransaction = (id: string) => {
  const options = ['--transaction-type', 'crypto', '--payer-email', 'a@example.com', '--payer-wallet', journey.address];
  return journey.json([
    'pay',
    'transaction',
    id,
    ...options,
    '--chain-name',
    'polygon',
    '--payer-token-symbol',
    'USDT',
  ]);
};

const journals = async () => {
  const folder = join(journey.home, 'state', 'journal');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson')).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
};

describe('pay run', () => {
  it('moves the money once, and prints one JSON document', async () => {
    const before = await balances();
    const { code, data } = await journey.json(['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes']);
    expect(code).toBe(0);
    expect(data).toMatchObject({
      status: 'success',
      profile: 'sandbox',
      kind: 'sandbox',
      tid_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      payment_id: expect.any(String),
      receivers: [
        { wallet: RECEIVERS[0], amount: '7', token: 'USDT' },
        { wallet: RECEIVERS[1], amount: '3', token: 'USDT' },
      ],
    });
    const after = await balances();
    expect(after.map((amount, at) => amount - (before[at] ?? 0))).toEqual([-10, 7, 3]);
  });

  it('leaves a journal of mode 0600 with every step in order, without the password and the e-mail address', async () => {
    const text = (await journals()).at(-1) ?? '';
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.map(({ step }) => step)).toEqual([
      'begun',
      'registering',
      'registered',
      'creating',
      'created',
      'reviewed',
      'signed',
      'executing',
      'executed',
      'ended',
    ]);
    for (const secret of ['payer@example.com', SANDBOX_ENV.BURSAR_KEY_PASSWORD]) expect(text).not.toContain(secret);
    expect(await journey.signatures()).toBe(1);
    const folder = join(journey.home, 'state', 'journal');
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('without --yes and without a terminal starts nothing: exit 2', async () => {
    const before = (await journals()).length;
    const { code, data } = await journey.json(['pay', 'run', '--body', 'payment.json', '--key', 'payer']);
    expect({ code, journals: (await journals()).length }).toEqual({ code: 2, journals: before });
    expect(data['error']).toMatchObject({ code: 'confirmation_needed' });
  });

  it('a second time without --yes names pay show, and no command that pays: exit 2', async () => {
    const more = ['--amount-from', '12', '--key', 'payer'];
    const run = ['pay', 'run', '--body', 'payment.json', ...more];
    const { data: paid } = await journey.json([...run, '--yes']);
    const { code, data } = await journey.json(run);
    const next = `bursar pay show ${paid['payment_id']}`;
    expect({ code, error: data['error'] }).toMatchObject({ code: 2, error: { code: 'confirmation_needed', next } });
    // A completed intent needs no confirmation: its result is printed.
    const named = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--amount-from', '13', '--intent', 'once'];
    const first = await journey.json([...named, '--yes']);
    const { payment_id, tid_hash, receivers, fee_at_most, fee_paid = '' } = first.data;
    expect(receivers).toHaveLength(2);
    // The node of the sandbox shows the fee, which is at most the reviewed maximum.
    const [actual, most] = [fee_paid, fee_at_most ?? ''].map((fee) => Number(/^([\d.]+) POL$/.exec(fee)?.[1]));
    expect(actual).toBeGreaterThan(0);
    expect(actual).toBeLessThanOrEqual(Number(most));
    expect(await journey.json(named)).toMatchObject({
      code: 0,
      data: { payment_id, tid_hash, receivers, fee_at_most },
    });
    const other = await journey.json(['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--amount-from', '14']);
    expect(other.data['error'], 'another payment is a new payment').toMatchObject({
      next: expect.stringMatching(/ --yes$/),
    });
  });

  it('accepts no piped yes: exit 2', async () => {
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer'];
    expect((await journey.bursar(run, { stdin: 'y\ny\ny\n' })).code).toBe(2);
  });

  it('with a wrong password starts nothing: exit 2', async () => {
    const before = (await journals()).length;
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];
    const { code, stderr } = await journey.bursar(run, { env: { BURSAR_KEY_PASSWORD: 'wrong' } });
    expect({ code, journals: (await journals()).length }).toEqual({ code: 2, journals: before });
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('of a payer without money is exit 10, and no balance changes', async () => {
    await newEvmKey(journey.home, 'poor');
    await journey.bursar(['sandbox', 'fund', 'poor', '--chain', 'polygon', '--token', 'POL']);
    const before = await balances();
    const { code, data } = await journey.json(['pay', 'run', '--body', 'payment.json', '--key', 'poor', '--yes']);
    expect(code).toBe(10);
    expect(data['error']).toMatchObject({
      code: 'refused_by_review',
      message: 'poor has 0 USDT on polygon; the transaction needs 10 USDT.',
      next: 'bursar sandbox fund poor --chain polygon --token USDT --amount 10',
    });
    expect(await balances()).toEqual(before);
  });

  it('across chains pays the bridge of the sandbox: received, then success', async () => {
    const across = ['--amount-from', '63', '--to-chain', 'base', '--chain-name', 'polygon', '--yes'];
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', ...across];
    const { code, data } = await journey.json(run);
    expect({ code, data }).toMatchObject({ code: 0, data: { status: 'success' } });
    const id = await registerOne('--to-chain', 'base', '--amount-from', '64');
    await createTransaction(id);
    const executed = await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes']);
    const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(executed).toMatchObject({ code: 0, data: { id, status: 'payment_received', tx_hash: hash } });
    expect(executed.data).not.toHaveProperty('tid_hash');
    const listed = async () => (await journey.json(['pay', 'list', '--limit', '1'])).data;
    expect(await listed()).toMatchObject([{ payment_id: id, state: 'sent' }]);
    expect(executed.data['next']).toBe(`bursar pay status ${id} --wait`);
    const waited = await journey.json(['pay', 'status', id, '--wait']);
    expect(waited).toMatchObject({ code: 0, data: { status: 'success', tid_hash: executed.data['tx_hash'] } });
    expect(await listed(), 'the journal has the state of the service').toMatchObject([
      { payment_id: id, state: 'success' },
    ]);
  });

  it('with --dry-run prints both requests, and sends nothing to the service', async () => {
    const sent: string[] = [];
    const { code, data } = await journey.through(
      ({ path }, forward) => {
        if (!path.startsWith('/_sandbox')) sent.push(path);
        return forward();
      },
      () => journey.json(['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--dry-run']),
    );
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(data).toMatchObject([{ method: 'POST' }, { method: 'POST', body: { payer_wallet: journey.address } }]);
  });
});

describe('step by step', () => {
  beforeAll(way.change);

  it('a payment is registered, created, signed, executed and waited for', async () => {
    const id = await registerOne();
    const created = await createTransaction(id);
    expect(created.data).toMatchObject({ payment_id: id, crypto_tx: { family: 'evm', chain_name: 'polygon' } });
    const signed = await journey.json(['pay', 'sign', id, '--key', 'payer']);
    expect(signed.data).toMatchObject({ from: journey.address, hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const hex = String(signed.data['signed_transaction']);
    const executed = await journey.json(['pay', 'execute', id, '--signed-transaction', '-', '--yes'], { stdin: hex });
    const { profile, kind } = { profile: 'sandbox', kind: 'sandbox' };
    const hash = signed.data['hash'];
    expect(executed).toEqual({
      ...executed,
      code: 0,
      data: { id, tid_hash: hash, status: 'payment_confirmed', profile, kind },
    });
    const status = await journey.json(['pay', 'status', id, '--wait']);
    expect(status).toMatchObject({ code: 0, data: { status: 'success', tid_hash: signed.data['hash'] } });
  });

  it('signed bytes without 0x are sent with 0x', async () => {
    const id = await registerOne();
    await createTransaction(id);
    const signed = await journey.json(['pay', 'sign', id, '--key', 'payer']);
    const hex = String(signed.data['signed_transaction']);
    const execute = ['pay', 'execute', id, '--signed-transaction', hex.slice(2), '--yes'];
    const sent: string[] = [];
    const executed = await journey.through(
      async ({ path, body }, forward) => {
        if (path.endsWith('/execute/on-chain')) sent.push(JSON.parse(body).signed_transaction);
        return forward();
      },
      () => journey.json(execute),
    );
    expect(executed).toMatchObject({ code: 0, data: { status: 'payment_confirmed', tid_hash: signed.data['hash'] } });
    expect(sent).toEqual([hex]);
  });

  it('--envelope of execute prints the answer of the service to that call', async () => {
    const id = await registerOne();
    await createTransaction(id);
    const { code, data } = await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes', '--envelope']);
    expect({ code, data }).toEqual({
      code: 0,
      data: {
        statusCode: 200,
        success: true,
        status: 'payment_confirmed',
        message: expect.any(String),
        data: { id, tid_hash: expect.stringMatching(/^0x/) },
      },
    });
  });

  it('an executed payment is not signed again: exit 9 with its state', async () => {
    const id = await registerOne();
    await createTransaction(id);
    expect((await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes'])).code).toBe(0);
    const before = [await balances(), await journey.signatures()];
    const again = await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes']);
    expect(again).toMatchObject({
      code: 9,
      data: { error: { code: 'rejected', message: expect.stringContaining('success') } },
    });
    expect(again.data['error'], 'the only call was a read that succeeded').not.toHaveProperty('status');
    expect([await balances(), await journey.signatures()]).toEqual(before);
  });

  it('an error of the service to execute keeps its status and HTTP code: exit 12', async () => {
    const id = await registerOne();
    await createTransaction(id);
    await journey.json(['sandbox', 'fault', 'pay.execute', 'payment_failed']);
    const failed = await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes']);
    expect(failed).toMatchObject({
      code: 12,
      data: { error: { code: 'payment_failed', status: 'payment_failed', http: 500 } },
    });
  });

  it('a crypto_tx from a file is signed offline by the facts that the user states', async () => {
    const id = await registerOne();
    const { data } = await createTransaction(id);
    const stdin = JSON.stringify(data['crypto_tx']);
    const stated = ['--amount-from', '10', '--payer-token-symbol', 'USDT', '--chain-name', 'polygon'];
    const split = ['--split', `${RECEIVERS[0]}=70`, '--split', `${RECEIVERS[1]}=30`];
    const sign = ['pay', 'sign', '--unsigned', '-', '--key', 'payer', ...stated, ...split];
    const signed = await journey.json(sign, { stdin });
    expect(signed).toMatchObject({ code: 0, data: { from: journey.address } });
    const whole = [data, { statusCode: 200, status: 'ok', data }, { transaction: data['crypto_tx'] }];
    for (const answer of whole) {
      expect(await journey.json(sign, { stdin: JSON.stringify(answer) })).toEqual(signed);
    }
    const solana = await journey.json(sign, { stdin: JSON.stringify({ transaction: 'AQID' }) });
    expect(solana.data['error']).toMatchObject({ hint: 'Sign it by bursar yield sign --transaction FILE.' });
    const lacking = await journey.json(['pay', 'sign', '--unsigned', '-', '--amount-from', '10'], {
      stdin,
      env: { BURSAR_KEY: '' },
    });
    expect(lacking.data['error'], 'all missing options are named at once').toMatchObject({
      errors: [{ option: '--key' }],
      hint: expect.stringMatching(/: --payer-token-symbol, --chain-name, --split\.$/),
    });
  });

  it('a payment to the own wallet has a warning, and a payment to other wallets has none', async () => {
    const own = ['--split', `${journey.address}=60`, '--split', `${RECEIVERS[0]}=40`];
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--amount-from', '15'];
    const { code, stderr } = await journey.bursar([...run, ...own]);
    const warning = `warning: the payer is a receiver too: 9 USDT goes back to ${journey.address}`;
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(warning)]);
    expect((await journey.bursar(run)).stderr).not.toContain('receiver too');
  });

  it('bytes signed for another payment are refused before they are sent: exit 10', async () => {
    const [first, second] = [await registerOne(), await registerOne()];
    await createTransaction(first);
    const signed = await journey.json(['pay', 'sign', first, '--key', 'payer']);
    const other = ['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDC'];
    await journey.json([
      'pay',
      'transaction',
      second,
      '--transaction-type',
      'crypto',
      '--payer-email',
      'a@example.com',
      ...other,
    ]);
    const hex = String(signed.data['signed_transaction']);
    const { code } = await journey.json(['pay', 'execute', second, '--signed-transaction', hex, '--yes']);
    expect(code).toBe(10);
  });

  it('pay status --wait of a payment that waits for its payer ends at once: exit 8, with its state', async () => {
    const id = await registerOne();
    const { code, stdout, stderr } = await journey.bursar(['pay', 'status', id, '--wait']);
    expect(code).toBe(8);
    expect(stdout).toMatch(/^status\tregistered$/m);
    expect(stderr).toContain(`bursar pay transaction ${id}`);
  });

  it('an unknown payment is exit 3, a wrong API key exit 4', async () => {
    expect((await journey.bursar(['pay', 'status', 'pay_unknown'])).code).toBe(3);
    expect((await journey.bursar(['pay', 'status', 'pay_unknown'], { env: { BURSAR_API_KEY: 'wrong' } })).code).toBe(4);
  });
});
