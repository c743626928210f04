import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { wordsOf } from '../support/next.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

const register = async (more: object = {}): Promise<string> => {
  const stdin = JSON.stringify({ ...PAYMENT, ...more });
  return String((await journey.json(['pay', 'register', '--body', '-'], { stdin })).data['payment_id']);
};

const creating = (id: string) => [
  ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', PAYMENT.payer_email],
  ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
];

/** Removes the local records of a payment, as if another machine had registered the payment. */
const forgetAll = async (id: string): Promise<void> => {
  const { data } = await journey.json(['pay', 'list', '--all']);
  for (const { movement: operationId, payment_id } of data as unknown as { movement: string; payment_id: string }[]) {
    if (payment_id === id) await journey.json(['pay', 'forget', operationId, '--yes']);
  }
};

/** A payment with a transaction, without any local record. */
const foreign = async (more?: object): Promise<string> => {
  const id = await register(more);
  expect((await journey.json(creating(id))).code).toBe(0);
  await forgetAll(id);
  return id;
};

const execute = (id: string, ...more: readonly string[]) => ['pay', 'execute', id, '--key', 'payer', '--yes', ...more];

const SPLIT = ['--split', `${RECEIVERS[0]}=70`, '--split', `${RECEIVERS[1]}=30`];
const REGISTERED = [
  ...['--amount-from', '10', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'],
  ...['--to-chain', 'polygon', ...SPLIT],
];

const optionsIn = (data: Record<string, never>): readonly string[] =>
  ((data['error']?.['errors'] ?? []) as { option: string }[]).map(({ option }) => option);

describe('facts without a statement here', () => {
  it('are not signed with --yes: exit 10, with the options that state them', async () => {
    const id = await foreign();
    const before = await journey.balance(journey.address);
    for (const more of [[], ['--quiet']]) {
      const { code, data } = await journey.json(execute(id, ...more));
      expect([code, optionsIn(data)]).toEqual([
        10,
        [
          ...['--amount-from', '--from-currency-symbol', '--payer-token-symbol', '--chain-name'],
          ...['--to-chain', '--to-currency-symbol', '--split'],
        ],
      ]);
    }
    expect(await journey.balance(journey.address)).toBe(before);
    const shown = await journey.bursar(execute(id));
    expect(shown.stderr).toContain('The amount is 10, as the service says.');
    expect(shown.stderr).not.toContain('as requested');
  });

  it('are only the facts that a transaction created here leaves open', async () => {
    const id = await register();
    await forgetAll(id);
    expect((await journey.json(creating(id))).code).toBe(0);
    const { code, data } = await journey.json(execute(id));
    expect([code, optionsIn(data)]).toEqual([
      10,
      ['--amount-from', '--from-currency-symbol', '--to-chain', '--to-currency-symbol', '--split'],
    ]);
    expect((await journey.json(execute(id, ...REGISTERED))).code).toBe(0);
  });

  it('are stated by options, by a body, and by facts that follow from them', async () => {
    const byOptions = await foreign();
    // The token and the chain of the payer follow from the currency and the chain of the receivers.
    expect(await journey.json(execute(byOptions, ...REGISTERED))).toMatchObject({ code: 0 });
    const byBody = await foreign();
    const stdin = JSON.stringify(PAYMENT);
    expect(await journey.json(execute(byBody, '--body', '-'), { stdin })).toMatchObject({ code: 0 });
  });

  it('are stated by options of pay sign, which then needs no --yes', async () => {
    const id = await foreign();
    const sign = ['pay', 'sign', id, '--key', 'payer'];
    expect((await journey.json(sign)).code).toBe(10);
    expect(await journey.json([...sign, ...REGISTERED])).toMatchObject({ code: 0, data: { from: journey.address } });
    // The statements of a passed review count for later commands of the same payment.
    expect((await journey.json(execute(id))).code).toBe(0);
  });

  it('are not stated by bytes that were signed elsewhere, and nothing is sent', async () => {
    const id = await register();
    const { data: created } = await journey.json(creating(id));
    const sign = ['pay', 'sign', '--unsigned', '-', '--key', 'payer', ...REGISTERED];
    const signed = await journey.json(sign, { stdin: JSON.stringify(created['crypto_tx']) });
    const hex = String(signed.data['signed_transaction']);
    await forgetAll(id);
    const send = ['pay', 'execute', id, '--signed-transaction', hex, '--yes'];
    const { code, data } = await journey.json(send);
    expect([code, optionsIn(data)]).toEqual([10, expect.arrayContaining(['--amount-from', '--split'])]);
    expect((await journey.json(['pay', 'status', id])).data['status']).toBe('registered');
    expect((await journey.json([...send, ...REGISTERED])).code).toBe(0);
  });

  it('are compared by the exact id: an id in other letter case is another payment', async () => {
    const id = await register();
    expect((await journey.json(creating(id))).code).toBe(0);
    const other = id.toUpperCase();
    const renamed: Meddler = async ({ method, path, body, headers }, forward) => {
      if (!path.includes(other)) return forward();
      const answer = await fetch(`${await sandboxUrl()}${path.replace(other, id)}`, {
        method,
        headers,
        ...(body && { body }),
      });
      return { status: answer.status, body: (await answer.text()).replaceAll(id, other) };
    };
    const { code } = await journey.through(renamed, () => journey.json(execute(other)));
    expect(code).toBe(10);
  });
});

const sandboxUrl = async (): Promise<string> => String((await journey.json(['sandbox', 'status'])).data['url']);

describe('two statements that differ', () => {
  it('are both named: exit 2', async () => {
    const id = await register();
    await journey.json(creating(id));
    const { code, data } = await journey.json(execute(id, '--amount-from', '20'));
    expect([code, data['error']?.['errors']]).toEqual([
      2,
      [
        {
          field: 'amount',
          message: '20 here, and 10 was entered before on this machine',
          option: '--amount-from',
        },
      ],
    ]);
  });

  it('and an option of a refused command does not count later', async () => {
    const id = await foreign();
    const wrong = REGISTERED.map((word) => (word === '10' ? '100' : word));
    expect((await journey.json(execute(id, ...wrong))).code).toBe(10);
    expect((await journey.json(execute(id, ...REGISTERED))).code).toBe(0);
  });

  it('an option that the payment contradicts is refused: exit 10', async () => {
    const id = await foreign();
    for (const more of [
      ['--payer-email', 'else@example.com'],
      ['--transaction-type', 'pixcrypto'],
    ]) {
      expect((await journey.json(execute(id, ...REGISTERED, ...more))).code, more.join(' ')).toBe(10);
    }
  });
});

describe('a transaction of a file', () => {
  it('is not signed without a statement, also with --yes: exit 10', async () => {
    const id = await register();
    const { data } = await journey.json(creating(id));
    const stdin = JSON.stringify(data['crypto_tx']);
    const sign = ['pay', 'sign', '--unsigned', '-', '--key', 'payer'];
    for (const more of [[], ['--yes'], ['--yes', '--quiet']]) {
      const refused = await journey.json([...sign, ...more], { stdin });
      expect([refused.code, optionsIn(refused.data)]).toEqual([
        10,
        ['--amount-from', '--payer-token-symbol', '--chain-name', '--split'],
      ]);
    }
    expect((await journey.json([...sign, ...REGISTERED], { stdin })).code).toBe(0);
    const other = REGISTERED.map((word) => (word === '10' ? '11' : word));
    const { code, data: failed } = await journey.json([...sign, ...other], { stdin });
    expect([code, failed['error']?.['message']]).toEqual([10, expect.stringContaining('11 was requested')]);
  });
});

describe('statements about the payer and the order', () => {
  const OTHER = RECEIVERS[1];
  const fieldsIn = (data: Record<string, never>) =>
    ((data['error']?.['errors'] ?? []) as { field: string; message: string }[]).map(({ field }) => field);

  it('of a file to sign: another payer than the key is exit 2 with both addresses', async () => {
    const { data } = await journey.json(creating(await register()));
    const stdin = JSON.stringify(data['crypto_tx']);
    const sign = ['pay', 'sign', '--unsigned', '-', '--key', 'payer', ...REGISTERED];
    const { code, data: failed } = await journey.json([...sign, '--payer-wallet', OTHER], { stdin });
    expect([code, fieldsIn(failed)]).toEqual([2, ['payer_wallet']]);
    expect(JSON.stringify(failed)).toMatch(new RegExp(`${OTHER}.*${journey.address}`));
    expect((await journey.json([...sign, '--payer-wallet', journey.address], { stdin })).code).toBe(0);
  });

  it.each([
    ['--payer-wallet', OTHER],
    ['--payer-email', 'other@example.com'],
    ['--order-code', 'ord_1'],
  ])(
    '%s of a resume that differs from the payment: exit 2 with both values, and nothing is signed',
    async (option, value) => {
      const stop: Meddler = async ({ path }, forward) =>
        path.endsWith('intents-create-transaction') ? { status: 503, body: 'down' } : forward();
      const run = ['pay', 'run', '--body', '-', '--key', 'payer', '--yes', '--intent', `no-facts${option}`];
      const stopped = await journey.through(stop, () => journey.json(run, { stdin: JSON.stringify(PAYMENT) }));
      const [, , , id = ''] = String(stopped.data['error']?.['next']).split(' ');
      const before = [await journey.balance(journey.address), await journey.signatures()];
      const { code, data } = await journey.json(['pay', 'resume', id, '--yes', option, value]);
      expect([code, fieldsIn(data)]).toEqual([2, [option.slice(2).replace('-', '_')]]);
      const entered = { '--payer-wallet': journey.address, '--payer-email': PAYMENT.payer_email }[option] ?? 'none';
      expect(JSON.stringify(data)).toContain(`${value} here, and ${entered} was entered before on this machine`);
      expect([await journey.balance(journey.address), await journey.signatures()]).toEqual(before);
      const same = ['--payer-wallet', journey.address, '--payer-email', PAYMENT.payer_email];
      expect((await journey.json(['pay', 'resume', id, '--yes', ...same])).code).toBe(0);
    },
  );
});

/** Answers every registration with the id of an earlier payment. */
const reusing =
  (id: string): Meddler =>
  async ({ path }, forward) => {
    const answer = await forward();
    if (!path.endsWith('intents-create-order')) return answer;
    const body = JSON.parse(answer.body);
    body.data.payment_id = id;
    return { status: answer.status, body: JSON.stringify(body) };
  };

describe('a payment id that the service returns twice', () => {
  it('for other facts: exit 10 and a record in the journal, and no registration of that id counts from then on', async () => {
    const id = await register();
    await journey.json(creating(id));
    const more = { ...PAYMENT, amount_from: '5000' };
    for (const command of [
      ['pay', 'register', '--body', '-'],
      ['pay', 'run', '--body', '-', '--key', 'payer', '--yes'],
    ]) {
      const again = await journey.through(reusing(id), () => journey.json(command, { stdin: JSON.stringify(more) }));
      expect([again.code, again.data['error']?.['code']]).toEqual([10, 'refused_by_review']);
      expect(again.data['error']?.['message']).toContain(id);
      const [row] = (await journey.json(['pay', 'list', '--limit', '1'])).data as unknown as { movement: string }[];
      const lines = await readFile(join(journey.home, 'state', 'journal', `${row?.movement}.ndjson`), 'utf8');
      expect(lines).toContain('"step":"contradicted"');
    }
    const { code, data } = await journey.json(execute(id));
    expect([code, optionsIn(data)]).toEqual([10, expect.arrayContaining(['--amount-from', '--split'])]);
    expect((await journey.json(execute(id, ...REGISTERED))).code).toBe(0);
  });

  it('for other facts: no registration counts, also when the second was killed before its refusal was recorded', async () => {
    const id = await register();
    await journey.json(creating(id));
    const { data } = await journey.json(['pay', 'list', '--all']);
    const rows = data as unknown as { movement: string; payment_id: string; operation?: string }[];
    const files = rows.filter(({ payment_id }) => payment_id === id).map(({ movement: operationId }) => operationId);
    const folder = join(journey.home, 'state', 'journal');
    const texts = await Promise.all(files.map((name) => readFile(join(folder, `${name}.ndjson`), 'utf8')));
    const at = texts.findIndex((text) => text.includes('"operation":"register"'));
    const [own = '', text = ''] = [files[at], texts[at]];
    const other = own.replace(/^\d{4}/, '2020');
    await writeFile(
      join(folder, `${other}.ndjson`),
      text
        .replaceAll(own, other)
        .replaceAll('"amount":"10"', '"amount":"5000"')
        .replaceAll('"value":"10"', '"value":"5000"'),
      { mode: 0o600 },
    );
    const { code, data: failed } = await journey.json(execute(id));
    expect([code, optionsIn(failed)]).toEqual([10, expect.arrayContaining(['--amount-from', '--split'])]);
    await journey.json(['pay', 'forget', other, '--yes']);
    expect((await journey.json(execute(id))).code).toBe(0);
  });

  it('for equal facts: the payment is the same, and is paid once', async () => {
    const stdin = JSON.stringify(PAYMENT);
    const id = await register();
    const again = await journey.through(reusing(id), () => journey.json(['pay', 'register', '--body', '-'], { stdin }));
    expect(again).toMatchObject({ code: 0, data: { payment_id: id } });
    await journey.json(creating(id));
    const before = await journey.balance(journey.address);
    expect((await journey.json(execute(id))).code).toBe(0);
    expect(await journey.balance(journey.address)).toBe(before - 10);
    const run = ['pay', 'run', '--body', '-', '--key', 'payer', '--yes'];
    const third = await journey.through(reusing(id), () => journey.json(run, { stdin }));
    expect(third.code).not.toBe(0);
    expect(await journey.balance(journey.address), 'no second transaction').toBe(before - 10);
  });
});

it('a payment with another payer than the key is exit 2, and names both addresses', async () => {
  const stranger = `0x${'5'.repeat(40)}`;
  const payer = ['--payer-wallet', stranger, '--key', 'payer', '--yes'];
  const { code, data } = await journey.json(['pay', 'run', '--body', '-', ...payer], {
    stdin: JSON.stringify(PAYMENT),
  });
  expect([code, optionsIn(data)]).toEqual([2, ['--payer-wallet']]);
  expect(JSON.stringify(data)).toContain(`${stranger} is not the address of the key, ${journey.address}`);
});

it.each(['0x40B2D89F7C456D05bc4023a04E0D50146Ce6BF1', 'not-an-address'])(
  'a payment of the payer wallet %s is exit 2, before it is registered',
  async (wallet) => {
    const args = ['pay', 'run', '--body', '-', '--payer-wallet', wallet, '--key', 'payer', '--yes'];
    const { code, data } = await journey.json(args, { stdin: JSON.stringify(PAYMENT) });
    expect([code, optionsIn(data)]).toEqual([2, ['--payer-wallet']]);
    expect(JSON.stringify(data)).toContain('must be an EVM address');
    expect(data['error']).not.toHaveProperty('data');
  },
);

it('a payment by a key whose file has no address is exit 2, and names the command that adds the address', async () => {
  const { address: _, ...withoutAddress } = JSON.parse(
    await readFile(join(journey.home, 'keys', 'payer.json'), 'utf8'),
  );
  await writeFile(join(journey.home, 'keys', 'bare.json'), JSON.stringify(withoutAddress), { mode: 0o600 });
  const bare = async (payment: object) =>
    journey.json(['pay', 'run', '--body', '-', '--key', 'bare', '--yes'], { stdin: JSON.stringify(payment) });
  const { code, data } = await bare(PAYMENT);
  expect([code, optionsIn(data)]).toEqual([2, ['--payer-wallet']]);
  expect(JSON.stringify(data)).toContain('bursar key passwd bare writes it there');
  const { payer_email: _email, ...incomplete } = PAYMENT;
  expect(optionsIn((await bare(incomplete)).data)).toEqual(['--payer-wallet', '--payer-email']);
  const before = await journey.json(['pay', 'list', '--all']);
  const other = await bare({ ...PAYMENT, payer_wallet: `0x${'5'.repeat(40)}` });
  expect([other.code, optionsIn(other.data)]).toEqual([2, ['--payer-wallet']]);
  expect(JSON.stringify(other.data)).toContain(`is not the address of the key, ${journey.address}`);
  expect((await journey.json(['pay', 'list', '--all'])).data).toEqual(before.data);
  const shown = await journey.bursar(['key', 'show', 'bare']);
  expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('bursar key passwd bare')]);
  await rm(join(journey.home, 'keys', 'bare.json'));
});

it('a registration that only a Pix can pay is exit 2 with parts of a cent', async () => {
  const { payer_email: _, ...priced } = { ...PAYMENT, from_currency_symbol: 'BRL', amount_from: '10.001' };
  const registered = (allowed: string) =>
    journey.json(['pay', 'register', '--body', '-', '--allow', allowed], { stdin: JSON.stringify(priced) });
  const { code, data } = await registered('pixcrypto');
  expect([code, optionsIn(data)]).toEqual([2, ['--amount-from']]);
  expect((await registered('crypto')).code).toBe(0);
});

it('a Pix with parts of a cent is exit 2', async () => {
  const pix = { ...PAYMENT, from_currency_symbol: 'BRL', amount_from: '10.001', payer_cpf: '529.982.247-25' };
  const args = ['--allow', 'pixcrypto', '--transaction-type', 'pixcrypto', '--no-wait', '--yes'];
  const { code, data } = await journey.json(['pay', 'run', '--body', '-', ...args], { stdin: JSON.stringify(pix) });
  expect([code, optionsIn(data)]).toEqual([2, ['--amount-from']]);
  expect(JSON.stringify(data)).toContain('must have at most 2 decimals: BRL has no more');
});

describe('a payment that is priced in BRL and paid in USDT', () => {
  const PRICED = {
    ...PAYMENT,
    amount_from: '49.90',
    from_currency_symbol: 'BRL',
    payer_token_symbol: 'USDT',
    chain_name: 'polygon',
  };
  const run = (...more: readonly string[]) => ['pay', 'run', '--body', '-', '--key', 'payer', '--yes', ...more];
  const stdin = JSON.stringify(PRICED);

  it('is paid without a terminal within --pay-at-most, and price, amount and rate are printed', async () => {
    const unbounded = await journey.json(run(), { stdin });
    expect([unbounded.code, optionsIn(unbounded.data)]).toEqual([10, ['--pay-at-most']]);
    const paid = await journey.bursar(run('--pay-at-most', '12', '--intent', 'brl-1', '--verbose'), { stdin });
    expect(paid.code, paid.stderr).toBe(0);
    expect(paid.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /Amount: [\d.]+ USDT for 49\.90 BRL \(1 USDT = [\d.]+ BRL\), within your maximum of 12\./,
    );
  });

  it.each(['5,00', '', ' 20 ', '-5', '1e3', '0x10', '0'])(
    'with the bound "%s", which is no amount, is exit 2 before anything is registered',
    async (bound) => {
      const count = async () => (await journey.json(['pay', 'list', '--all'])).data['length'];
      const before = await count();
      const { code, data } = await journey.json(run(`--pay-at-most=${bound}`, '--allow-blind'), { stdin });
      expect({ code, error: data['error'] }).toMatchObject({
        code: 2,
        error: { errors: [{ option: '--pay-at-most', message: expect.stringContaining('must be an amount above 0') }] },
      });
      expect(await count()).toBe(before);
      const resumed = await journey.json(['pay', 'resume', 'pay_0123', '--pay-at-most', bound]);
      expect([resumed.code, optionsIn(resumed.data)]).toEqual([2, ['--pay-at-most']]);
    },
  );

  it('without the token to pay with is exit 2, because the price is in no token', async () => {
    const { payer_token_symbol: _, ...rest } = PRICED;
    const { code, data } = await journey.json(run(), { stdin: JSON.stringify(rest) });
    expect([code, optionsIn(data)]).toEqual([2, ['--payer-token-symbol']]);
    expect(JSON.stringify(data)).toContain('because BRL is none');
  });

  it('without a bound waits for --pay-at-most, and a resume accepts the bound', async () => {
    const asked = await journey.json(run('--intent', 'brl-0'), { stdin });
    const { hint = '', next = '' } = (asked.data['error'] ?? {}) as { hint?: string; next?: string };
    expect([asked.code, next]).toEqual([10, expect.stringMatching(/^bursar pay status \S+$/)]);
    expect((await journey.json(next.split(' ').slice(1))).code).toBe(0);
    const [, resume = ''] = /To go on, with what is missing: bursar (pay resume \S+ --yes)$/.exec(hint) ?? [];
    expect((await journey.json([...resume.split(' ')])).code).toBe(10);
    const resumed = await journey.json([...resume.split(' '), '--pay-at-most', '12']);
    expect(resumed).toMatchObject({ code: 0, data: { status: 'success' } });
  });

  it('by an order of 49.90 BRL is paid without a terminal within --pay-at-most', async () => {
    const created = await journey.json([
      ...['order', 'create', '--amount-from', '49.90', '--from-currency-symbol', 'BRL', '--to-currency-symbol', 'USDT'],
      ...['--allow', 'crypto', '--split', `${RECEIVERS[0]}=100`],
    ]);
    expect(created.code, JSON.stringify(created.data)).toBe(0);
    const order = ['--order-code', String(created.data['order_id']), '--intent', 'order-1'];
    const { split_payment_config: _, ...rest } = PRICED;
    const body = JSON.stringify({
      ...rest,
      executor_id: 'order_transaction',
      split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }],
    });
    const unbounded = await journey.json(run(...order), { stdin: body });
    expect(unbounded.code).toBe(10);
    const bounded = run('--order-code', String(created.data['order_id']), '--intent', 'order-2', '--pay-at-most', '12');
    const paid = await journey.json(bounded, { stdin: body });
    expect(paid, JSON.stringify(paid.data)).toMatchObject({ code: 0, data: { status: 'success' } });
  });

  it('above the bound stays open, and the printed command completes the payment', async () => {
    const refused = await journey.json(run('--pay-at-most', '1', '--intent', 'brl-2'), { stdin });
    const next = String(refused.data['error']?.['next']);
    expect([refused.code, next]).toEqual([
      10,
      expect.stringMatching(/^bursar pay resume \S+ --pay-at-most "\$PAY_AT_MOST" --yes$/),
    ]);
    const [, ...words] = await wordsOf(next, { PAY_AT_MOST: '12' });
    const resumed = await journey.json(words);
    expect(resumed).toMatchObject({ code: 0, data: { status: 'success' } });
  });

  it('step by step needs the bound at pay transaction or at pay execute', async () => {
    const steps = [...creating(await register(PRICED))];
    const first = String(steps[2]);
    expect((await journey.json([...steps, '--pay-at-most', '12'])).code).toBe(0);
    expect((await journey.json(execute(first))).code).toBe(0);
    const second = await register(PRICED);
    expect((await journey.json(creating(second))).code).toBe(0);
    expect((await journey.json(execute(second))).code).toBe(10);
    expect((await journey.json(execute(second, '--pay-at-most', '12'))).code).toBe(0);
  });

  it('needs a new bound for another token than the token of the bound', async () => {
    const id = await register({ ...PRICED, to_currency_symbol: 'USDC' });
    const inToken = (token: string) => creating(id).map((word) => (word === 'USDT' ? token : word));
    expect((await journey.json([...inToken('USDT'), '--pay-at-most', '12'])).code).toBe(0);
    expect((await journey.json(inToken('USDC'))).code).toBe(0);
    const unbounded = await journey.json(execute(id));
    expect([unbounded.code, optionsIn(unbounded.data)]).toEqual([10, ['--pay-at-most']]);
    expect((await journey.json(execute(id, '--pay-at-most', '12'))).code).toBe(0);
  });

  it('that was registered elsewhere: the bound states price and amount', async () => {
    const id = await foreign({ amount_from: '49.90', from_currency_symbol: 'BRL' });
    const rest = ['--to-currency-symbol', 'USDT', '--to-chain', 'polygon', '--payer-token-symbol', 'USDT', ...SPLIT];
    expect((await journey.json(execute(id, ...rest))).code).toBe(10);
    expect((await journey.json(execute(id, ...rest, '--pay-at-most', '12'))).code).toBe(0);
  });

  it('keeps the bound when the service names the token of the payer as the currency, in any letters', async () => {
    const id = await foreign({ amount_from: '50' });
    const before = await journey.balance(journey.address);
    const rest = ['--to-currency-symbol', 'USDT', '--to-chain', 'polygon', '--payer-token-symbol', 'USDT', ...SPLIT];
    // The capital of the long s is S: some comparisons treat both letters as equal, and others do not.
    for (const currency of ['USDT', 'usdt', 'U\u017fDT']) {
      const named: Meddler = async ({ path }, forward) => {
        const answer = await forward();
        const other = `"from_currency_symbol":"${currency}"`;
        const body = answer.body.replaceAll('"from_currency_symbol":"USDT"', other);
        return path.endsWith('/status') ? { status: answer.status, body } : answer;
      };
      const bounded = execute(id, ...rest, '--pay-at-most', '12');
      const { code } = await journey.through(named, () => journey.json(bounded));
      expect(code, currency).toBe(10);
    }
    expect(await journey.balance(journey.address)).toBe(before);
  });

  it('with a stated amount above the bound is exit 2', async () => {
    const { code, data } = await journey.json(run('--pay-at-most', '9'), { stdin: JSON.stringify(PAYMENT) });
    expect([code, optionsIn(data)]).toEqual([2, ['--pay-at-most']]);
  });
});

describe('a key policy with chains, tokens, recipients and most_per_transaction', () => {
  const PRICED = { amount_from: '49.90', from_currency_symbol: 'BRL' };
  const POLICY = ['chains=polygon', 'tokens=USDT', `recipients=${RECEIVERS.join(',')}`, 'most_per_transaction.USDT=20'];

  it('states missing facts, also a price near the market, and nothing beyond its limits', async () => {
    const before = await foreign();
    expect((await journey.json(execute(before))).code).toBe(10);
    expect((await journey.json(['key', 'policy', 'set', 'payer', ...POLICY])).code).toBe(0);
    try {
      expect((await journey.json(execute(before))).code).toBe(0);
      expect((await journey.json(execute(await foreign(PRICED)))).code).toBe(0);
      const offMarket: Meddler = async ({ path }, forward) => {
        const answer = await forward();
        if (!path.startsWith('/quote/market')) return answer;
        // One USDT now costs a tenth more.
        const body = answer.body.replaceAll(/"price":"([\d.]+)"/g, (_, price) => `"price":"${Number(price) * 1.1}"`);
        return { status: answer.status, body };
      };
      const priced = await foreign(PRICED);
      const off = await journey.through(offMarket, () => journey.json(execute(priced)));
      expect([off.code, off.data['error']?.['message']]).toEqual([
        10,
        expect.stringContaining('The difference is more than 5 %'),
      ]);
      expect(
        (await journey.json(execute(await foreign({ amount_from: '21' })))).code,
        'above most_per_transaction',
      ).toBe(10);
      const bounded = execute(await foreign({ amount_from: '15' }), '--pay-at-most', '12');
      expect((await journey.json(bounded)).code, 'above the bound of the command').toBe(10);
      const typed = ['--payer-token-symbol', 'USDT', '--chain-name', 'polygon', '--pay-at-most', '12'];
      const { data } = await journey.json(creating(await register({ amount_from: '15' })));
      const sign = ['pay', 'sign', '--unsigned', '-', '--key', 'payer', ...typed];
      const ofFile = await journey.json(sign, { stdin: JSON.stringify(data['crypto_tx']) });
      expect(ofFile.code, 'a transaction of a file').toBe(10);
    } finally {
      await journey.json(['key', 'policy', 'unset', 'payer', '--yes']);
    }
  });
});
