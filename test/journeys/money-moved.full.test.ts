import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atStep } from '../support/at-step.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { both, lyingService, onExecute, showing } from '../support/lying-service.ts';

let journey: Journey;

let node = '';

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  node = String((await journey.json(['sandbox', 'chain', 'polygon'])).data['rpc_url']);
});

afterAll(() => journey.end());

const run = (key: string) => [
  ...['pay', 'run', '--body', 'payment.json', '--key', key, '--yes', '--intent', randomUUID(), '--timeout', '4'],
];

const errorOf = (data: Record<string, unknown>) =>
  data['error'] as { code: string; message: string; hint: string; next: string; data: Record<string, unknown> };

const paid = async () => (await Promise.all(RECEIVERS.map(journey.balance))).reduce((sum, one) => sum + one, 0);

describe('a service that reports a success and broadcasts nothing', () => {
  it.each([
    ['with --rpc-url', true],
    ['with the sandbox and its own node', false],
  ])('does not complete the payment %s: exit 8 with the hash, and the payment stays open', async (_, isNamed) => {
    const { address } = await newEvmKey(journey.home, `lied-to-${isNamed}`);
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    const { meddler, seen } = lyingService();
    const before = await paid();
    const { code, data } = await journey.through(meddler, () =>
      journey.json([...run(`lied-to-${isNamed}`), ...(isNamed ? ['--rpc-url', node] : [])]),
    );
    const error = errorOf(data);
    expect({ exit: code, ...error }).toMatchObject({
      exit: 8,
      message: expect.stringMatching(new RegExp(`has no receipt of ${seen.hash}`)),
      data: { tid_hash: seen.hash, moved: null },
      next: expect.stringMatching(
        isNamed ? /^bursar pay resume pay_\w+ --rpc-url "\$RPC_URL"$/ : /^bursar pay resume pay_\w+$/,
      ),
    });
    // A shell replaces the variable that the user has set.
    const next = error.next.replace('"$RPC_URL"', node).split(' ').slice(1);
    expect(await paid()).toBe(before);
    const again = await journey.through(lyingService().meddler, () =>
      journey.json([...next, '--yes', '--timeout', '3']),
    );
    expect(again.code, 'pay resume sends the bytes again; the service reports a false success again').toBe(8);
    const honest = await journey.json([...next, '--yes']);
    expect(honest).toMatchObject({ code: 0, data: { status: 'success', tid_hash: seen.hash } });
    expect(await paid()).toBe(before + 10);
  });

  it('does not complete pay execute either: exit 8', async () => {
    const id = String((await journey.json(['pay', 'register', '--body', 'payment.json'])).data['payment_id']);
    await journey.json([
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ]);
    const execute = ['pay', 'execute', id, '--key', 'payer', '--yes', '--timeout', '3'];
    const { code } = await journey.through(lyingService().meddler, () => journey.json(execute));
    expect(code).toBe(8);
    expect((await journey.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
  });

  it('without a hash, for a payment that was not executed from here: exit 11', async () => {
    const down: Meddler = async ({ path }, forward) =>
      path.endsWith('intents-create-transaction') ? { status: 503, body: 'down' } : forward();
    const stopped = errorOf((await journey.through(down, () => journey.json(run('payer')))).data);
    const [, , , id = ''] = stopped.next.split(' ');
    const resume = ['pay', 'resume', id, '--yes'];
    const before = await paid();
    const hashless = showing({ status: 'success', tid_hash: null });
    const { code, data } = await journey.through(hashless, () => journey.json(resume));
    expect({ exit: code, ...errorOf(data) }).toMatchObject({
      exit: 11,
      message: expect.stringContaining('names no transaction'),
      data: { moved: null },
    });
    expect(await paid()).toBe(before);
    expect(await journey.json(resume), 'the payment stays open').toMatchObject({ code: 0 });
    expect(await paid()).toBe(before + 10);
  });

  /** The id of a payment whose process was killed before a signature. */
  const created = async (): Promise<string> => {
    const args = run('payer').map((word) => (word === '4' ? '30' : word));
    expect((await journey.bursar(args, atStep('created', 'after'))).code).toBeNull();
    const { data } = await journey.json(['pay', 'list', '--open']);
    const [newest] = data as unknown as { payment_id: string }[];
    return newest?.payment_id ?? '';
  };

  const resumed = async (id: string, change: object = {}) => {
    const resume = ['pay', 'resume', id, '--yes', '--timeout', '4'];
    return journey.through(showing({ ...change }), () => journey.json(resume));
  };

  const forget = async (id: string): Promise<void> => {
    const { data } = await journey.json(['pay', 'list', '--all']);
    for (const { movement, payment_id } of data as unknown as { movement: string; payment_id: string }[]) {
      if (payment_id === id) expect((await journey.json(['pay', 'forget', movement, '--yes'])).code).toBe(0);
    }
  };

  it('by the transaction of another payment, in this journal or not: exit 11', async () => {
    const [small, same] = [
      await journey.json([...run('payer'), '--amount-from', '5']),
      await journey.json(run('payer')),
    ];
    const id = await created();
    for (const { data } of [small, same]) {
      const { code, data: shown } = await resumed(id, { status: 'success', tid_hash: data['tid_hash'] });
      expect({ exit: code, ...errorOf(shown) }).toMatchObject({
        exit: 11,
        message: expect.stringContaining(`for the payment ${data['payment_id']}`),
        data: { payment_id: id, moved: null },
      });
    }
    await forget(String(small.data['payment_id']));
    const { code, data } = await resumed(id, { status: 'success', tid_hash: small.data['tid_hash'] });
    expect({ exit: code, ...errorOf(data) }).toMatchObject({
      exit: 11,
      message: expect.stringContaining('10 was requested'),
      data: { moved: null },
    });
    expect((await resumed(id)).code, 'the payment stays open').toBe(0);
  });

  it('by a transaction of another payer: exit 11', async () => {
    const { address } = await newEvmKey(journey.home, 'other-payer');
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    const { data: other } = await journey.json(run('other-payer'));
    await forget(String(other['payment_id']));
    const id = await created();
    const { code, data } = await resumed(id, { status: 'success', tid_hash: other['tid_hash'] });
    expect({ exit: code, ...errorOf(data) }).toMatchObject({
      exit: 11,
      errors: [{ field: 'signer' }],
      data: { moved: null },
    });
    expect((await resumed(id)).code).toBe(0);
  });

  it('by a matching transaction that was sent elsewhere: the payment succeeds', async () => {
    const id = await created();
    expect((await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes'])).code).toBe(0);
    const { data } = await journey.json(['pay', 'list', '--all']);
    const [executed] = (data as unknown as { payment_id: string; movement: string; state: string }[]).filter(
      ({ payment_id }) => payment_id === id,
    );
    expect((await journey.json(['pay', 'forget', String(executed?.movement), '--yes'])).code).toBe(0);
    expect(await resumed(id)).toMatchObject({ code: 0, data: { status: 'success', tid_hash: expect.any(String) } });
  });

  it('without a hash, for a payment that another operation here paid: its receipt settles the payment', async () => {
    const id = await created();
    const before = await paid();
    const executed = await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes']);
    expect(await resumed(id, { status: 'success', tid_hash: null })).toMatchObject({
      code: 0,
      data: { status: 'success', tid_hash: executed.data['tid_hash'] },
    });
    expect(await paid()).toBe(before + 10);
  });

  it('without a hash, when another operation here sent bytes that are not on the chain: exit 11 with their hash', async () => {
    const id = await created();
    const { meddler, seen } = lyingService();
    const execute = ['pay', 'execute', id, '--key', 'payer', '--yes', '--timeout', '3'];
    expect((await journey.through(meddler, () => journey.json(execute))).code).toBe(8);
    const { data: rows } = await journey.json(['pay', 'list', '--open']);
    const own = (rows as unknown as { payment_id: string; movement: string }[]).filter((row) => row.payment_id === id);
    const { code, data } = await resumed(String(own.at(-1)?.movement), { status: 'success', tid_hash: null });
    expect({ exit: code, ...errorOf(data) }).toMatchObject({
      exit: 11,
      hint: expect.stringContaining('was sent from here and may have paid it'),
      data: { hash: seen.hash, live: true, moved: null },
      next: `bursar pay resume ${own[0]?.movement}`,
    });
  });

  it('whose node stops answering leaves the payment in doubt: exit 11', async () => {
    const { meddler, seen } = lyingService();
    const silent: Meddler = (request, forward, response) =>
      request.path.startsWith('/_chain') && seen.hash
        ? Promise.resolve({ status: 503, body: 'gone' })
        : meddler(request, forward, response);
    const { code, data } = await journey.through(silent, () => journey.json(run('payer')));
    expect({ code, message: errorOf(data).message }).toEqual({
      code: 11,
      message: expect.stringContaining('does not answer'),
    });
    const [, , , id = ''] = errorOf(data).next.split(' ');
    expect((await journey.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
  });
});

describe('a service that reports an error', () => {
  const ended = { status: 'error', tid_hash: null, data_error: { code: 500, status: 'x', message: 'We lost it.' } };

  it('although the transaction has landed: exit 12, and the error states that the money moved', async () => {
    const before = await paid();
    const lost = onExecute(async ({ payment_id }, forward) => {
      await forward();
      const data = { payment_id };
      return { statusCode: 500, success: false, status: 'finalizer_payment_order_on_chain_failed', message: 'x', data };
    });
    const { code, data, id } = await journey.through(both(showing(ended), lost), async () => {
      const answer = await journey.json(run('payer'));
      return { ...answer, id: String(errorOf(answer.data).data['payment_id']) };
    });
    const error = errorOf(data);
    expect({ exit: code, ...error }).toMatchObject({
      exit: 12,
      data: { tid_hash: expect.stringMatching(/^0x/), moved: true },
      hint: expect.stringContaining('the money moved'),
    });
    expect(await paid()).toBe(before + 10);
    const listed = (await journey.json(['pay', 'list'])).data as unknown as readonly { payment_id: string }[];
    expect(listed.find(({ payment_id }) => payment_id === id)).toMatchObject({ state: 'error' });
  });

  it('after its confirmation: the receipt of the node counts, exit 12 with moved: true', async () => {
    const before = await paid();
    const { code, data } = await journey.through(showing(ended), () => journey.json(run('payer')));
    expect({ code, moved: errorOf(data).data['moved'] }).toEqual({ code: 12, moved: true });
    expect(await paid()).toBe(before + 10);
  });
});

describe('a transaction of a hostile service', () => {
  const building =
    (change: Readonly<Record<string, unknown>>): Meddler =>
    async ({ path }, forward) => {
      const answer = await forward();
      if (!path.endsWith('intents-create-transaction')) return answer;
      const envelope = JSON.parse(answer.body) as { data: { crypto_tx: { transactionRequest: object } } };
      const { crypto_tx } = envelope.data;
      const transactionRequest = { ...crypto_tx.transactionRequest, ...change };
      const data = { ...envelope.data, crypto_tx: { ...crypto_tx, transactionRequest } };
      return { ...answer, body: JSON.stringify({ ...envelope, data }) };
    };
  const checks = (data: Record<string, unknown>) =>
    (errorOf(data) as unknown as { errors: { field: string; message: string }[] }).errors;

  it('with a tip above the usual maximum is exit 10, also with --yes; --fee-at-most sets another maximum', async () => {
    // 600 gwei for each unit of gas: 0.06 POL for 100,000 units, far below the usual maximum of the whole fee.
    const tip = building({ gasLimit: '100000', maxFeePerGas: '600000000000', maxPriorityFeePerGas: '600000000000' });
    const pay = (...more: readonly string[]) => journey.through(tip, () => journey.json([...run('payer'), ...more]));
    const { code, data } = await pay();
    expect({ code, checks: checks(data) }).toEqual({
      code: 10,
      checks: [
        {
          field: 'fee',
          message:
            'Tip: 600 gwei, at most 0.06 POL in total, above the usual maximum of 500 gwei on polygon. --fee-at-most sets another.',
        },
      ],
    });
    expect((await pay('--fee-at-most', '0.0599')).code).toBe(10);
    // bursar signs the changed transaction, and the sandbox refuses bytes that it did not build.
    expect((await pay('--fee-at-most', '0.06')).code).toBe(9);
  });

  it('with a fee above the usual maximum is exit 10, and above ten times the maximum refused, also with --yes', async () => {
    const pay = (price: string) =>
      journey.through(building({ gasLimit: '100000', maxFeePerGas: price, maxPriorityFeePerGas: '1' }), () =>
        journey.bursar([...run('payer'), '--verbose']),
      );
    const above = await pay('50000000000001');
    expect([above.code, above.stderr]).toEqual([10, expect.stringMatching(/(?:\?|\?\?) Fee: at most 5\.0{5}/)]);
    const absurd = await pay('500000000000010');
    expect([absurd.code, absurd.stderr]).toEqual([10, expect.stringMatching(/(?:✗|NO) Fee: at most 50\.0{5}/)]);
  });

  it('with a far nonce is refused, and nothing is signed: exit 10', async () => {
    const before = await journey.signatures();
    const { code, data } = await journey.through(building({ nonce: 4_000_000 }), () =>
      journey.json([...run('payer'), '--rpc-url', node]),
    );
    expect({ code, checks: checks(data) }).toMatchObject({
      code: 10,
      checks: [
        {
          field: 'nonce',
          message: expect.stringMatching(/^Nonce: 4000000; .*It cannot be mined before the nonces in between\.$/),
        },
      ],
    });
    expect(await journey.signatures()).toBe(before);
  });

  it.each(['-1', '1,5', 'much', '0.0000000000000000001'])(
    'a maximum fee of %s is exit 2 and names --fee-at-most',
    async (text) => {
      const { code, data } = await journey.json([...run('payer'), '--fee-at-most', text]);
      expect({ code, message: errorOf(data).message }).toEqual({
        code: 2,
        message: expect.stringContaining('--fee-at-most'),
      });
    },
  );
});

describe('a payment that the service no longer shows', () => {
  const hidden: Meddler = async ({ method, path }, forward) =>
    method === 'GET' && path.endsWith('/status')
      ? {
          status: 404,
          body: JSON.stringify({ statusCode: 404, success: false, status: 'payment_not_found', message: 'gone' }),
        }
      : forward();

  type Row = { readonly movement: string; readonly payment_id: string };

  const newestOf = async (): Promise<Row> => {
    const { data } = await journey.json(['pay', 'list', '--open']);
    const [newest] = data as unknown as Row[];
    return newest ?? { movement: '', payment_id: '' };
  };

  it('has landed on a node: exit 11 states that, and names the command that shows the payment', async () => {
    const before = await paid();
    const args = run('payer').map((word) => (word === '4' ? '30' : word));
    expect((await journey.bursar(args, atStep('executed', 'after'))).code).toBeNull();
    const { movement: operationId, payment_id: id } = await newestOf();
    const { code, data } = await journey.through(hidden, () => journey.json(['pay', 'resume', id, '--yes']));
    const error = errorOf(data);
    expect({ exit: code, ...error }).toMatchObject({
      exit: 11,
      message: expect.stringMatching(/^the transaction 0x\w+ has landed, and the service does not show the payment$/),
      hint: `The money moved. Ask the service for the payment, or remove it from the journal: bursar pay forget ${operationId}.`,
      next: `bursar pay show ${id}`,
    });
    expect((await journey.json(error.next.split(' ').slice(1))).code).toBe(0);
    expect(await journey.json(['pay', 'resume', id, '--yes'])).toMatchObject({ code: 0, data: { status: 'success' } });
    expect(await paid()).toBe(before + 10);
  });

  it('is unknown to the sandbox and its node: exit 11, with pay forget for a sandbox that was reset', async () => {
    const { address } = await newEvmKey(journey.home, 'hidden');
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    await journey.through(lyingService().meddler, () => journey.json(run('hidden')));
    const { movement: operationId, payment_id: id } = await newestOf();
    const { code, data } = await journey.through(hidden, () => journey.json(['pay', 'resume', id, '--yes']));
    expect({ exit: code, ...errorOf(data) }).toMatchObject({
      exit: 11,
      data: { live: true },
      hint: expect.stringContaining('If it was reset or started anew, only the record is left.'),
      next: `bursar pay forget ${operationId}`,
    });
    expect(await journey.json(['pay', 'resume', id, '--yes'])).toMatchObject({ code: 0, data: { status: 'success' } });
  });
});
