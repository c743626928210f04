import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import { type KycRequest, startKyc } from '../../src/flows/kyc/start.ts';
import type { KycContext } from '../../src/flows/kyc/status.ts';
import { patientClient } from '../client/client.ts';
import { envelope, type Received, type Responder, startServer } from '../support/server.ts';

const STATUS = '/kyc/status';
const PREPARE = '/kyc/prepare';
const SEND = '/security/email/send-otp';
const VERIFY = '/security/email/verify-otp';
const CREATE = '/kyc/create/verify_public_kyc';

const drop: Responder = (_, response) => void response.socket?.destroy();

const state = (status: string, more: object = {}) =>
  envelope(200, 'kyc_status_retrieved', { data: { status, approved: status === 'approved', ...more } });
const unknown = envelope(404, 'kyc_not_found');
const opened = envelope(201, 'kyc_session_created', {
  data: { success: true, message: 'opened', session: { session_id: 's1', session_url: 'https://verify.example/s1' } },
});
const prepared = (email_verified: boolean) =>
  envelope(200, 'user_already_prepared', { data: { email_verified, kyc_approved: false, kyc_status: 'pending' } });

/** A service that gives the answers of each path in order, and repeats the last one. */
const service = async (answers: Readonly<Record<string, readonly Responder[]>>) => {
  const counts = new Map<string, number>();
  const { url, received } = await startServer((request: Received, response) => {
    const path = request.path.replace(/\?.*/, '');
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const list = answers[path] ?? [];
    const respond = list[Math.min(count, list.length - 1)] ?? envelope(500, 'the test did not expect this call');
    return respond(request, response);
  });
  const { client } = await patientClient(url, 20_000);
  return { client, calls: () => received.map(({ path }) => path.replace(/\?.*/, '')), received };
};

const never = (event: string) => async () => {
  throw new Error(`the test did not expect ${event}`);
};

type Codes = readonly (string | undefined)[];

/** Runs a KYC walk whose user types these codes; records the failure that each prompt for a code shows. */
const runWalk = async (
  answers: Readonly<Record<string, readonly Responder[]>>,
  codes: Codes = [],
  request: KycRequest = { by: 'email', kycType: 'verify_public_kyc', email: 'a@example.com', isCodeSent: false },
  more: Partial<KycContext> = {},
) => {
  const { client, calls, received } = await service(answers);
  const remaining = [...codes];
  const failures: (string | undefined)[] = [];
  const context: KycContext = {
    client,
    assertCodeAvailable: async () => undefined,
    nextCode: async (_, failure) => {
      failures.push(failure && (failure.details.status ?? failure.code));
      if (remaining.length === 0) throw failure ?? new Error('no code remains');
      return remaining.shift();
    },
    startAnother: never('a question about another verification'),
    on: () => undefined,
    ...more,
  };
  const result = await startKyc(context, request).catch((error: unknown) => error);
  return { result, calls: calls(), failures, received };
};

describe('a KYC walk by e-mail', () => {
  it.each([
    ['who is approved', state('approved')],
    ['who has an open session', state('pending', { session_id: 's', session_url: 'https://v.example/s' })],
    ['whose session is in review', state('in_review', { session_id: 's' })],
  ])('only reads the status of a user %s: it mails no code and uses no quota', async (_, status) => {
    const { calls } = await runWalk({ [STATUS]: [status] });
    expect(calls).toEqual([STATUS]);
  });

  it('prepares an unknown user, mails a code, verifies the address and opens one session', async () => {
    const { calls, result } = await runWalk(
      {
        [STATUS]: [unknown, state('pending')],
        [PREPARE]: [envelope(201, 'user_prepared')],
        [SEND]: [envelope(201, 'otp_sent')],
        [VERIFY]: [envelope(200, 'email_verified')],
        [CREATE]: [opened],
      },
      ['123456'],
    );
    expect(calls).toEqual([STATUS, PREPARE, SEND, VERIFY, CREATE, STATUS]);
    expect(result).toMatchObject({ status: 'pending', session_id: 's1', session_url: 'https://verify.example/s1' });
  });

  it('mails no code to a verified address', async () => {
    const { calls } = await runWalk({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [opened],
    });
    expect(calls).toEqual([STATUS, PREPARE, CREATE, STATUS]);
  });

  it('opens another session when the verification has expired', async () => {
    const { calls } = await runWalk({
      [STATUS]: [state('expired', { session_id: 'old' }), state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [opened],
    });
    expect(calls).toContain(CREATE);
  });

  it('asks a declined user before another session; a no opens none', async () => {
    const answers = { [STATUS]: [state('declined')] };
    const { calls, result } = await runWalk(answers, [], undefined, { startAnother: async () => false });
    expect(calls).toEqual([STATUS]);
    expect(isFailure(result, 'identity_gate')).toBe(true);
  });

  it('mails no second code when the request states that one was sent', async () => {
    const request = { by: 'email', kycType: 'verify_public_kyc', email: 'a@example.com', isCodeSent: true } as const;
    const { calls } = await runWalk(
      {
        [STATUS]: [state('pending')],
        [PREPARE]: [prepared(false)],
        [VERIFY]: [envelope(200, 'email_verified')],
        [CREATE]: [opened],
      },
      ['1'],
      request,
    );
    expect(calls).not.toContain(SEND);
  });

  it('mails no code when the user has no way to enter one', async () => {
    const refuse = () => {
      throw new Error('no user can enter a code');
    };
    const { calls } = await runWalk(
      { [STATUS]: [unknown], [PREPARE]: [envelope(201, 'user_prepared')] },
      [],
      undefined,
      {
        assertCodeAvailable: refuse,
      },
    );
    expect(calls).toEqual([STATUS, PREPARE]);
  });
});

const PROVING = {
  [STATUS]: [unknown, state('pending')],
  [PREPARE]: [envelope(201, 'user_prepared')],
  [CREATE]: [opened],
};

describe('the one-time code of a KYC walk', () => {
  it('is asked for again after a wrong code, without another mail', async () => {
    const { calls, failures } = await runWalk(
      {
        ...PROVING,
        [SEND]: [envelope(201, 'otp_sent')],
        [VERIFY]: [envelope(400, 'otp_invalid'), envelope(400, 'otp_invalid'), envelope(200, 'email_verified')],
      },
      ['1', '2', '3'],
    );
    expect(failures).toEqual([undefined, 'otp_invalid', 'otp_invalid']);
    expect(calls.filter((path) => path === SEND)).toHaveLength(1);
  });

  it.each(['otp_expired', 'otp_max_attempts'])(
    'is mailed again after %s when the user asks for another',
    async (status) => {
      const { calls, failures } = await runWalk(
        {
          ...PROVING,
          [SEND]: [envelope(201, 'otp_sent')],
          [VERIFY]: [envelope(400, status), envelope(200, 'email_verified')],
        },
        ['1', undefined, '2'],
      );
      expect(failures).toEqual([undefined, status, undefined]);
      expect(calls.filter((path) => path === SEND)).toHaveLength(2);
    },
  );

  it('is not needed when send-otp answers that the address is verified', async () => {
    const { calls } = await runWalk({ ...PROVING, [SEND]: [envelope(400, 'email_already_verified')] });
    expect(calls).toEqual([STATUS, PREPARE, SEND, CREATE, STATUS]);
  });
});

describe('a lost answer in a KYC walk', () => {
  it('to send-otp mails no second code: the user sees the failure and can type the code that arrived', async () => {
    const { calls, failures, result } = await runWalk(
      { ...PROVING, [SEND]: [drop], [VERIFY]: [envelope(200, 'email_verified')] },
      ['1'],
    );
    expect(calls.filter((path) => path === SEND)).toHaveLength(1);
    expect(failures).toEqual(['unavailable']);
    expect(result).toMatchObject({ session_id: 's1' });
  });

  it('to verify-otp is settled by a read, because the service counts attempts', async () => {
    const { calls, result } = await runWalk(
      {
        ...PROVING,
        [PREPARE]: [envelope(201, 'user_prepared'), prepared(true)],
        [SEND]: [envelope(201, 'otp_sent')],
        [VERIFY]: [drop],
      },
      ['1'],
    );
    expect(calls.filter((path) => path === VERIFY)).toHaveLength(1);
    expect(result).toMatchObject({ session_id: 's1' });
  });

  it('to the creation of a session is settled by a read of its URL, without a second session', async () => {
    const found = state('pending', { session_id: 's2', session_url: 'https://verify.example/s2' });
    const { calls, result } = await runWalk({
      [STATUS]: [state('pending'), found],
      [PREPARE]: [prepared(true)],
      [CREATE]: [drop],
    });
    expect(calls.filter((path) => path === CREATE)).toHaveLength(1);
    expect(result).toMatchObject({ session_id: 's2' });
  });

  it('to the creation of a session that is not found fails with a hint to read again, without a second session', async () => {
    const { calls, result } = await runWalk({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [drop],
    });
    expect(calls.filter((path) => path === CREATE)).toHaveLength(1);
    expect(isFailure(result, 'unavailable') && result.details.hint).toContain('Read again');
  });
});

describe('a KYC session', () => {
  it('is returned with its URL even if its status cannot be read', async () => {
    const { result } = await runWalk({
      [STATUS]: [state('pending'), envelope(404, 'kyc_not_found')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [opened],
    });
    expect(result).toEqual({
      status: 'kyc_session_created',
      session_id: 's1',
      session_url: 'https://verify.example/s1',
    });
  });

  it('that the service refuses is a failure, even with HTTP 201', async () => {
    const refused = envelope(201, 'kyc_session_created', {
      data: { success: false, message: 'not today', session: null },
    });
    const { result } = await runWalk({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [refused],
    });
    expect(isFailure(result, 'rejected') && result.message).toBe('not today');
  });

  it('is requested only once when the monthly quota is used up', async () => {
    const { result, calls } = await runWalk({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [envelope(429, 'verify_quota_exceeded')],
    });
    expect(isFailure(result, 'limit_reached')).toBe(true);
    expect(calls.filter((path) => path === CREATE)).toHaveLength(1);
  });
});

describe('a KYC walk by wallet', () => {
  const walk = async (answers: Readonly<Record<string, readonly Responder[]>>) => {
    let proofs = 0;
    const prove = async () => {
      proofs += 1;
    };
    const request = {
      by: 'wallet',
      kycType: 'verify_public_kyc',
      wallet: '0x1',
      email: 'a@example.com',
      prove,
    } as const;
    const walked = await runWalk(answers, [], request);
    return { ...walked, proofs };
  };

  it('signs for an unknown wallet, then opens a session for the wallet and the e-mail address', async () => {
    const { proofs, received } = await walk({ [STATUS]: [unknown, state('pending')], [CREATE]: [opened] });
    const body = received.find(({ path }) => path === CREATE)?.body ?? '';
    expect([proofs, JSON.parse(body)]).toEqual([1, { wallet: '0x1', email: 'a@example.com' }]);
  });

  it('asks for no signature of a wallet that the service has', async () => {
    const { proofs } = await walk({ [STATUS]: [state('pending')], [CREATE]: [opened] });
    expect(proofs).toBe(0);
  });

  it.each(['identity_not_verified', 'user_not_prepared'])(
    'signs once after %s, and then opens the session',
    async (status) => {
      const { proofs, calls } = await walk({ [STATUS]: [state('pending')], [CREATE]: [envelope(403, status), opened] });
      expect([proofs, calls.filter((path) => path === CREATE).length]).toEqual([1, 2]);
    },
  );

  it('fails after one signature when the service refuses the session again', async () => {
    const { result, proofs } = await walk({
      [STATUS]: [unknown],
      [CREATE]: [envelope(403, 'identity_not_verified')],
    });
    expect([isFailure(result, 'identity_gate'), proofs]).toEqual([true, 1]);
  });
});
