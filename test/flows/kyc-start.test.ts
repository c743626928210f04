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

/** A service that gives these answers, each path its own in their order; the last one again and again. */
const service = async (answers: Readonly<Record<string, readonly Responder[]>>) => {
  const counts = new Map<string, number>();
  const { url, received } = await startServer((one: Received, response) => {
    const path = one.path.replace(/\?.*/, '');
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const list = answers[path] ?? [];
    const respond = list[Math.min(count, list.length - 1)] ?? envelope(500, 'the test did not expect this call');
    return respond(one, response);
  });
  const { client } = await patientClient(url, 20_000);
  return { client, calls: () => received.map(({ path }) => path.replace(/\?.*/, '')), received };
};

const never = (what: string) => async () => {
  throw new Error(`the test did not expect ${what}`);
};

type Codes = readonly (string | undefined)[];

/** A walk with these codes typed; what went wrong with each is kept. */
const walking = async (
  answers: Readonly<Record<string, readonly Responder[]>>,
  codes: Codes = [],
  request: KycRequest = { by: 'email', kycType: 'verify_public_kyc', email: 'a@example.com', isCodeSent: false },
  more: Partial<KycContext> = {},
) => {
  const { client, calls, received } = await service(answers);
  const left = [...codes];
  const troubles: (string | undefined)[] = [];
  const context: KycContext = {
    client,
    assertCodeAvailable: () => undefined,
    nextCode: async (_, trouble) => {
      troubles.push(trouble && (trouble.details.status ?? trouble.code));
      if (left.length === 0) throw trouble ?? new Error('no code is left');
      return left.shift();
    },
    startAnother: never('a question about another verification'),
    on: () => undefined,
    ...more,
  };
  const result = await startKyc(context, request).catch((error: unknown) => error);
  return { result, calls: calls(), troubles, received };
};

describe('a walk by e-mail takes its user up where they stand', () => {
  it.each([
    ['who is approved', state('approved')],
    ['who has a session that is open', state('pending', { session_id: 's', session_url: 'https://v.example/s' })],
    ['whose session is looked at', state('in_review', { session_id: 's' })],
  ])('%s: nothing but a read; no mail, no quota', async (_, status) => {
    const { calls } = await walking({ [STATUS]: [status] });
    expect(calls).toEqual([STATUS]);
  });

  it('who is not known: prepared, mailed, proven, and one session', async () => {
    const { calls, result } = await walking(
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

  it('whose address is proven gets no mail', async () => {
    const { calls } = await walking({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [opened],
    });
    expect(calls).toEqual([STATUS, PREPARE, CREATE, STATUS]);
  });

  it('whose verification expired gets another session', async () => {
    const { calls } = await walking({
      [STATUS]: [state('expired', { session_id: 'old' }), state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [opened],
    });
    expect(calls).toContain(CREATE);
  });

  it('who was declined is asked first, and a no opens nothing', async () => {
    const answers = { [STATUS]: [state('declined')] };
    const { calls, result } = await walking(answers, [], undefined, { startAnother: async () => false });
    expect(calls).toEqual([STATUS]);
    expect(isFailure(result, 'identity_gate')).toBe(true);
  });

  it('with a code on its way sends no other', async () => {
    const request = { by: 'email', kycType: 'verify_public_kyc', email: 'a@example.com', isCodeSent: true } as const;
    const { calls } = await walking(
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

  it('where no code could come none is sent', async () => {
    const refuse = () => {
      throw new Error('nobody');
    };
    const { calls } = await walking(
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

describe('codes', () => {
  it('a wrong one is asked about again, and costs no other mail', async () => {
    const { calls, troubles } = await walking(
      {
        ...PROVING,
        [SEND]: [envelope(201, 'otp_sent')],
        [VERIFY]: [envelope(400, 'otp_invalid'), envelope(400, 'otp_invalid'), envelope(200, 'email_verified')],
      },
      ['1', '2', '3'],
    );
    expect(troubles).toEqual([undefined, 'otp_invalid', 'otp_invalid']);
    expect(calls.filter((path) => path === SEND)).toHaveLength(1);
  });

  it.each(['otp_expired', 'otp_max_attempts'])('after %s another is sent when its user wants it', async (status) => {
    const { calls, troubles } = await walking(
      {
        ...PROVING,
        [SEND]: [envelope(201, 'otp_sent')],
        [VERIFY]: [envelope(400, status), envelope(200, 'email_verified')],
      },
      ['1', undefined, '2'],
    );
    expect(troubles).toEqual([undefined, status, undefined]);
    expect(calls.filter((path) => path === SEND)).toHaveLength(2);
  });

  it('an address that is found proven on the way is enough', async () => {
    const { calls } = await walking({ ...PROVING, [SEND]: [envelope(400, 'email_already_verified')] });
    expect(calls).toEqual([STATUS, PREPARE, SEND, CREATE, STATUS]);
  });
});

describe('a lost answer', () => {
  it('to the sending of a code sends no other: its user is told, and may type the one that came', async () => {
    const { calls, troubles, result } = await walking(
      { ...PROVING, [SEND]: [drop], [VERIFY]: [envelope(200, 'email_verified')] },
      ['1'],
    );
    expect(calls.filter((path) => path === SEND)).toHaveLength(1);
    expect(troubles).toEqual(['unavailable']);
    expect(result).toMatchObject({ session_id: 's1' });
  });

  it('to a code is read back before it is typed again: attempts are counted', async () => {
    const { calls, result } = await walking(
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

  it('to the opening of a session opens no other: the address is read back', async () => {
    const found = state('pending', { session_id: 's2', session_url: 'https://verify.example/s2' });
    const { calls, result } = await walking({
      [STATUS]: [state('pending'), found],
      [PREPARE]: [prepared(true)],
      [CREATE]: [drop],
    });
    expect(calls.filter((path) => path === CREATE)).toHaveLength(1);
    expect(result).toMatchObject({ session_id: 's2' });
  });

  it('to the opening of a session that is not found is told, and still opens no other', async () => {
    const { calls, result } = await walking({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [drop],
    });
    expect(calls.filter((path) => path === CREATE)).toHaveLength(1);
    expect(isFailure(result, 'unavailable') && result.details.hint).toContain('Read again');
  });
});

describe('a session', () => {
  it('whose state cannot be read is told with its address all the same', async () => {
    const { result } = await walking({
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

  it('that the service refused is no success, whatever its HTTP status', async () => {
    const refused = envelope(201, 'kyc_session_created', {
      data: { success: false, message: 'not today', session: null },
    });
    const { result } = await walking({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [refused],
    });
    expect(isFailure(result, 'rejected') && result.message).toBe('not today');
  });

  it('beyond the quota of the month is not asked for twice', async () => {
    const { result, calls } = await walking({
      [STATUS]: [state('pending')],
      [PREPARE]: [prepared(true)],
      [CREATE]: [envelope(429, 'verify_quota_exceeded')],
    });
    expect(isFailure(result, 'limit_reached')).toBe(true);
    expect(calls.filter((path) => path === CREATE)).toHaveLength(1);
  });
});

describe('a walk by wallet', () => {
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
    const done = await walking(answers, [], request);
    return { ...done, proofs };
  };

  it('proves a wallet that is not known, then opens a session for both names', async () => {
    const { proofs, received } = await walk({ [STATUS]: [unknown, state('pending')], [CREATE]: [opened] });
    const body = received.find(({ path }) => path === CREATE)?.body ?? '';
    expect([proofs, JSON.parse(body)]).toEqual([1, { wallet: '0x1', email: 'a@example.com' }]);
  });

  it('asks for no second signature of a wallet that the service knows', async () => {
    const { proofs } = await walk({ [STATUS]: [state('pending')], [CREATE]: [opened] });
    expect(proofs).toBe(0);
  });

  it.each(['identity_not_verified', 'user_not_prepared'])(
    'signs after %s, and opens the session once',
    async (status) => {
      const { proofs, calls } = await walk({ [STATUS]: [state('pending')], [CREATE]: [envelope(403, status), opened] });
      expect([proofs, calls.filter((path) => path === CREATE).length]).toEqual([1, 2]);
    },
  );

  it('that is not enough for the service ends, and does not sign for ever', async () => {
    const { result, proofs } = await walk({
      [STATUS]: [unknown],
      [CREATE]: [envelope(403, 'identity_not_verified')],
    });
    expect([isFailure(result, 'identity_gate'), proofs]).toEqual([true, 1]);
  });
});
