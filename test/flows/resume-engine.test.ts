import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/chain/review/check.ts';
import { Failure } from '../../src/core/failure.ts';
import { nextStep } from '../../src/core/next.ts';
import {
  AGAIN,
  confirmApproved,
  type Resumable,
  resumeOperation,
  type Situation,
} from '../../src/flows/operation/resume.ts';
import { followPayment } from '../../src/flows/pay/resume/resumption.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { startServer } from '../support/server.ts';

type Trace = { readonly steps: string[]; readonly noted: unknown[] };

const NEXT = nextStep('pay.resume.live', 'op_1');
const refused = (id: string): Check => ({ id, verdict: 'refuse', message: `${id} says no.` });
const doubt: Check = { id: 'policy.ask_above', verdict: 'confirm', message: 'Above the limit.' };

/** Resumes an operation that passes through these situations. Each step records its name. */
const running = (
  situations: readonly Situation<string, string>['at'][],
  {
    checks = [],
    isAllowed = true,
    isConfirmed = true,
  }: { checks?: readonly Check[]; isAllowed?: boolean; isConfirmed?: boolean } = {},
) => {
  const seen: Trace = { steps: [], noted: [] };
  const left = [...situations];
  const step = (name: string) => async () => {
    seen.steps.push(name);
    return left.length > 0 ? AGAIN : name;
  };
  const resumable: Resumable<string, string, string> = {
    operation: { id: 'op_1', state: () => ({}), note: async (event: unknown) => void seen.noted.push(event) } as never,
    read: async () => {
      const at = left.shift() ?? expect.fail('read after the end');
      if (at === 'start') return { at };
      return at === 'approved' ? { at, approved: 'bytes' } : { at, known: 'known' };
    },
    start: step('start'),
    settle: step('settle'),
    build: step('build'),
    wait: step('wait'),
    report: async () => 'report',
    approved: {
      confirm: () =>
        confirmApproved(
          { withKey: async (work) => work('key'), confirm: async () => isConfirmed },
          { where: 'signed', question: 'Send it?', next: NEXT },
        ),
      review: async () => ({ checks, withNode: NEXT, approve: async () => isAllowed }),
      send: step('send'),
    },
  };
  return { seen, ended: resumeOperation(resumable) };
};

describe('a resume', () => {
  it('reads the situation before each step, until a step ends the operation', async () => {
    const { seen, ended } = running(['sent', 'missing', 'approved', 'waiting', 'over']);
    expect(await ended).toBe('report');
    expect(seen.steps).toEqual(['settle', 'build', 'send', 'wait']);
  });

  it('starts an operation that never reached the service', async () => {
    expect(await running(['start']).ended).toBe('start');
  });
});

describe('a resume of approved bytes', () => {
  it('sends nothing after the user declines', async () => {
    const { seen, ended } = running(['approved'], { isConfirmed: false });
    const failure = await failureIn(ended);
    expect(failure).toMatchObject({ code: 'declined' });
    expect(failure?.details, 'a declined resume names no command with --yes').not.toHaveProperty('next');
    expect(seen.steps).toEqual([]);
  });

  it('sends nothing against a policy, and records the refusal', async () => {
    const { seen, ended } = running(['approved'], { checks: [refused('policy.most_per_day'), doubt] });
    const failure = await failureIn(ended);
    expect(failure.details.errors).toEqual([{ field: 'policy.most_per_day', message: 'policy.most_per_day says no.' }]);
    expect(seen).toEqual({ steps: [], noted: [expect.objectContaining({ step: 'refused' })] });
  });

  it('leaves the operation open and names a command with a node when a policy needs facts from a node', async () => {
    const { seen, ended } = running(['approved'], { checks: [refused('policy')] });
    expect(await failureIn(ended)).toMatchObject({ details: { isLeftOpen: true, next: NEXT } });
    expect(seen).toEqual({ steps: [], noted: [] });
  });

  it.each([
    [true, ['send'], 'send'],
    [false, [], expect.objectContaining({ code: 'refused_by_review' })],
  ])(
    'sends after a policy check that needs confirmation only if the user allows it: %s',
    async (isAllowed, steps, end) => {
      const { seen, ended } = running(['approved'], { checks: [doubt], isAllowed });
      expect(await ended.catch((error: unknown) => error)).toEqual(end);
      expect(seen.steps).toEqual(steps);
    },
  );

  it('ignores a refused check of the first review that belongs to no policy', async () => {
    expect(await running(['approved'], { checks: [refused('amount')] }).ended).toBe('send');
  });
});

it('an error answer about another payment fails the read and does not end this payment', async () => {
  const body = {
    success: false,
    statusCode: 400,
    status: 'payment_failed',
    message: 'no',
    data: { id: 'pay_2', status: 'error' },
  };
  const { url } = await startServer(async (_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { client } = await patientClient(url, 5_000);
  const context = { client, on: async () => undefined };
  const failure = await failureIn(followPayment(context as never, { state: { id: 'op_1' } } as never, 'pay_1'));
  expect(failure).toBeInstanceOf(Failure);
  expect(failure.code).toBe('payment_failed');
});
