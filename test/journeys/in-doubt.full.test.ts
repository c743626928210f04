import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { atStep } from '../support/at-step.ts';
import { PROGRAM, startBursar } from '../support/bursar.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

const hang = (endpoint: string) => journey.ask('POST', '/_sandbox/fault', { endpoint, kind: 'hang' });

/** The id of a payment whose execute call hung; its payer has no other payment. */
const inDoubt = async (name: string): Promise<string> => {
  const { address } = await newEvmKey(journey.home, name);
  await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
  await hang('pay.execute');
  const run = ['pay', 'run', '--body', 'payment.json', '--key', name, '--yes', '--timeout', '3'];
  const { code, data } = await journey.json(run);
  expect(code).toBe(11);
  return String((data['error'] as unknown as { next: string }).next.split(' ').at(-1));
};

const PAY = (name: string, amount: string) => [
  ...['pay', 'run', '--body', 'payment.json', '--key', name, '--yes', '--amount-from', amount],
];

const RUN = (name: string) => PAY(name, '11');

describe('a payment in doubt of the same wallet', () => {
  it('is named in a warning before another payment with the same nonce; a resume then completes it', async () => {
    const first = await inDoubt('twice');
    const { code, stderr } = await journey.bursar(RUN('twice'));
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(
        `^warning: payment ${first} of 10 USDT from this wallet is in doubt, and this one has the same nonce, 0: only one of the two can land\\. bursar pay resume ${first} settles it first\\.$`,
        'm',
      ),
    );
    // The node of the sandbox shows that the first transaction can no longer land.
    const before = await journey.balance(RECEIVERS[0]);
    const settled = await journey.json(['pay', 'resume', first, '--yes']);
    expect(settled).toMatchObject({
      code: 0,
      data: {
        status: 'success',
        receivers: [
          { wallet: RECEIVERS[0], amount: '7', token: 'USDT' },
          { wallet: RECEIVERS[1], amount: '3', token: 'USDT' },
        ],
      },
    });
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
    expect((await journey.bursar([...RUN('twice'), '--intent', 'later'])).stderr).not.toContain('in doubt');
  });
});

describe('a payment whose first transaction can never land', () => {
  it.each([
    ['twice-named', [] as const],
    ['twice-noted', ['pay', 'resume'] as const],
  ])('names the transaction that used its nonce before another signature (%s)', async (name, resume) => {
    const first = await inDoubt(name);
    const { data: second } = await journey.json(PAY(name, '12'));
    // Without a confirmation the resume only records that the first transaction is dead.
    if (resume.length > 0) expect((await journey.bursar([...resume, first])).code).toBe(8);
    const { code, stderr } = await journey.bursar(['pay', 'resume', first, '--yes']);
    const { data } = await journey.json(['pay', 'show', first]);
    const [dead] = data['transactions'] as unknown as { hash: string; is_dead: boolean }[];
    expect([code, dead?.is_dead]).toEqual([0, true]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `The first transaction ${dead?.hash} can no longer be mined: its nonce 0 was used by ${second['tid_hash']}.`,
    );
  });
});

describe('a payment whose bytes the service refused', () => {
  const REFUSAL = { success: false, status: 'invalid_signed_transaction', statusCode: 400, message: 'no', data: null };

  it('stays live when the new transaction of the service is refused: exit 10', async () => {
    const id = await inDoubt('refused');
    const hostile: Meddler = async ({ path }, forward) => {
      if (path.endsWith('/execute/on-chain')) return { status: 400, body: JSON.stringify(REFUSAL) };
      const answer = await forward();
      // The new transaction pays an address outside the split.
      const changed = answer.body.replaceAll(RECEIVERS[1].slice(2), '9'.repeat(40));
      return path.endsWith('create-transaction') ? { status: answer.status, body: changed } : answer;
    };
    const { code, data } = await journey.through(hostile, () => journey.json(['pay', 'resume', id, '--yes']));
    const error = data['error'] as unknown as { hint: string; data: Record<string, unknown> };
    expect([code, error.data]).toEqual([10, expect.objectContaining({ live: true, hash: expect.any(String) })]);
    expect(error.hint).toContain(`may still be sent (${String(error.data['hash'])})`);
    expect((await journey.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
  });
});

describe('a payment in doubt above the rest of a new daily limit', () => {
  it('is exit 11 with the limit and stays in doubt; without the limit a resume completes the payment', async () => {
    const id = await inDoubt('limited');
    expect((await journey.bursar(['key', 'policy', 'set', 'limited', 'most_per_day.USDT=9'])).code).toBe(0);
    const { code, data } = await journey.json(['pay', 'resume', id, '--yes']);
    expect([code, data['error']]).toMatchObject([
      11,
      { errors: [{ field: 'policy.most_per_day' }], next: expect.stringMatching(/^bursar pay resume pay_\w+$/) },
    ]);
    expect((await journey.bursar(['key', 'policy', 'unset', 'limited'])).code).toBe(0);
    expect((await journey.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
  });
});

describe('a payment that is signed and not sent', () => {
  it('is refused by a newer policy that forbids it', async () => {
    const [id, other] = [await inDoubt('younger'), await inDoubt('allowed')];
    for (const each of [id, other]) {
      const { data } = await journey.json(['pay', 'show', each]);
      const file = join(journey.home, 'state', 'journal', `${String(data['movement'])}.ndjson`);
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      // The journal is now as after a kill before the call.
      const end = lines.findIndex((line) => line.includes('"step":"executing"'));
      await writeFile(file, `${lines.slice(0, end).join('\n')}\n`);
    }
    expect((await journey.bursar(['key', 'policy', 'set', 'younger', 'most_per_transaction.USDT=1'])).code).toBe(0);
    expect((await journey.bursar(['key', 'policy', 'set', 'allowed', 'most_per_day.USDT=10'])).code).toBe(0);
    const { code, data } = await journey.json(['pay', 'resume', id, '--yes']);
    expect([code, data['error']?.['errors']]).toEqual([
      10,
      [expect.objectContaining({ field: 'policy.most_per_transaction' })],
    ]);
    const shown = await journey.json(['pay', 'show', id]);
    expect(shown.data['state']).toBe('refused');
    expect((await journey.json(['pay', 'resume', other, '--yes'])).code).toBe(0);
  });
});

describe('a payment that is signed and not sent, above the ask_above of a newer policy', () => {
  it('is not sent without a terminal: exit 10, and a resume without the policy completes it', async () => {
    const { address } = await newEvmKey(journey.home, 'asked');
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'asked', '--yes'];
    expect((await journey.bursar(run, atStep('signed', 'after'))).code).toBeNull();
    const { data: rows } = await journey.json(['pay', 'list', '--open']);
    const id = String((rows as unknown as { movement: string }[])[0]?.movement);
    const before = await journey.balance(address);
    expect((await journey.bursar(['key', 'policy', 'set', 'asked', 'ask_above.USDT=1'])).code).toBe(0);
    const { code, data } = await journey.json(['pay', 'resume', id, '--yes']);
    expect([code, data['error']?.['errors']]).toEqual([10, [expect.objectContaining({ field: 'policy.ask_above' })]]);
    expect(await journey.balance(address)).toBe(before);
    expect((await journey.bursar(['key', 'policy', 'unset', 'asked'])).code).toBe(0);
    expect((await journey.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
  });
});

describe('the script of help exit-codes', () => {
  const script = async (key: string): Promise<string> => {
    const { stdout } = await journey.bursar(['help', 'exit-codes']);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/^\$ /, ''));
    const start = lines.indexOf('rc=0');
    return lines
      .slice(start, lines.indexOf('exit $rc') + 1)
      .join('\n')
      .replace('--key treasury', `--key ${key} --timeout 4`)
      .replaceAll(/^bursar /gm, `"${process.execPath}" "${PROGRAM}" `);
  };

  const ending = async (key: string): Promise<number | null> => {
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };
    const words = ['-euc', `cd '${journey.home}'; ${await script(key)}`, '--'];
    return (await startBursar(journey.home, [], { env, under: ['sh', ...words] }).ended).code;
  };

  it('ends with the exit code of the payment under set -eu: 9 for a rejection, 0 for a settled lost execute', async () => {
    const { address } = await newEvmKey(journey.home, 'script');
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    await journey.ask('POST', '/_sandbox/fault', { endpoint: 'pay.register', kind: 'validation_error' });
    expect(await ending('script')).toBe(9);
    const before = await journey.balance(RECEIVERS[0]);
    await hang('pay.execute');
    expect(await ending('script')).toBe(0);
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });
});

describe('the amounts of receivers', () => {
  const refusal = async (...more: readonly string[]) => {
    const { code, data } = await journey.json([
      'pay',
      'run',
      '--body',
      'payment.json',
      '--key',
      'payer',
      ...more,
      '--yes',
    ]);
    const {
      message,
      hint,
      data: of,
    } = data['error'] as unknown as Record<'message' | 'hint', string> & {
      data: { payment_id: string };
    };
    return { code, message, hint, id: of.payment_id };
  };

  it('in another token than the transaction sends need a confirmation: exit 10', async () => {
    const asked = await refusal('--to-currency-symbol', 'ETH', '--amount-from', '65');
    expect(asked).toMatchObject({
      code: 10,
      message: 'this needs your confirmation: Receivers should get ETH; the transaction sends them USDT.',
    });
  });

  const STRANGER = `0x${'7'.repeat(40)}`;

  /** A service with an unknown contract in place of the bridge of the sandbox. */
  const byStranger: Meddler = async (_, forward) => {
    const { status, body } = await forward();
    return { status, body: body.replaceAll(new RegExp(SANDBOX_CONTRACTS.bridge.slice(2), 'gi'), STRANGER.slice(2)) };
  };

  it('on another chain: the refusal names the actual receiver and the option that allows this receiver', async () => {
    const across = ['--to-chain', 'base', '--chain-name', 'polygon', '--amount-from', '61'];
    const { code, hint, message, id } = await journey.through(byStranger, () => refusal(...across));
    expect({ code, message, hint }).toMatchObject({
      code: 10,
      message: expect.stringContaining(`gets 0 USDT; its share is 42.7 USDT. The rest goes to ${STRANGER}.`),
      hint: expect.stringContaining('Only if you know from another source that this is right'),
    });
    expect(hint).toContain(`add --allow-recipient ${STRANGER} to the command.`);
    const sign = ['pay', 'sign', id, '--key', 'payer'];
    const signed = await journey.through(byStranger, async () => [
      (await journey.json(sign)).code,
      (await journey.json([...sign, '--allow-recipient', STRANGER])).code,
    ]);
    expect(signed).toEqual([10, 0]);
  });

  it('of a refused payment: a resume is exit 10, and a new run with the same --intent pays', async () => {
    const across = ['--to-chain', 'base', '--chain-name', 'polygon', '--amount-from', '62', '--intent', 'across'];
    const { code, id } = await journey.through(byStranger, () => refusal(...across));
    expect(code).toBe(10);
    expect(await journey.json(['pay', 'resume', id, '--allow-recipient', STRANGER, '--yes'])).toMatchObject({
      code: 10,
      data: { error: { hint: 'No money moved. The payment can still be paid, after another review.' } },
    });
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', ...across, '--yes'];
    const paid = await journey.json(run);
    expect(paid).toMatchObject({ code: 0, data: { status: 'success' } });
  });
});

describe('with --quiet', () => {
  it('only a payment in doubt and an earlier equal payment cause warnings', async () => {
    const first = await inDoubt('quiet');
    const quiet = async () => (await journey.bursar([...PAY('quiet', '12'), '--quiet'])).stderr;
    const inDoubtToo = `^warning: payment ${first} of 10 USDT .*bursar pay resume ${first} settles it first\\.\n$`;
    expect(await quiet()).toMatch(new RegExp(inDoubtToo));
    expect(await quiet()).toMatch(
      /^warning: The same payment was started .* was made\. --yes makes another\.\nwarning: pay/,
    );
  });
});
