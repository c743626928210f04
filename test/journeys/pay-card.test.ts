import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ARGS, CARD_FIELDS, PAYER, RAW_CARD, startChargeJourney, TOKEN } from '../support/charge.ts';
import { type Journey, type Meddler, RECEIVERS } from '../support/journey.ts';
import { wordsOf } from '../support/next.ts';
import { overriding } from '../support/overriding.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startChargeJourney();
});

afterAll(() => journey.end());

let cents = 0;
const amount = (): readonly string[] => {
  cents += 1;
  return ['--amount-from', `20.${String(cents).padStart(2, '0')}`];
};

const run = (...more: readonly string[]) => [...CARD_ARGS, ...CARD_FIELDS, ...amount(), ...more];

const RAW = ['--card-file', 'card.json'];

type Listed = { readonly payment_id: string; readonly movement: string };

type Error = { code: string; message: string; next: string; errors?: { option: string }[] };
const errorOf = ({ data }: { readonly data: Record<string, unknown> }) => data['error'] as Error;

/** Records the bodies of creations, and forwards every call. */
const noting = (bodies: string[]): Meddler => {
  return async ({ path, body }, forward) => {
    if (path.endsWith('intents-create-transaction')) bodies.push(body);
    return forward();
  };
};

/** The text of all files in the home, except the files of the user. */
const allFiles = async (): Promise<string> => {
  const names = await readdir(journey.home, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile() && !['card.json', 'reais.json'].includes(each.name));
  return (await Promise.all(files.map((each) => readFile(join(each.parentPath, each.name), 'latin1')))).join('\n');
};

describe('pay run by card', () => {
  it('with a token pays the receivers on their chain, and prints the transaction hash', async () => {
    const before = await Promise.all(RECEIVERS.map(journey.balance));
    const { code, data } = await journey.json(run(...TOKEN('tok_approved'), '--yes'));
    expect(code).toBe(0);
    expect(data).toMatchObject({
      status: 'success',
      profile: 'sandbox',
      kind: 'sandbox',
      transaction_type: 'cardcrypto',
    });
    expect(data['tid_hash']).toMatch(/^0x[0-9a-f]{64}$/);
    const after = await Promise.all(RECEIVERS.map(journey.balance));
    const shares = after.map((amount, at) => (amount - (before[at] ?? 0)) / Number(data['amount_to']));
    expect(shares).toEqual([expect.closeTo(0.7, 4), expect.closeTo(0.3, 4)]);
  });

  it('sends the IP address, the session and a document that is not a CPF beside a raw card', async () => {
    const bodies: string[] = [];
    const payer = ['--payer-ip', '203.0.113.7', '--session-id', 's_1', '--payer-document', '1'];
    const { code } = await journey.through(noting(bodies), () => journey.json(overriding(run(...RAW, '--yes'), payer)));
    expect(code).toBe(0);
    const sent = JSON.parse(bodies[0] ?? '');
    expect(sent).toMatchObject({ payer_ip: '203.0.113.7', session_id: 's_1', payer_document: '1' });
    expect(sent).not.toHaveProperty('payer_phone');
  });

  it('sends a raw card unchanged, and stores or prints no part of it, also with --debug', async () => {
    const bodies: string[] = [];
    const ended = await journey.through(noting(bodies), () =>
      journey.bursar(run(...RAW, '--yes', '--debug'), { env: { BURSAR_DEBUG: '1' } }),
    );
    expect(ended.code).toBe(0);
    expect(bodies.map((body) => JSON.parse(body).card_data.card)).toEqual([RAW_CARD]);
    const everything = (await allFiles()) + ended.stdout + ended.stderr;
    for (const part of ['4111 1111', '4111111111111111', 'ANA SOUZA', '"737"', 'numero']) {
      expect(everything, part).not.toContain(part);
    }
  });

  it('sends a raw card from standard input digit for digit', async () => {
    const bodies: string[] = [];
    const stdin = '{"n": 41111111111111110001, "f": 1.10}';
    const ended = await journey.through(noting(bodies), () =>
      journey.bursar(run('--card-file', '-', '--yes'), { stdin }),
    );
    expect(ended.code).toBe(0);
    expect(bodies[0]).toContain('"n":41111111111111110001,"f":1.10');
  });

  it('--dry-run prints the request without the raw card', async () => {
    const { code, stdout } = await journey.bursar([...run(...RAW), '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)[1].body.card_data.card).toBe('********');
    expect(stdout).not.toContain('4111');
  });

  it.each([
    ['that is no JSON', '{"n": 4111 1111'],
    ['that is no object', '["4111"]'],
    ['that is empty', '{}'],
  ])('with a raw card %s is exit 2, and the error does not repeat the card', async (_, stdin) => {
    const ended = await journey.bursar(run('--card-file', '-', '--yes'), { stdin });
    expect(ended.code).toBe(2);
    expect(ended.stderr).not.toContain('4111');
  });

  it('that the issuer refuses is exit 12 with the reason', async () => {
    const declined = await journey.json(run(...TOKEN('tok_refused'), '--yes'));
    expect(declined.code).toBe(12);
    expect(errorOf(declined).message).toContain('refused by its issuer');
  });

  it('that the issuer refuses names the same command with another card and another intent', async () => {
    const args = run(...TOKEN('tok_refused'), '--yes', '--intent', 'first');
    const { next } = errorOf(await journey.json(args));
    expect(next).toContain('bursar pay run --body reais.json --transaction-type cardcrypto ');
    const given = { CARD_TOKEN: 'tok_approved', NEW_INTENT: 'second' };
    const again = await wordsOf(next, given);
    const another = args.map((word) => ({ tok_refused: 'tok_approved', first: 'second' })[word] ?? word);
    expect(again).toEqual(['bursar', ...another, '--json']);
    expect(await journey.json(again.slice(1, -1))).toMatchObject({ code: 0, data: { status: 'success' } });
  });

  it('that the issuer refuses suggests a payment with the facts stated here, not those of the service', async () => {
    await journey.json(run(...TOKEN('tok_refused'), '--yes'));
    const [row] = (await journey.json(['pay', 'list', '--limit', '1'])).data as unknown as { payment_id: string }[];
    const another: Meddler = async (_, forward) => {
      const answer = await forward();
      return { ...answer, body: answer.body.replaceAll(RECEIVERS[0], `0x${'9'.repeat(40)}`) };
    };
    const status = ['pay', 'status', row?.payment_id ?? '', '--wait'];
    const ended = await journey.through(another, () => journey.json(status));
    expect(ended.code).toBe(12);
    const { next } = errorOf(ended);
    expect(next).toContain(`--split ${RECEIVERS[0]}=`);
    expect(next).toContain('--transaction-type cardcrypto');
    expect(next).not.toContain('9999999999');
  });

  it('that is pending is exit 8 at --timeout, and a resume follows the charge and sends no card', async () => {
    const pending = await journey.json(run(...TOKEN('tok_pending'), '--yes', '--timeout', '3'));
    expect(JSON.stringify(pending.data)).toContain('The card was sent for payment');
    expect(pending.code).toBe(8);
    const { next } = errorOf(pending);
    const listed = await journey.json(['pay', 'list', '--limit', '1']);
    const [row] = listed.data as unknown as { payment_id: string; state: string }[];
    expect(row?.state).toBe('sent');
    const alone = errorOf(await journey.json(['sandbox', 'card']));
    expect(alone.next, 'the next command names the waiting card').toBe(
      `bursar sandbox card ${row?.payment_id} --approve`,
    );
    await journey.bursar(['sandbox', 'card', row?.payment_id ?? '', '--approve']);
    const bodies: string[] = [];
    const resumed = await journey.through(noting(bodies), () => journey.json(next.split(' ').slice(1)));
    expect([resumed.code, resumed.data['status'], bodies]).toEqual([0, 'success', []]);
  });

  it('needs --yes without a terminal, and registers nothing before', async () => {
    const asked: string[] = [];
    const meddler: Meddler = async ({ path }, forward) => {
      asked.push(path);
      return forward();
    };
    expect((await journey.through(meddler, () => journey.bursar(run(...RAW)))).code).toBe(2);
    expect(asked).toEqual([]);
  });

  it('names all missing options at once, the card by both its options', async () => {
    const missing = await journey.json([...CARD_ARGS, '--yes']);
    expect(missing.code).toBe(2);
    const options = errorOf(missing).errors?.map(({ option }) => option);
    expect(options).toEqual(
      expect.arrayContaining(['--statement-descriptor', '--address-city', '--card-token or --card-file']),
    );
    const token = await journey.json(run('--card-token', 'tok_approved', '--yes'));
    expect(errorOf(token).errors?.map(({ option }) => option)).toEqual(['--payer-ip', '--session-id']);
  });
});

describe('a card with a lost answer', () => {
  const fault = (kind: string) => journey.bursar(['sandbox', 'fault', 'pay.transaction', kind]);

  it.each(['drop_before', '503', 'html'])('by %s is exit 11, and is sent once', async (kind) => {
    await fault(kind);
    const bodies: string[] = [];
    const lost = await journey.through(noting(bodies), () => journey.json(run(...RAW, '--yes')));
    expect(lost.code).toBe(11);
    expect(bodies).toHaveLength(1);
    const { next } = errorOf(lost);
    const again = await journey.through(noting(bodies), () =>
      journey.json([...next.split(' ').slice(1), '--yes', ...RAW, ...CARD_FIELDS]),
    );
    expect(again.code).toBe(11);
    expect(bodies, 'a resume with --yes does not send the card again').toHaveLength(1);
    const listed = await journey.json(['pay', 'list', '--limit', '1']);
    expect((listed.data as unknown as { state: string }[])[0]?.state).toBe('in_doubt');
  });

  it.each(['drop_after', 'truncate'])('by %s is settled by the charges that the payment shows', async (kind) => {
    await fault(kind);
    const bodies: string[] = [];
    const { code, data } = await journey.through(noting(bodies), () => journey.json(run(...RAW, '--yes')));
    expect([code, data['status'], bodies.length]).toEqual([0, 'success', 1]);
  });

  it('is not charged a second time by the same command with --yes: exit 11', async () => {
    const args = run(...RAW, '--yes');
    await fault('drop_before');
    expect((await journey.bursar(args)).code).toBe(11);
    expect((await journey.bursar(args)).code).toBe(11);
  });
});

describe('a card that was not sent', () => {
  it('is required again by a resume, which keeps all other fields', async () => {
    const bodies: string[] = [];
    const meddler: Meddler = async ({ path, body }, forward, response) => {
      if (!path.endsWith('intents-create-transaction')) return forward();
      bodies.push(body);
      if (bodies.length > 1) return forward();
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ statusCode: 401, success: false, status: 'unauthorized', message: 'no' }));
      return undefined;
    };
    await journey.through(meddler, async () => {
      const stopped = await journey.json(run(...RAW, '--yes'));
      expect(stopped.code).toBe(4);
      const { next } = errorOf(stopped);
      const words = next.split(' ').slice(1);
      const asked = await journey.json([...words, '--yes']);
      expect(asked.code).toBe(2);
      expect(errorOf(asked).errors?.map(({ option }) => option)).toContain('--card-token or --card-file');
      expect(bodies).toHaveLength(1);
      const resumed = await journey.json([...words, '--yes', ...RAW, ...CARD_FIELDS]);
      expect([resumed.code, resumed.data['status'], bodies.length]).toEqual([0, 'success', 2]);
    });
  });
});

describe('a card that pay transaction sends', () => {
  const register = async (...stated: readonly string[]): Promise<string> => {
    const body = ['--body', 'reais.json', ...amount(), ...stated];
    return String((await journey.json(['pay', 'register', ...body])).data['payment_id']);
  };
  const charge = (id: string, ...more: readonly string[]) => [
    ...['pay', 'transaction', id, '--transaction-type', 'cardcrypto', '--payer-email', 'payer@example.com'],
    ...PAYER,
    ...CARD_FIELDS,
    ...more,
  ];
  const stateOf = async (id: string) => (await journey.json(['pay', 'show', id])).data['state'];

  it('is followed by pay status to its end', async () => {
    const id = await register();
    expect((await journey.json(charge(id, ...TOKEN('tok_approved')))).code).toBe(0);
    expect(await stateOf(id)).toBe('sent');
    expect(await journey.json(['pay', 'status', id, '--wait'])).toMatchObject({ code: 0, data: { status: 'success' } });
    expect(await stateOf(id)).toBe('success');
  });

  it('with a lost answer is in doubt: neither the same command nor a resume with --yes sends a card', async () => {
    const id = await register();
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'drop_before']);
    const bodies: string[] = [];
    await journey.through(noting(bodies), async () => {
      expect((await journey.json(charge(id, ...RAW))).code).toBe(11);
      expect(await stateOf(id)).toBe('in_doubt');
      const again = await journey.json(charge(id, ...RAW));
      expect(again.code).toBe(11);
      expect(errorOf(again)).toMatchObject({
        message: `Another card may have been charged for payment ${id}.`,
        next: `bursar pay resume ${id}`,
      });
      const resumed = await journey.json(['pay', 'resume', id, '--yes', ...RAW, ...CARD_FIELDS]);
      expect(resumed.code).toBe(11);
      expect(JSON.stringify(resumed.data)).not.toContain('No money moved');
    });
    expect(bodies).toHaveLength(1);
  });

  it('and the service accepted blocks a second card: exit 8', async () => {
    const id = await register();
    expect((await journey.json(charge(id, ...TOKEN('tok_pending')))).code).toBe(0);
    const again = await journey.json(charge(id, ...TOKEN('tok_approved')));
    expect([again.code, errorOf(again).next]).toEqual([8, `bursar pay status ${id} --wait`]);
  });

  it('and the service refused has ended, and the same command sends the card again', async () => {
    const id = await register();
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'kyc_verification_required']);
    expect((await journey.json(charge(id, ...RAW))).code).toBe(6);
    expect(await stateOf(id)).toBe('failed');
    const resumed = await journey.json(['pay', 'resume', id, '--yes']);
    expect(errorOf(resumed).next).toBe(`bursar pay status ${id}`);
    expect((await journey.json(charge(id, ...RAW))).code).toBe(0);
  });

  it('needs an amount from the user or the service', async () => {
    const id = await register();
    const silent: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (!path.endsWith('/status')) return answer;
      return { ...answer, body: answer.body.replace(/"amount_from":"[\d.]+",/, '') };
    };
    await rm(join(journey.home, 'state', 'journal'), { recursive: true });
    const ended = await journey.through(silent, () => journey.json(charge(id, ...RAW)));
    expect([ended.code, errorOf(ended).errors?.map(({ option }) => option)]).toEqual([2, ['--amount-from']]);
  });

  it('is not sent when the service shows another charge: exit 11', async () => {
    const id = await register();
    const charged: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (!path.endsWith('/status')) return answer;
      const body = JSON.parse(answer.body);
      const charges = [{ charge_id: 'c', processor_id: 'p', credit_card_id: 'd' }];
      return { ...answer, body: JSON.stringify({ ...body, data: { ...body.data, global_payment_data: { charges } } }) };
    };
    const bodies: string[] = [];
    const both: Meddler = (call, forward, response) =>
      noting(bodies)(call, () => Promise.resolve(charged(call, forward, response)) as never, response);
    const ended = await journey.through(both, () => journey.json(charge(id, ...RAW)));
    expect([ended.code, bodies.length]).toEqual([11, 0]);
    expect(errorOf(ended).message).toContain('shows a charge already');
  });
});

describe('a resumed card', () => {
  it('is not sent after pay transaction sent a card for the same payment: exit 11', async () => {
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'kyc_verification_required']);
    expect((await journey.json(run(...RAW, '--yes'))).code).toBe(6);
    const [row] = (await journey.json(['pay', 'list', '--limit', '1'])).data as unknown as Listed[];
    const { payment_id: id = '', movement = '' } = row ?? {};
    const card = ['--transaction-type', 'cardcrypto', '--payer-email', 'payer@example.com', ...PAYER, ...CARD_FIELDS];
    const sent = await journey.json(['pay', 'transaction', id, ...card, ...TOKEN('tok_pending')]);
    expect(sent.code).toBe(0);
    const bodies: string[] = [];
    const resume = ['pay', 'resume', movement, '--yes', ...RAW, ...CARD_FIELDS];
    const resumed = await journey.through(noting(bodies), () => journey.json(resume));
    expect([resumed.code, bodies.length]).toEqual([11, 0]);
    expect(errorOf(resumed).message).toBe(`Another card was sent for payment ${id}.`);
  });

  it('is not sent for a payment that the service shows with another amount: exit 10', async () => {
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'kyc_verification_required']);
    const bodies: string[] = [];
    const stopped = await journey.json(run(...RAW, '--yes'));
    expect(stopped.code).toBe(6);
    const [row] = (await journey.json(['pay', 'list', '--limit', '1'])).data as unknown as { payment_id: string }[];
    const dearer: Meddler = async ({ path, body }, forward) => {
      if (path.endsWith('intents-create-transaction')) bodies.push(body);
      const answer = await forward();
      return { ...answer, body: answer.body.replace(/"amount_from":"[\d.]+"/, '"amount_from":"5000"') };
    };
    const resume = ['pay', 'resume', row?.payment_id ?? '', '--yes', ...RAW, ...CARD_FIELDS];
    const ended = await journey.through(dearer, () => journey.json(resume));
    expect({ code: ended.code, message: errorOf(ended).message, sent: bodies.length }).toMatchObject({
      code: 10,
      message: expect.stringContaining('is not what you stated'),
      sent: 0,
    });
  });
});
