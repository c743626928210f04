import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, RECEIVERS, startJourney } from '../support/journey.ts';
import { lyingService, showing } from '../support/lying-service.ts';

type Step = {
  readonly id: string;
  readonly status: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly lines?: readonly string[];
};

type Flow = { readonly name: string; readonly status: string; readonly steps: readonly Step[] };

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

/** Runs one flow with new keys, and returns its report. */
const smoke = async (flow: string, meddler: Meddler, more: readonly string[] = []) => {
  const { code, data } = await journey.through(meddler, () => journey.json(['smoke', 'run', flow, ...more]));
  const report = ('error' in data ? (data['error'] as { data: unknown }).data : data) as { flows: readonly Flow[] };
  const [only] = report.flows;
  return {
    code,
    flow: only as Flow,
    bad: only?.steps.find(({ status }) => status === 'failed' || status === 'in_doubt'),
  };
};

/** Answers the calls of a path in place of the service. */
const answering =
  (end: string, answer: Parameters<typeof JSON.stringify>[0], status = 200): Meddler =>
  async ({ path }, forward) =>
    path.endsWith(end) ? { status, body: JSON.stringify(answer) } : forward();

/** Changes the data of the answers of a path. */
const changing =
  (isChanged: (path: string) => boolean, change: (data: Record<string, unknown>) => void): Meddler =>
  async ({ path }, forward) => {
    const answer = await forward();
    if (!isChanged(path)) return answer;
    const envelope = JSON.parse(answer.body);
    change(envelope.data);
    return { ...answer, body: JSON.stringify(envelope) };
  };

const REGISTER = '/intents-create-order';
const failing = (statusCode: number, status: string) => ({
  statusCode,
  success: false,
  status,
  message: 'On purpose.',
});

describe('each fault of the service makes a flow red, with the step, what was expected and what was there', () => {
  it('an answer with HTTP 500', async () => {
    const { code, bad } = await smoke('crypto-payment', answering(REGISTER, failing(500, 'server_error'), 500));
    expect([code, bad?.id]).toEqual([13, 'register']);
    expect(bad?.expected).toBe('$statusCode == 201');
    expect(bad?.actual).toContain('$statusCode is 500');
    expect(bad?.lines?.join('\n')).toMatch(/> POST \S+intents-create-order[\s\S]*< HTTP 500/);
  });

  it('an answer with HTTP 429, which is not retried', async () => {
    let calls = 0;
    const { code, bad } = await smoke('reads', async (request, forward) => {
      if (!request.path.startsWith('/config/products')) return forward();
      calls += 1;
      return { status: 429, body: JSON.stringify(failing(429, 'too_many_requests')) };
    });
    expect([code, bad?.id, bad?.actual, calls]).toEqual([13, 'products', '$statusCode is 429', 1]);
  });

  it('a lost answer', async () => {
    const { code, bad } = await smoke('kyc-email', async ({ path }, forward, response) => {
      if (!path.endsWith('/send-otp')) return forward();
      await forward();
      response.destroy();
      return undefined;
    });
    expect([code, bad?.id, bad?.expected]).toEqual([13, 'sendCode', 'an answer']);
    expect(bad?.actual).toMatch(/connection/);
  });

  it('a lost answer to execute, which is settled by reading back and still red', async () => {
    const { code, bad } = await smoke('crypto-payment', async ({ path }, forward, response) => {
      if (!path.endsWith('/on-chain')) return forward();
      await forward();
      response.destroy();
      return undefined;
    });
    expect([code, bad?.id, bad?.expected]).toEqual([13, 'execute', 'an answer']);
  });

  it('JSON that is no envelope', async () => {
    const { code, bad } = await smoke('reads', answering('/config/products', { ok: true }));
    expect([code, bad?.id]).toEqual([13, 'products']);
    expect(bad?.actual).toContain('$response.body#/success is missing');
  });

  it('a field that is missing', async () => {
    const { code, bad } = await smoke(
      'crypto-payment',
      changing(
        (path) => path.endsWith(REGISTER),
        (data) => {
          delete data['payment_id'];
        },
      ),
    );
    expect([code, bad?.id]).toEqual([13, 'register']);
    expect(bad?.actual).toContain('$response.body#/data/payment_id is missing');
  });

  it('a field of another type, which only the contract shows', async () => {
    const { code, bad } = await smoke(
      'reads',
      changing(
        (path) => path.startsWith('/quote/market'),
        (data) => {
          data['price'] = 97_000.5;
        },
      ),
    );
    expect([code, bad?.id, bad?.actual]).toEqual([13, 'quote', '$response.body#/data/price is 97000.5']);
    expect(bad?.expected).toContain('$response.body#/data/price as documented');
  });

  it('another amount in crypto_tx, which the review refuses to sign', async () => {
    const more = (tx: { transactionRequest: { data: string } }) => {
      tx.transactionRequest.data = tx.transactionRequest.data.replace(/989680$/, '989681');
    };
    const { code, bad } = await smoke('crypto-payment', async ({ path }, forward) => {
      const answer = await forward();
      if (!/intents-create-transaction|\/status$/.test(path)) return answer;
      const envelope = JSON.parse(answer.body);
      for (const tx of [envelope.data.crypto_tx, envelope.data.unsigned_tx]) if (tx) more(tx);
      return { ...answer, body: JSON.stringify(envelope) };
    });
    expect([code, bad?.id, bad?.expected]).toEqual([13, 'sign', '$statusCode == 200']);
    expect(bad?.actual).toMatch(/10\.000001/);
  });

  it('a payment that stays in processing', async () => {
    let isExecuted = false;
    const { code, bad } = await smoke(
      'crypto-payment',
      async (request, forward, response) => {
        if (!isExecuted || !request.path.endsWith('/status')) {
          isExecuted ||= request.path.endsWith('/on-chain');
          return forward();
        }
        return showing({ status: 'processing' })(request, forward, response);
      },
      ['--timeout', '6'],
    );
    expect([code, bad?.id, bad?.expected]).toEqual([13, 'state', "$response.body#/data/status == 'success'"]);
    expect(bad?.actual).toBe('$response.body#/data/status is "processing"');
  });

  it('a webhook that never arrives', async () => {
    const { data } = await journey.json(['sandbox', 'status']);
    const { code, bad } = await smoke('crypto-payment', async ({ method, path, body, headers }, forward) => {
      if (!path.endsWith(REGISTER)) return forward();
      const other = body.replace(/"webhook_url":"[^"]+"/, '"webhook_url":"http://127.0.0.1:9/never"');
      const answer = await fetch(String(data['url']) + path, { method, headers, body: other });
      return { status: answer.status, body: await answer.text() };
    });
    expect([code, bad?.id, bad?.expected]).toEqual([13, 'webhook', "$response.body#/data/state != 'missing'"]);
    expect(bad?.actual).toBe('$response.body#/data/state is "missing"');
  });
});

describe('a run that ended in doubt', () => {
  it('shows no success without a transfer, and is resumed by the same command, which pays once', async () => {
    const own = await startJourney();
    try {
      const lied = await own.through(lyingService().meddler, () =>
        own.json(['smoke', 'run', 'crypto-payment', '--timeout', '10']),
      );
      const { data: report } = lied.data['error'] as unknown as { data: { run: string; flows: readonly Flow[] } };
      const bad = report.flows[0]?.steps.at(-1);
      expect([lied.code, bad?.id, bad?.status]).toEqual([11, 'execute', 'in_doubt']);
      expect(bad?.expected).toBe('an outcome that bursar can confirm');
      const before = await own.balance(RECEIVERS[0]);
      const again = await own.json(['smoke', 'run', 'crypto-payment']);
      expect([again.code, again.data['run']]).toEqual([0, report.run]);
      expect((await own.balance(RECEIVERS[0])) - before).toBe(10);
      const third = await own.json(['smoke', 'run', 'crypto-payment']);
      expect([third.code, third.data['run'] === (report.run as never)]).toEqual([0, false]);
    } finally {
      await own.end();
    }
  });
});
