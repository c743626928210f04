import { describe, expect, it } from 'vitest';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../../support/server.ts';

const LATE = envelope(429, 'slow_down');

/** Answers in turn; the last answer repeats. */
const inTurn = (...responders: readonly Responder[]): Responder => {
  const left = [...responders];
  return (received, response) => {
    const next = left.length > 1 ? left.shift() : left[0];
    return next?.(received, response);
  };
};

const payment = (status: string, more = {}) =>
  envelope(200, 'payment_found', { data: { id: 'pay_1', status, tid_hash: null, ...more } });
const kyc = (status: string, approved = false) => envelope(200, 'kyc_status_retrieved', { data: { status, approved } });

const waiting = async (responder: Responder, args: readonly string[]) => {
  const { url, received } = await startServer(responder);
  const { bursar } = await newHomeInProcess();
  const start = performance.now();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  const ended = await bursar([...args, '--wait'], { env });
  return { ...ended, received, took: performance.now() - start };
};

const lines = (text: string) => text.trim().split('\n').filter(Boolean);

describe('pay status --wait', () => {
  it('with --json prints one document on stdout, and each change of state as JSON on stderr', async () => {
    const states = inTurn(payment('processing'), payment('processing'), payment('received'), payment('success'));
    const { code, stdout, stderr } = await waiting(states, ['pay', 'status', 'pay_1', '--json']);
    expect({ code, data: JSON.parse(stdout) }).toMatchObject({ code: 0, data: { status: 'success' } });
    const changes = lines(stderr).map((line) => JSON.parse(line));
    expect(changes.map(({ status }) => status)).toEqual(['processing', 'received', 'success']);
    expect(changes[0]).toEqual({ payment_id: 'pay_1', status: 'processing', at: expect.stringMatching(/^2.*Z$/) });
  });

  it('continues after errors, gateway pages and lost connections, also at the start', async () => {
    const lost: Responder = (_, response) => void response.socket?.destroy();
    const html = raw(502, '<html>', { 'content-type': 'text/html' });
    const bad = [html, html, html, html, html];
    const blips = inTurn(...bad, payment('processing'), lost, lost, lost, lost, lost, LATE, payment('success'));
    const { code, received } = await waiting(blips, ['pay', 'status', 'pay_1', '--json', '--timeout', '60']);
    expect({ code, calls: received.length }).toEqual({ code: 0, calls: 13 });
  });

  it.each([
    [envelope(401, 'unauthorized'), 4],
    [envelope(404, 'payment_not_found'), 3],
  ])('ends at once after a permanent error', async (refusal, exit) => {
    const { code, received } = await waiting(inTurn(payment('processing'), refusal), ['pay', 'status', 'pay_1']);
    expect({ code, calls: received.length }).toEqual({ code: exit, calls: 2 });
  });

  it('ends at --timeout with exit 8 and the last state on stdout', async () => {
    const { code, stdout, took, received } = await waiting(payment('processing'), [
      'pay',
      'status',
      'pay_1',
      '--timeout',
      '3',
    ]);
    expect(code).toBe(8);
    expect(stdout).toContain('status\tprocessing');
    expect(took).toBeGreaterThan(2300);
    expect(took).toBeLessThan(5000);
    expect(received.length).toBeGreaterThan(3);
    expect(received.length).toBeLessThan(12);
  });

  it('with --json exit 8 is one document with the last state in it', async () => {
    const args = ['pay', 'status', 'pay_1', '--timeout', '1', '--json'];
    const { code, stdout } = await waiting(payment('processing'), args);
    expect({ code, said: JSON.parse(stdout) }).toMatchObject({
      code: 8,
      said: { error: { data: { status: 'processing' } } },
    });
  });

  it('ends at once with exit 8 when the service asks for more time than --timeout leaves', async () => {
    const later: Responder = (received, response) => {
      response.setHeader('retry-after', '600');
      return LATE(received, response);
    };
    const args = ['pay', 'status', 'pay_1', '--timeout', '30'];
    const { code, took, received } = await waiting(inTurn(payment('processing'), later), args);
    expect({ code, calls: received.length }).toEqual({ code: 8, calls: 2 });
    expect(took).toBeLessThan(5000);
  });

  it('waits as long as the service asks', async () => {
    const later: Responder = (received, response) => {
      response.setHeader('retry-after', '2');
      return LATE(received, response);
    };
    const { code, took, received } = await waiting(inTurn(later, payment('success')), ['pay', 'status', 'pay_1']);
    expect({ code, calls: received.length }).toEqual({ code: 0, calls: 2 });
    expect(took).toBeGreaterThan(2000);
  });
});

describe('kyc status --wait', () => {
  const ARGS = ['kyc', 'status', '--email', 'payer@example.com'];

  it('ends with 0 when the user is approved, and prints each state', async () => {
    const states = inTurn(kyc('pending'), kyc('in_review'), kyc('approved', true));
    const { code, stdout, stderr } = await waiting(states, [...ARGS, '--json']);
    expect({ code, data: JSON.parse(stdout) }).toMatchObject({ code: 0, data: { approved: true } });
    expect(lines(stderr).map((line) => JSON.parse(line).status)).toEqual(['pending', 'in_review', 'approved']);
  });

  it.each(['declined', 'expired'])('ends with 6 in the state %s, with the state on stdout', async (state) => {
    const { code, stdout } = await waiting(inTurn(kyc('pending'), kyc(state)), ARGS);
    expect(code).toBe(6);
    expect(stdout).toContain(`status\t${state}`);
  });

  it('ends with 8 at --timeout, with the command that continues', async () => {
    const { code, stderr } = await waiting(kyc('a_state_of_tomorrow'), [...ARGS, '--timeout', '1']);
    expect(code).toBe(8);
    expect(stderr).toMatch(/next: bursar kyc status --email '?payer@example\.com'? --wait/);
  });

  it('without a user is exit 2, and nothing is sent', async () => {
    const { code, received } = await waiting(kyc('pending'), ['kyc', 'status']);
    expect({ code, calls: received.length }).toEqual({ code: 2, calls: 0 });
  });
});
