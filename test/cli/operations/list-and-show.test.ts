import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';
import { showInProcess } from '../../support/shown-in-process.ts';

const AT = '2026-01-15T09:30:00.000Z';
const BEGUN = { step: 'begun', profile: 'main', kind: 'live', base_url: 'https://pay.example' };
const PAYMENT = {
  amount: '10',
  currency: 'USDT',
  chain: 'polygon',
  token: 'USDT',
  receivers: [{ wallet: '0x1111111111111111111111111111111111111111', percent: '100' }],
  payer: '0x2222222222222222222222222222222222222222',
};
const DEPOSIT = {
  operation: 'deposit',
  amount: '25',
  asset: 'USDC',
  chain: 'solana',
  wallet: 'W',
  provider_in: 'provider_a',
};
const OF = { payment_id: 'pay_1', hash: '0xfeed', from: PAYMENT.payer };
const SIGNED = { step: 'signed', ...OF, signed_transaction: '0x02f8deadbeef' };
const EXECUTING = { step: 'executing', ...OF };
const LOST = { step: 'failed', code: 'outcome_unknown', is_unknown: true };

type Step = Readonly<Record<string, unknown>>;

const idAt = (at: number): string => `20260115T09${String(at).padStart(4, '0')}Z-0000000${at % 10}`;

/** A home whose journal contains operations, as bursar writes them. */
const journal = async (...operations: readonly (readonly Step[])[]) => {
  const home = await newHomeInProcess();
  const folder = join(home.home, 'state', 'journal');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [at, steps] of operations.entries()) {
    const lines = steps.map((step) => `${JSON.stringify({ v: 1, at: AT, movement: idAt(at), ...step })}\n`);
    await writeFile(join(folder, `${idAt(at)}.ndjson`), lines.join(''), { mode: 0o600 });
  }
  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await home.bursar([...args, '--json']);
    return { code, data: JSON.parse(stdout) };
  };
  return { ...home, folder, json };
};

const begun = (intent: Step): Step => ({ ...BEGUN, intent });

describe('the list of operations', () => {
  it('is exit 2 for an address of a journal without TLS, and names no password', async () => {
    const { bursar } = await journal();
    const url = 'postgres://me:secret@db.example.com/journal';
    const { code, stderr } = await bursar(['pay', 'list'], { env: { BURSAR_JOURNAL: url } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('BURSAR_JOURNAL names db.example.com without TLS')]);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    [['pay', 'list', '--state', 'in_dubt'], 'Did you mean in_doubt?'],
    [['pay', 'list', '--state', ''], 'is none of success, '],
    [['pay', 'list', '--state', 'settled'], 'is none of success, '],
    [['pay', 'list', '--state', 'open'], 'Did you mean --open?'],
    [['yield', 'list', '--state', 'nope'], 'is none of settled, '],
    [['pay', 'list', '--profile', 'man'], 'Known: sandbox.'],
  ])('%j is exit 2 with the valid values', async (args, says) => {
    const { bursar } = await journal([begun(PAYMENT), { step: 'registering' }]);
    const { code, stdout, stderr } = await bursar(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  it('has the columns of its help in a pipe, also with incomplete rows', async () => {
    const only = { operation: 'sign', chain: 'solana', wallet: 'W' };
    const { bursar } = await journal([begun(DEPOSIT)], [begun(only)]);
    const rows = (await bursar(['yield', 'list'])).stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').slice(3, 6))).toEqual([
      ['sign', '', ''],
      ['deposit', '25', 'USDC'],
    ]);
    expect((await bursar(['help', 'yield', 'list'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'movement, begun_at, state, operation, amount, asset, provider_out, provider_in, hashes, profile, kind.',
    );
  });

  it('has the field names that scripts rely on', async () => {
    const { json } = await journal([begun(PAYMENT), SIGNED, EXECUTING, LOST]);
    const [row] = (await json('pay', 'list')).data;
    expect(Object.keys(row).slice(0, 3)).toEqual(['movement', 'begun_at', 'state']);
    expect(row).toMatchObject({
      movement: idAt(0),
      begun_at: AT,
      state: 'in_doubt',
      payment_id: 'pay_1',
      profile: 'main',
    });
    expect((await json('pay', 'show', idAt(0))).data).toMatchObject({
      ...{ movement: idAt(0), begun_at: AT, last_at: AT, base_url: 'https://pay.example' },
      transactions: [{ part: 1, hash: '0xfeed', from: PAYMENT.payer, sent: 'maybe', is_dead: false }],
      stopped: { code: 'outcome_unknown', is_unknown: true },
      steps: [
        { step: 'begun' },
        { step: 'signed' },
        { step: 'executing' },
        { step: 'failed', code: 'outcome_unknown' },
      ],
    });
  });

  it('accepts every state that it shows, also the state of a single step', async () => {
    const step = { operation: 'register' };
    const { json } = await journal([begun(step), { step: 'registered', payment_id: 'pay_1' }]);
    expect((await json('pay', 'list', '--state', 'registered')).data).toMatchObject([{ payment_id: 'pay_1' }]);
    expect((await json('pay', 'list', '--open')).data).toEqual([]);
  });

  it('shows signed operations, never as open: in pay list for EVM chains, in yield list for Solana', async () => {
    const sign = (chain: string, wallet: string) => begun({ operation: 'sign', chain, wallet });
    const part = { step: 'signed_part', part: 1, signed_transaction: 'x', hash: 'h', from: 'W' };
    const { json, bursar } = await journal(
      [{ ...sign('polygon', PAYMENT.payer), payment_id: 'pay_1' }, SIGNED],
      [sign('polygon', PAYMENT.payer), { step: 'refused', message: 'no', checks: [] }],
      [sign('solana', 'W'), part],
    );
    const listed = async (...args: readonly string[]) =>
      (await json(...args)).data.map(({ movement: operation, state }: Step) => [operation, state]);
    expect(await listed('pay', 'list')).toEqual([
      [idAt(1), 'refused'],
      [idAt(0), 'signed'],
    ]);
    expect(await listed('yield', 'list', '--state', 'signed')).toEqual([[idAt(2), 'signed']]);
    expect([await listed('pay', 'list', '--open'), await listed('yield', 'list', '--open')]).toEqual([[], []]);
    expect((await bursar(['doctor', '--offline'])).stdout).toContain('3 operations, none open');
    const next = 'bursar pay execute pay_1 --profile main';
    expect(await json('pay', 'resume', 'pay_1')).toMatchObject({ code: 0, data: { status: 'signed', next } });
    expect(await json('yield', 'resume', idAt(2))).toMatchObject({ code: 0, data: { status: 'signed' } });
  });

  it('shows the state of each operation, newest first, and separates payments from yield operations', async () => {
    const { json } = await journal(
      [begun(PAYMENT), SIGNED, EXECUTING, LOST],
      [begun(PAYMENT), SIGNED, EXECUTING, { step: 'executed', ...OF, status: 'payment_confirmed' }],
      [begun(PAYMENT), { step: 'registering' }, { step: 'failed', code: 'unavailable', is_unknown: false }],
      [begun(PAYMENT), { step: 'refused', payment_id: 'pay_4', message: 'no', checks: [] }],
      [begun(PAYMENT), { step: 'ended', payment_id: 'pay_5', status: 'success' }],
      [begun(DEPOSIT), { step: 'settled', positions: [] }],
    );
    const { data } = await json('pay', 'list');
    expect(data.map(({ state }: Step) => state)).toEqual(['success', 'refused', 'unfinished', 'sent', 'in_doubt']);
    expect(data.at(-1)).toMatchObject({ payment_id: 'pay_1', amount: '10', tid_hash: '0xfeed', kind: 'live' });
    expect((await json('yield', 'list')).data).toMatchObject([{ state: 'settled', operation: 'deposit' }]);
    const states = async (...args: readonly string[]) =>
      (await json('pay', 'list', ...args)).data.map(({ state }: Step) => state);
    expect(await states('--open')).toEqual(['unfinished', 'sent', 'in_doubt']);
    expect(await states('--state', 'success', '--state', 'sent')).toEqual(['success', 'sent']);
    expect(await states('--profile', 'main')).toHaveLength(5);
    expect(await states('--profile', 'sandbox')).toEqual([]);
  });

  it('shows the newest 30, and prints that there are more', async () => {
    const { bursar, json } = await journal(...Array.from({ length: 35 }, () => [begun(PAYMENT)]));
    const { code, stdout, stderr } = await bursar(['pay', 'list']);
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 30]);
    expect(stderr).toBe('These are the newest 30; --all shows the others too.\n');
    expect((await json('pay', 'list', '--all')).data).toHaveLength(35);
    expect((await json('pay', 'list', '--open')).data, 'open operations are never omitted').toHaveLength(35);
    expect((await bursar(['pay', 'list', '--all', '--limit', '2'])).code).toBe(2);
    expect((await json('pay', 'list', '--limit', '2')).data).toMatchObject([{ movement: idAt(34) }, {}]);
    for (const wrong of ['0', '-1', '1.5', 'x']) {
      expect((await bursar(['pay', 'list', '--limit', wrong])).code).toBe(2);
    }
  });

  it('of an empty journal is an empty list', async () => {
    const { bursar } = await newHomeInProcess();
    expect(await bursar(['pay', 'list', '--json'])).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('is exit 2 with an unreadable operation, and shows all others', async () => {
    const { bursar, folder } = await journal([begun(PAYMENT)]);
    await writeFile(join(folder, `${idAt(1)}.ndjson`), 'x\n');
    const { code, stdout, stderr } = await bursar(['pay', 'list', '--json']);
    expect([code, JSON.parse(stdout).length]).toEqual([2, 1]);
    expect(stderr).toContain(`${idAt(1)}.ndjson: line 1 is damaged`);
    const table = await bursar(['pay', 'list', '--open']);
    expect(table.code).toBe(2);
    expect(table.stderr.match(/line 1 is damaged/g), 'the damage is printed once').toHaveLength(1);
    expect(table.stderr).toContain('next: bursar doctor');
  });
});

describe('the list of payments', () => {
  const register = begun({ operation: 'register', amount: '10', currency: 'USDT', receivers: PAYMENT.receivers });
  const transaction = begun({ operation: 'transaction', chain: 'polygon', token: 'USDT', payer: PAYMENT.payer });
  const made = { step: 'created', payment_id: 'pay_1', crypto_tx: {} };
  const ended = { step: 'ended', payment_id: 'pay_1', status: 'success' };
  const refused = { step: 'refused', payment_id: 'pay_1', message: 'no', checks: [] };

  it('has one row for each payment: the facts of all operations, the state of the operation of its id', async () => {
    const { json } = await journal(
      [register, { step: 'registered', payment_id: 'pay_1' }],
      [transaction, made],
      [begun(PAYMENT), SIGNED, EXECUTING, ended],
      [begun(PAYMENT), refused],
      [
        { ...begun(PAYMENT), intent_key: 'rent' },
        { step: 'registered', payment_id: 'pay_2' },
      ],
    );
    const { data } = await json('pay', 'list', '--per', 'payment');
    expect(data).toMatchObject([
      { payment_id: 'pay_2', state: 'unfinished', operations: 1, intent_key: 'rent', receivers: PAYMENT.receivers },
      { payment_id: 'pay_1', state: 'success', operations: 4, movement: idAt(2), intent_key: null },
    ]);
    expect((await json('pay', 'show', 'pay_1')).data, 'the payment id selects the same operation').toMatchObject({
      movement: idAt(2),
    });
    expect((await json('pay', 'list')).data.map(({ state }: Step) => state)).toEqual([
      ...['unfinished', 'refused', 'success', 'created', 'registered'],
    ]);
    expect((await json('pay', 'list', '--per', 'payment', '--state', 'registered')).data).toEqual([]);
    expect((await json('pay', 'list', '--per', 'payment', '--limit', '1')).data).toMatchObject([
      { payment_id: 'pay_2' },
    ]);
  });

  it('shows the end of a payment with a later unfinished operation, and a doubt before that end', async () => {
    const left = [begun(PAYMENT), { step: 'registered', payment_id: 'pay_1' }, { step: 'failed', code: 'interrupted' }];
    const { json } = await journal([begun(PAYMENT), SIGNED, EXECUTING, ended], left);
    expect((await json('pay', 'list', '--per', 'payment')).data).toMatchObject([{ state: 'success', operations: 2 }]);
    expect((await json('pay', 'show', 'pay_1')).data).toMatchObject({
      movement: idAt(0),
      state: 'success',
      next: null,
    });
    const doubted = await journal([begun(PAYMENT), SIGNED, EXECUTING, ended], left, [
      begun(PAYMENT),
      SIGNED,
      EXECUTING,
      LOST,
    ]);
    expect((await doubted.json('pay', 'show', 'pay_1')).data).toMatchObject({ movement: idAt(2), state: 'in_doubt' });
  });

  it('completes a step with the facts of other steps', async () => {
    const { json } = await journal([register, { step: 'registered', payment_id: 'pay_1' }], [transaction, made]);
    const { data } = await json('pay', 'list', '--per', 'payment');
    expect(data).toMatchObject([{ state: 'created', amount: '10', currency: 'USDT', chain: 'polygon' }]);
  });

  it('separates two services with the same payment id', async () => {
    const other = { ...begun(PAYMENT), base_url: 'https://other.example' };
    const { json } = await journal([begun(PAYMENT), ended], [other, ended]);
    expect((await json('pay', 'list', '--per', 'payment')).data).toHaveLength(2);
  });

  it('has its fixed columns in a pipe', async () => {
    const { bursar } = await journal([{ ...begun(PAYMENT), intent_key: 'rent' }, SIGNED, EXECUTING, ended]);
    const { stdout } = await bursar(['pay', 'list']);
    const row = [idAt(0), AT, 'success', 'pay_1', '10', 'USDT', 'polygon', '0xfeed', 'main', 'live'];
    expect(stdout).toBe(`${row.join('\t')}\n`);
  });

  it('on 80 columns shows id, state, amount, chain and receiver; profile and intent only if they differ', async () => {
    const id = `pay_${'0'.repeat(32)}`;
    const of = (payment_id: string, more: Step = {}) => [
      { ...begun({ ...PAYMENT, receivers: [...PAYMENT.receivers, ...PAYMENT.receivers] }), ...more },
      { step: 'ended', payment_id, status: 'success' },
    ];
    const screen = async (home: string, columns = 80) =>
      (await showInProcess(home, ['pay', 'list'], { columns, env: { NO_COLOR: '1' } })).stdout.split('\n');
    const alike = await journal(of(id), of(`${id}1`));
    const [header, , row] = await screen(alike.home);
    expect(header?.split(/ +/)).toEqual(['id', 'state', 'amount', 'chain', 'to']);
    expect(row).toBe(`${id}   success  10 USDT  polygon  0x11…1111 +1`);
    expect((await screen(alike.home, 200))[0]?.split(/ +/)).toEqual([
      ...['id', 'state', 'amount', 'chain', 'to', 'age', 'profile', 'tid_hash'],
    ]);
    const differing = await journal(of(id), of(`${id}1`, { profile: 'test', intent_key: 'rent' }));
    expect((await screen(differing.home))[0]?.split(/ +/)).toEqual(['id', 'state', 'amount', 'profile', 'chain']);
    expect((await screen(differing.home, 200))[0]).toMatch(/ age +intent /);
  });
});

describe('a final state that pay status shows', () => {
  const PIX = {
    ...{ operation: 'pix', type: 'pixcrypto', payer: 'mark', to_currency: 'USDT' },
    ...{ amount: '10', currency: 'BRL', chain: 'polygon', receivers: PAYMENT.receivers },
  };
  const CODE = { step: 'payable', payment_id: 'pay_1', code: 'c', txid: 't', amount: '10', expires_at: AT };
  const IN_DOUBT = [begun(PAYMENT), SIGNED, EXECUTING, LOST];

  /** The state in pay list after pay status reads a payment in this state. */
  const afterRead = async (operation: readonly Step[], shown: Step, ...more: readonly string[]) => {
    const data = { id: 'pay_1', status: 'success', tid_hash: '0xFEED', ...shown };
    const { url } = await startServer(envelope(200, 'ok', { data }));
    const [start = {}, ...steps] = operation;
    const own = await journal([start['base_url'] === BEGUN.base_url ? { ...start, base_url: url } : start, ...steps]);
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'sk_live_1' };
    const read = await own.bursar(['pay', 'status', 'pay_1', '--json', ...more], { env });
    const { data: rows } = await own.json('pay', 'list');
    return { code: read.code, state: rows[0].state, ...own };
  };

  it.each<[string, readonly Step[], Step, string]>([
    ['of a Pix that was paid', [begun(PIX), CODE], {}, 'success'],
    ['of a Pix that failed', [begun(PIX), CODE], { status: 'error' }, 'error'],
    ['by the transaction that was sent from here', IN_DOUBT, {}, 'success'],
  ])('%s is the state in pay list', async (_, operation, shown, state) => {
    expect(await afterRead(operation, shown)).toMatchObject({ code: 0, state });
    const waited = await afterRead(operation, shown, '--wait');
    expect(waited).toMatchObject({ code: state === 'error' ? 12 : 0, state });
  });

  it.each<[string, readonly Step[], Step, string]>([
    ['by another transaction', IN_DOUBT, { tid_hash: '0xbad' }, 'in_doubt'],
    ['without a transaction', IN_DOUBT, { tid_hash: null }, 'in_doubt'],
    ['as failed, whose transaction can still land', IN_DOUBT, { status: 'error' }, 'in_doubt'],
    ['of another payment', IN_DOUBT, { id: 'pay_2' }, 'in_doubt'],
    ['that can still change', [begun(PIX), CODE], { status: 'registered' }, 'payable'],
    ['of another service', [{ ...begun(PIX), base_url: 'https://other.example' }, CODE], {}, 'payable'],
    ['of another API key', [{ ...begun(PIX), asker: '0123456789abcdef' }, CODE], {}, 'payable'],
  ])('%s is not stored, and the operation stays open', async (_, operation, shown, state) => {
    expect(await afterRead(operation, shown)).toMatchObject({ state });
  });

  it('is found by the operation id; an unregistered payment is exit 2 with its resume command', async () => {
    const { url } = await startServer(envelope(200, 'ok', { data: { id: 'pay_1', status: 'registered' } }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'sk_live_1' };
    const { bursar } = await journal([begun(PIX), CODE], [begun(PAYMENT)]);
    const { code, stdout } = await bursar(['pay', 'status', idAt(0), '--json'], { env });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: 'pay_1' }]);
    const unregistered = await bursar(['pay', 'status', idAt(1), '--json'], { env });
    const { message, next } = JSON.parse(unregistered.stdout).error;
    expect([unregistered.code, next]).toEqual([2, `bursar pay resume ${idAt(1)}`]);
    expect(message).toContain('is not registered');
  });

  it('is printed also when the journal cannot be written or is missing', async () => {
    const { folder, bursar, json } = await afterRead([begun(PIX), CODE], { status: 'registered' });
    const { url } = await startServer(envelope(200, 'ok', { data: { id: 'pay_1', status: 'success' } }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'sk_live_1' };
    await writeFile(join(folder, `${idAt(0)}.ndjson.claim-0`), JSON.stringify({ pid: 1, host: 'another' }));
    expect((await bursar(['pay', 'status', 'pay_1'], { env })).code).toBe(0);
    expect((await json('pay', 'list')).data).toMatchObject([{ state: 'payable' }]);
    const empty = await newHomeInProcess();
    expect((await empty.bursar(['pay', 'status', 'pay_1'], { env })).code).toBe(0);
    expect(await readdir(empty.home)).toEqual([]);
  });
});

describe('one operation', () => {
  it('is shown by its operation id or payment id, with every step, without the signed bytes', async () => {
    const { bursar, json } = await journal([begun(PAYMENT), SIGNED, EXECUTING, LOST]);
    for (const id of [idAt(0), 'pay_1']) {
      const { code, data } = await json('pay', 'show', id);
      expect(code).toBe(0);
      expect(data).toMatchObject({
        state: 'in_doubt',
        intent: PAYMENT,
        transactions: [{ hash: '0xfeed', sent: 'maybe' }],
        stopped: { code: 'outcome_unknown' },
        next: 'bursar pay resume pay_1 --profile main',
      });
      expect(data.steps.map(({ step }: Step) => step)).toEqual(['begun', 'signed', 'executing', 'failed']);
    }
    const lost = await json('pay', 'show', 'nope', '--profile', 'main');
    expect(lost.data.error.next, 'the next command names the same profile').toBe('bursar pay list --profile main');
    await bursar(['profile', 'set', 'main', 'base_url=https://api.example']);
    const inUse = await bursar(['pay', 'show', 'pay_1', '--json'], { env: { BURSAR_PROFILE: 'main' } });
    expect(inUse.stdout, 'the next command omits the profile in use').toContain('resume pay_1"');
    const { stdout } = await bursar(['pay', 'show', 'pay_1']);
    expect(stdout).not.toContain('deadbeef');
    expect((await json('pay', 'show', 'pay_1')).data).toMatchObject({ transaction_type: 'crypto', fee_at_most: null });
  });

  it('has its steps in words on a terminal', async () => {
    const { home } = await journal([begun(PAYMENT), SIGNED, EXECUTING, LOST]);
    const { stdout } = await showInProcess(home, ['pay', 'show', 'pay_1'], { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/steps +\S+ started\n +\S+ signed\n +\S+ being sent\n +\S+ failed/);
  });

  it('has its operation id in the next command while a newer operation of the payment is open', async () => {
    const lost = [begun(PAYMENT), SIGNED, EXECUTING, LOST];
    const { json } = await journal(lost, lost);
    const next = async (id: string) => (await json('pay', 'show', id)).data.next;
    expect(await next(idAt(0))).toBe(`bursar pay resume ${idAt(0)} --profile main`);
    expect(await next(idAt(1))).toBe('bursar pay resume pay_1 --profile main');
    const ended = { step: 'ended', payment_id: 'pay_1', status: 'success' };
    const settled = await journal(lost, [begun(PAYMENT), SIGNED, EXECUTING, ended]);
    const { data } = await settled.json('pay', 'show', idAt(0));
    expect(data.next).toBe('bursar pay resume pay_1 --profile main');
    expect((await settled.json('pay', 'show', 'pay_1')).data.movement).toBe(idAt(0));
  });

  it('has its operation id in the error of a resume while a newer operation is open', async () => {
    const lost = [{ ...begun(PAYMENT), asker: '0123456789abcdef' }, SIGNED, EXECUTING, LOST];
    const { bursar } = await journal(lost, lost);
    await bursar(['profile', 'set', 'main', `base_url=${BEGUN.base_url}`]);
    const env = { BURSAR_PROFILE: 'main', BURSAR_API_KEY: 'sk_live_1' };
    const next = async (id: string) =>
      JSON.parse((await bursar(['pay', 'resume', id, '--json'], { env })).stdout).error.next;
    expect(await next(idAt(0))).toBe(`bursar pay resume ${idAt(0)} --new-api-key`);
    expect(await next(idAt(1))).toBe('bursar pay resume pay_1 --new-api-key');
    expect(await next('pay_1')).toBe('bursar pay resume pay_1 --new-api-key');
  });

  it.each(['20260115T093000Z-ffffffff', ''])(
    'has its operation id in the next command when the payment id is "%s"',
    async (id) => {
      const { json } = await journal([begun(PAYMENT), { ...SIGNED, payment_id: id }, { ...EXECUTING, payment_id: id }]);
      const { data } = await json('pay', 'show', idAt(0));
      expect(data.next).toBe(`bursar pay resume ${idAt(0)} --profile main`);
    },
  );

  it.each(['pay_9', '20260115T093000Z-ffffffff', '../../../etc/passwd'])(
    'with an unknown id is exit 3: %s',
    async (id) => {
      const { json } = await journal([begun(PAYMENT)]);
      const { code, data } = await json('pay', 'show', id);
      expect([code, data.error.code, data.error.next]).toEqual([3, 'not_found', 'bursar pay list']);
    },
  );

  it('that is superseded is exit 9 when it is resumed, or 11 if it was sent', async () => {
    const superseded = { step: 'set_aside' };
    const { json, bursar } = await journal(
      [begun(PAYMENT), superseded],
      [begun(PAYMENT), SIGNED, EXECUTING, superseded],
    );
    expect(await json('pay', 'resume', idAt(0))).toMatchObject({
      code: 9,
      data: {
        error: {
          message: `the payment ${idAt(0)} was superseded, and nothing was sent for it`,
          data: { live: false },
          hint: 'Nothing was sent now. bursar pay list shows the payment that replaced it, if any.',
          next: `bursar pay show ${idAt(0)}`,
        },
      },
    });
    const sent = await json('pay', 'resume', 'pay_1');
    expect(sent).toMatchObject({ code: 11, data: { error: { data: { hash: '0xfeed', live: true } } } });
    expect((await bursar(['pay', 'show', 'pay_1'])).code).toBe(0);
  });

  it('of a single step names the next command for its service when it is resumed', async () => {
    const made = { step: 'registered', payment_id: 'pay_1' };
    const ready = { step: 'created', payment_id: 'pay_2', crypto_tx: {} };
    const { json, bursar } = await journal(
      [begun({ operation: 'register', amount: '10', currency: 'USDT', receivers: [] }), { step: 'registering' }, made],
      [begun({ operation: 'transaction', chain: 'polygon', token: 'USDT', payer: PAYMENT.payer }), ready],
    );
    const next = async (at: number) => (await json('pay', 'resume', idAt(at))).data.next;
    expect(await next(0)).toBe(
      [
        ...['bursar pay transaction pay_1 --transaction-type crypto --payer-email "$PAYER_EMAIL"'],
        ...['--payer-wallet "$PAYER_WALLET" --chain-name "$CHAIN_NAME" --payer-token-symbol "$PAYER_TOKEN_SYMBOL"'],
        '--profile main',
      ].join(' '),
    );
    expect(await next(1)).toBe('bursar pay execute pay_2 --profile main');
    await bursar(['profile', 'set', 'main', 'base_url=https://api.example']);
    await bursar(['profile', 'use', 'main']);
    expect(await next(1), 'the next command omits the profile in use').toBe('bursar pay execute pay_2');
  });

  it('with a damaged record is exit 2', async () => {
    const { json, folder } = await journal([begun(PAYMENT)]);
    await writeFile(join(folder, `${idAt(1)}.ndjson`), 'x\n');
    for (const id of [idAt(1), 'pay_9']) {
      expect(await json('pay', 'show', id)).toMatchObject({ code: 2, data: { error: { code: 'journal_damaged' } } });
    }
  });
});

describe('pay forget', () => {
  it('needs a user at a terminal after a possible transfer on a live service, also with --yes', async () => {
    const { bursar, folder } = await journal([begun(PAYMENT), SIGNED, EXECUTING, LOST]);
    for (const yes of [[], ['--yes']]) {
      const { code, stderr } = await bursar(['pay', 'forget', 'pay_1', ...yes]);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /may have moved money \(0xfeed\).*a second one\. Only a user at a terminal can confirm that/,
      );
      expect(stderr).toContain('next: bursar pay resume pay_1 --profile main\n');
    }
    expect(await readdir(folder)).toEqual([`${idAt(0)}.ndjson`]);
  });

  it('needs a user at a terminal also after an error of the service, because sent bytes can land', async () => {
    const ended = { step: 'ended', payment_id: 'pay_1', status: 'error', tid_hash: '0xfeed' };
    const executed = { step: 'executed', ...OF, status: 'payment_received' };
    const { bursar, folder } = await journal([begun(PAYMENT), SIGNED, EXECUTING, executed, ended]);
    const { code, stderr } = await bursar(['pay', 'forget', 'pay_1', '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('may have moved money (0xfeed)')]);
    expect(await readdir(folder)).toEqual([`${idAt(0)}.ndjson`]);
  });

  it('needs --yes after a possible transfer in a sandbox', async () => {
    const ofSandbox = { ...begun(PAYMENT), kind: 'sandbox', profile: 'sandbox' };
    const { bursar, folder } = await journal([ofSandbox, SIGNED, EXECUTING, LOST]);
    expect((await bursar(['pay', 'forget', 'pay_1'])).code).toBe(2);
    expect(await readdir(folder)).toEqual([`${idAt(0)}.ndjson`]);
    const { code, stdout } = await bursar(['pay', 'forget', 'pay_1', '--yes', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { movement: idAt(0), state: 'in_doubt', hashes: ['0xfeed'], forgotten: true },
    ]);
    expect(await readdir(folder)).toEqual(['.changes']);
  });

  it('removes all records of a payment by its payment id, and one record by an operation id', async () => {
    const step = { operation: 'sign', chain: 'polygon' };
    const ended = { step: 'ended', payment_id: 'pay_1', status: 'success', tid_hash: '0xfeed' };
    const steps = [begun(step), { step: 'signed', ...OF, signed_transaction: '0x02f8deadbeef' }];
    const { json, folder } = await journal(steps, [begun(PAYMENT), SIGNED, EXECUTING, ended], [begun(DEPOSIT)], steps);
    const one = await json('pay', 'forget', idAt(3), '--yes');
    expect(one).toMatchObject({ code: 0, data: { movement: idAt(3), state: 'signed' } });
    expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson'))).toHaveLength(3);
    const all = await json('pay', 'forget', 'pay_1', '--yes');
    expect(all).toMatchObject({ code: 0, data: { movement: idAt(1), state: 'success', hashes: ['0xfeed'] } });
    expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson'))).toEqual([`${idAt(2)}.ndjson`]);
  });

  it('removes no record of a payment while a process works on one of them', async () => {
    const { bursar, folder } = await journal([begun(PAYMENT), SIGNED], [begun(PAYMENT), SIGNED]);
    for (const at of [0, 1]) {
      const claim = join(folder, `${idAt(at)}.ndjson.claim-0`);
      await writeFile(claim, JSON.stringify({ pid: 1, host: 'another' }));
      expect((await bursar(['pay', 'forget', 'pay_1', '--yes'])).code).toBe(8);
      expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson'))).toHaveLength(2);
      await rm(claim);
    }
  });

  it('removes no operation while a process works on the operation', async () => {
    const { bursar, folder } = await journal([begun(PAYMENT)]);
    const claim = join(folder, `${idAt(0)}.ndjson.claim-0`);
    await writeFile(claim, JSON.stringify({ pid: 1, host: 'another' }));
    const { code, stderr } = await bursar(['pay', 'forget', idAt(0), '--yes']);
    expect([code, stderr]).toEqual([8, expect.stringContaining('process 1 is working on the operation')]);
    // This machine cannot check a process of another container or machine, so the error names the file to remove.
    expect(stderr).toMatch(/of a process of another, which cannot be checked from here\..*remove the file/);
    expect(await readdir(folder)).toHaveLength(3);
  });
});
