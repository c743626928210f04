import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { overriding } from '../support/overriding.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

const register = async (more: object = {}) => {
  const stdin = JSON.stringify({ ...PAYMENT, ...more });
  const { data } = await journey.json(['pay', 'register', '--body', '-'], { stdin });
  return String(data['payment_id']);
};

const transaction = (id: string, ...more: readonly string[]) =>
  overriding(
    [
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'a@example.com'],
      ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ],
    more,
  );

const prepared = async (more?: object) => {
  const id = await register(more);
  expect((await journey.json(transaction(id))).code).toBe(0);
  return id;
};

const execute = (id: string) => ['pay', 'execute', id, '--key', 'payer', '--yes'];

/** Changes the payment that the service shows. */
const showing =
  (change: (payment: Record<string, unknown>) => void): Meddler =>
  async ({ path }, forward) => {
    const answer = await forward();
    if (!path.endsWith('/status')) return answer;
    const body = JSON.parse(answer.body);
    change(body.data);
    return { status: answer.status, body: JSON.stringify(body) };
  };

const THIEF = `0x${'3'.repeat(40)}`;

describe('a typed payment that the service shows differently is neither signed nor sent: exit 10', () => {
  it.each<[string, string, Parameters<typeof showing>[0]]>([
    ['another amount', 'amount', (payment) => (payment['amount_from'] = '1000')],
    ['another currency', 'currency', (payment) => (payment['from_currency_symbol'] = 'USDC')],
    ['another token', 'token', (payment) => (payment['payer_token_symbol'] = 'USDC')],
    ['another chain', 'chain', (payment) => (payment['chain_name'] = 'base')],
    [
      'another receiver, in the split and in the transaction',
      'receivers',
      (payment) => {
        const text = JSON.stringify(payment).replaceAll(RECEIVERS[0].slice(2), THIEF.slice(2));
        Object.assign(payment, JSON.parse(text));
      },
    ],
    [
      'other shares',
      'receivers',
      (payment) => {
        payment['split_payment_config'] = [
          { receiver_wallet: RECEIVERS[0], receiver_percent: 30 },
          { receiver_wallet: RECEIVERS[1], receiver_percent: 70 },
        ];
      },
    ],
  ])('%s', async (_, field, change) => {
    const id = await prepared();
    const before = await journey.balance(journey.address);
    for (const command of [execute(id), ['pay', 'sign', id, '--key', 'payer']]) {
      const { code, data } = await journey.through(showing(change), () => journey.json(command));
      expect({ code, error: data['error'] }).toMatchObject({
        code: 10,
        error: {
          code: 'refused_by_review',
          errors: [{ field, message: expect.stringMatching(/^you stated .+, and the service shows .+$/) }],
        },
      });
    }
    expect(await journey.balance(journey.address)).toBe(before);
  });
});

describe('a typed fact about receivers is checked, although the service does not show the fact', () => {
  type Field = 'to_currency_symbol' | 'to_chain';

  const hiding = (field: Field, shown: unknown, more: object = {}) =>
    showing((payment) => void Object.assign(payment, more, { [field]: shown }));

  const refusals = async (id: string, meddler: Meddler) => {
    const refused: unknown[] = [];
    for (const command of [execute(id), ['pay', 'sign', id, '--key', 'payer', '--yes']]) {
      const { code, data } = await journey.through(meddler, () => journey.json(command));
      refused.push({ code, message: data['error']?.['message'] });
    }
    return refused;
  };

  const SHOWN: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['an empty text', ''],
    ['a number', 5],
    ['null', null],
  ];

  it.each(SHOWN)('the token, when the service shows %s: exit 10', async (_, shown) => {
    const id = await prepared({ to_currency_symbol: 'USDC' });
    const before = await journey.balance(journey.address);
    const refusal = {
      code: 10,
      message: 'this needs your confirmation: Receivers should get USDC; the transaction sends them USDT.',
    };
    expect(await refusals(id, hiding('to_currency_symbol', shown))).toEqual([refusal, refusal]);
    expect(await journey.balance(journey.address)).toBe(before);
  });

  it.each(SHOWN)('the chain, when the service shows %s: exit 10', async (_, shown) => {
    const here = await prepared();
    const { data } = await journey.json(['pay', 'status', here]);
    const id = await prepared({ to_chain: 'base' });
    const refusal = {
      code: 10,
      message: 'this needs your confirmation: Receivers should be paid on base; the transaction pays them on polygon.',
    };
    const meddler = hiding('to_chain', shown, { unsigned_tx: data['unsigned_tx'] });
    expect(await refusals(id, meddler)).toEqual([refusal, refusal]);
  });

  it('the typed token and chain of the transaction: the payment succeeds', async () => {
    const id = await prepared();
    const change = (payment: Record<string, unknown>) => {
      delete payment['to_chain'];
      delete payment['to_currency_symbol'];
    };
    expect((await journey.through(showing(change), () => journey.json(execute(id)))).code).toBe(0);
  });
});

describe('a payment by single steps', () => {
  it('in another form of the service is the same payment', async () => {
    const id = await prepared();
    const change = (payment: Record<string, unknown>) => {
      payment['amount_from'] = '10.000';
      payment['from_currency_symbol'] = 'usdt';
      (payment['split_payment_config'] as unknown[]).reverse();
    };
    const { code } = await journey.through(showing(change), () => journey.json(execute(id)));
    expect(code).toBe(0);
  });

  it('is not continued by pay resume, which names the next command', async () => {
    const id = await register();
    expect(await journey.json(['pay', 'resume', '--all', '--yes'])).toMatchObject({ code: 0, data: [] });
    const known = '--chain-name polygon --payer-token-symbol USDT';
    const variables = '--payer-email "$PAYER_EMAIL" --payer-wallet "$PAYER_WALLET"';
    const next = `bursar pay transaction ${id} ${known} --transaction-type crypto ${variables}`;
    expect(await journey.json(['pay', 'resume', id, '--yes'])).toMatchObject({
      code: 0,
      data: { payment_id: id, status: 'registered', next },
    });
    await journey.json(transaction(id));
    expect((await journey.json(['pay', 'resume', id])).data).toMatchObject({ next: `bursar pay execute ${id}` });
    expect(await journey.json(['pay', 'list', '--open'])).toMatchObject({ data: [] });
    expect((await journey.json(['pay', 'status', id])).data).toMatchObject({ status: 'registered' });
  });

  it('with a second transaction in another token is checked against the newest transaction', async () => {
    const id = await prepared();
    expect((await journey.json(transaction(id, '--payer-token-symbol', 'USDC'))).code).toBe(0);
    // A wrong request that the service refused does not change the payment.
    expect((await journey.json(transaction(id, '--chain-name', 'nowhere'))).code).not.toBe(0);
    const shownIn = (token: string) =>
      journey.through(
        showing((payment) => (payment['payer_token_symbol'] = token)),
        () => journey.json(['pay', 'sign', id, '--key', 'payer', '--allow-blind']),
      );
    const refusal = (message: RegExp) => ({
      code: 10,
      data: { error: { errors: [{ field: 'token', message: expect.stringMatching(message) }] } },
    });
    expect(await shownIn('USDT')).toMatchObject(refusal(/^you stated USDC, and the service shows USDT$/));
    expect((await journey.json(transaction(id))).code).toBe(0);
    expect(await shownIn('USDC')).toMatchObject(refusal(/^you stated USDT, and the service shows USDC$/));
    expect((await journey.json(execute(id))).code).toBe(0);
  });

  it('that is only signed is listed as signed, is not open, and can be executed', async () => {
    const id = await prepared();
    expect((await journey.json(['pay', 'sign', id, '--key', 'payer'])).code).toBe(0);
    const { data } = await journey.json(['pay', 'list', '--state', 'signed']);
    expect(data).toMatchObject([{ payment_id: id, state: 'signed', tid_hash: null }]);
    expect(await journey.json(['pay', 'list', '--open'])).toMatchObject({ data: [] });
    expect((await journey.bursar(['doctor', '--offline'])).stdout).toContain('none open');
    expect(await journey.json(['pay', 'resume', id])).toMatchObject({ data: { next: `bursar pay execute ${id}` } });
    expect((await journey.json(execute(id))).code).toBe(0);
  });

  it('that is executed leaves nothing open', async () => {
    const id = await prepared();
    expect((await journey.json(execute(id))).code).toBe(0);
    expect(await journey.json(['pay', 'list', '--open'])).toMatchObject({ data: [] });
    expect(await journey.json(['pay', 'resume', id])).toMatchObject({ code: 0, data: { status: 'success' } });
  });
});
