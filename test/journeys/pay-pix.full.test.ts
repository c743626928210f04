import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeWith, field } from '../support/br-code.ts';
import { startBursar } from '../support/bursar.ts';
import { IN_REAIS, PIX_ARGS, startChargeJourney } from '../support/charge.ts';
import { type Journey, type Meddler, RECEIVERS } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { wordsOf } from '../support/next.ts';
import { overriding } from '../support/overriding.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startChargeJourney();
});

afterAll(() => journey.end());

/** Every payment has its own amount, because bursar asks about an equal payment. */
let cents = 0;
const amount = (): string => {
  cents += 1;
  return `10.${String(cents).padStart(2, '0')}`;
};

const ENV = { BURSAR_PROFILE: 'sandbox' };

/** Starts a run that waits, and resolves with its payment after the run prints the code. */
const startWaiting = async (args: readonly string[]) => {
  const { child, ended } = startBursar(journey.home, args, { env: ENV });
  let said = '';
  child.stderr?.on('data', (text: string) => {
    said += text;
  });
  while (!/"pix_code"|br\.gov\.bcb\.pix/.test(said)) await sleep(20);
  const { data } = await journey.json(['pay', 'list', '--limit', '1']);
  const [{ payment_id = '', movement: operationId = '' } = {}] = data as unknown as {
    payment_id?: string;
    movement?: string;
  }[];
  return { child, ended, said: () => said, id: payment_id, movement: operationId };
};

const settle = (id: string, outcome: string) => journey.bursar(['sandbox', 'pix', id, outcome]);

/** Changes the charge in the answer to a creation. */
const withCharge =
  (change: (charge: Record<string, unknown>) => object): Meddler =>
  async ({ path }, forward) => {
    const answer = await forward();
    if (!path.endsWith('intents-create-transaction')) return answer;
    const whole = JSON.parse(answer.body);
    Object.assign(whole.data.fiat_tx, change(whole.data.fiat_tx));
    return { ...answer, body: JSON.stringify(whole) };
  };

describe('pay run by Pix', () => {
  it('--no-wait prints the code as a field, and names the command that waits', async () => {
    const sum = amount();
    const { code, data } = await journey.json([...PIX_ARGS, '--amount-from', sum, '--no-wait']);
    expect(code).toBe(0);
    expect(data).toMatchObject({
      status: 'registered',
      tid_hash: null,
      profile: 'sandbox',
      kind: 'sandbox',
      pix_amount: sum,
    });
    const shown = await journey.json(['sandbox', 'pix', data['payment_id'] ?? '']);
    expect(data['pix_code']).toBe(shown.data['code']);
    expect(data['next']).toBe(`bursar pay resume ${data['payment_id']}`);
    await settle(data['payment_id'] ?? '', '--pay');
    const resumed = await journey.json(['pay', 'resume', data['movement'] ?? '']);
    expect([resumed.code, resumed.data['status']]).toEqual([0, 'success']);
    // The amount of the receivers is the amount of the service, in both results.
    const { data: state } = await journey.json(['pay', 'status', data['payment_id'] ?? '']);
    expect([data['amount_to'], resumed.data['amount_to']]).toEqual(Array(2).fill(state['amount_to']));
  });

  it('waits for the payment: the code goes to stderr, and the result is one document with the hash', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount(), '--json']);
    const line = JSON.parse(run.said().split('\n')[0] ?? '');
    expect(line).toMatchObject({ payment_id: run.id, status: 'payable' });
    await settle(run.id, '--pay');
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ payment_id: run.id, status: 'success', pix_code: line.pix_code });
    expect(JSON.parse(stdout).tid_hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await journey.balance(RECEIVERS[0])).toBeGreaterThan(before);
  });

  it('without --json prints the code on stderr of a pipe, and no QR code', async () => {
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount()]);
    expect(run.said()).toMatch(/^00020126\d+br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/m);
    expect(run.said()).not.toMatch(/[█▀▄]/);
    await settle(run.id, '--refuse');
    expect((await run.ended).code).toBe(12);
  });

  it.each([
    ['--refuse', 'refused the Pix'],
    ['--expire', 'expired before it was paid'],
  ])('that ends by %s is exit 12 with the reason', async (outcome, says) => {
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount(), '--json']);
    await settle(run.id, outcome);
    const { code, stdout } = await run.ended;
    expect(code).toBe(12);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'payment_failed', message: expect.stringContaining(says) });
  });

  it('that was refused names a command that creates another Pix, without a terminal too', async () => {
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount(), '--json']);
    await settle(run.id, '--refuse');
    const shown = async () => (await journey.json(['pay', 'show', run.id])).data['next'];
    await expect.poll(shown, { message: 'the reason is at the service' }).toBe(`bursar pay status ${run.id}`);
    const [, ...words] = await wordsOf(JSON.parse((await run.ended).stdout).error.next);
    const again = await startWaiting(words);
    expect(again.id).not.toBe(run.id);
    await settle(again.id, '--pay');
    expect(JSON.parse((await again.ended).stdout)).toMatchObject({ payment_id: again.id, status: 'success' });
  });

  it('that is not paid until --timeout is exit 8, and names the resume command', async () => {
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount(), '--timeout', '4', '--json']);
    const { code, stdout } = await run.ended;
    expect(code).toBe(8);
    expect(JSON.parse(stdout).error.next).toBe(`bursar pay resume ${run.id}`);
  });

  it('that was killed during the wait: a resume shows the same code and completes the payment', async () => {
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount(), '--json']);
    const { pix_code } = JSON.parse(run.said().split('\n')[0] ?? '');
    run.child.kill('SIGKILL');
    await run.ended;
    const resumed = await startWaiting(['pay', 'resume', run.movement, '--json']);
    expect(resumed.said()).toContain(pix_code);
    await settle(run.id, '--pay');
    expect(JSON.parse((await resumed.ended).stdout)).toMatchObject({ payment_id: run.id, status: 'success', pix_code });
  });

  it('whose answer was lost is not created again by a resume with --yes: exit 11', async () => {
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'drop_after']);
    const args = [...PIX_ARGS, '--amount-from', amount(), '--no-wait'];
    const lost = await journey.json(args);
    expect(lost.code).toBe(5);
    const { next } = lost.data['error'] as unknown as { next: string };
    const resumed = await journey.json([...next.split(' ').slice(1), '--yes']);
    expect([resumed.code, JSON.stringify(resumed.data)]).toEqual([11, expect.stringContaining('has a Pix already')]);
  });

  it('shows neither the e-mail address nor the CPF in pay show, and removes the inputs file at the end', async () => {
    const run = await startWaiting([...PIX_ARGS, '--amount-from', amount(), '--json']);
    const file = `${run.movement}.inputs`;
    const files = () => readdir(join(journey.home, 'state', 'journal'));
    expect(await files()).toContain(file);
    await settle(run.id, '--pay');
    await run.ended;
    expect(await files()).not.toContain(file);
    const grep = await journey.bursar(['pay', 'show', run.movement, '--json']);
    expect(grep.stdout).not.toMatch(/payer@example|982\.247/);
  });

  it('for the same payment within a day needs a confirmation, and for another payer it does not', async () => {
    const sum = amount();
    const args = [...PIX_ARGS, '--amount-from', sum, '--no-wait', '--json'];
    expect((await journey.bursar(args)).code).toBe(0);
    const again = await journey.bursar(args);
    expect(again.code).toBe(2);
    expect(again.stdout).toContain('Its Pix expires at');
    await journey.bursar(['kyc', 'prepare', '--email', 'other@example.com']);
    await journey.bursar(['sandbox', 'kyc', 'other@example.com', '--approve']);
    expect((await journey.bursar([...args, '--payer-email', 'other@example.com'])).code).toBe(0);
  });
});

describe('a Pix code that is not for this payment', () => {
  const asked = '77.00';
  const codeOf = (charge: Record<string, unknown>, changes: Readonly<Record<string, string | undefined>> = {}) =>
    codeWith({ '54': asked, '62': field('05', String(charge['txid'])), ...changes });

  it.each<[string, (charge: Record<string, unknown>) => object, string]>([
    ['check sum', (charge) => ({ pixCopiaECola: `${codeOf(charge).slice(0, -4)}0000` }), 'has the check sum'],
    ['amount', (charge) => ({ pixCopiaECola: codeOf(charge, { '54': '770.00' }) }), 'asks for 770.00 BRL'],
    ['id', (charge) => ({ pixCopiaECola: codeOf(charge, { '62': field('05', 'OTHER') }) }), 'is of OTHER'],
    ['key', () => ({ pix_key: 'other@example.com' }), 'pays another key than'],
    [
      'name',
      (charge) => ({ pixCopiaECola: codeOf(charge, { '59': 'EVIL\u001b[31m' }) }),
      'a character that no code has',
    ],
  ])('with a wrong %s is exit 10, and not shown', async (_, change, says) => {
    let code = '';
    const meddler = withCharge((charge) => {
      const changed = change(charge);
      code = String({ ...charge, ...changed }['pixCopiaECola']);
      return changed;
    });
    const args = [...PIX_ARGS, '--amount-from', asked, '--yes'];
    const ended = await journey.through(meddler, () => journey.bursar(args));
    expect(ended.code).toBe(10);
    expect(ended.stderr).toContain(says);
    expect(code.length).toBeGreaterThan(50);
    expect(ended.stdout + ended.stderr).not.toContain(code);
    expect(ended.stdout + ended.stderr).not.toContain(code.slice(0, 40));
    const listed = await journey.json(['pay', 'list', '--limit', '1']);
    expect((listed.data as unknown as { state: string }[])[0]?.state).toBe('refused');
  });

  it('is not shown by pay transaction either: exit 10', async () => {
    const body = ['--body', 'reais.json', '--amount-from', asked];
    const id = String((await journey.json(['pay', 'register', ...body])).data['payment_id']);
    const pix = ['--transaction-type', 'pixcrypto', '--payer-cpf', '529.982.247-25'];
    const args = ['pay', 'transaction', id, ...pix, '--payer-email', 'payer@example.com'];
    const dearer = withCharge((charge) => ({ pixCopiaECola: codeOf(charge, { '54': '770.00' }) }));
    const refused = await journey.through(dearer, () => journey.bursar(args));
    expect(refused).toMatchObject({ code: 10, stderr: expect.stringContaining('asks for 770.00 BRL') });
    expect(refused.stdout + refused.stderr).not.toContain('000201');
    const right = withCharge((charge) => ({ pixCopiaECola: codeOf(charge) }));
    expect(await journey.through(right, () => journey.bursar(args))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('000201'),
    });
  });

  it('is not shown by pay transaction when the charge lacks a documented field: exit 5', async () => {
    const body = ['--body', 'reais.json', '--amount-from', asked];
    const id = String((await journey.json(['pay', 'register', ...body])).data['payment_id']);
    const pix = ['--transaction-type', 'pixcrypto', '--payer-cpf', '529.982.247-25'];
    const args = ['pay', 'transaction', id, ...pix, '--payer-email', 'payer@example.com'];
    const partial = withCharge(() => ({ calendar: undefined }));
    const ended = await journey.through(partial, () => journey.bursar(args));
    expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('without a Pix charge as documented') });
    const { data } = await journey.json(['pay', 'list', '--limit', '1']);
    expect(data).toMatchObject([{ payment_id: id, state: 'failed' }]);
    expect(ended.stdout + ended.stderr).not.toContain('000201');
  });

  it('for a price in another currency is shown by pay transaction only within --pay-at-most', async () => {
    const price = ['--amount-from', '10', '--from-currency-symbol', 'USDT'];
    const body = ['--body', 'reais.json', ...price];
    const id = String((await journey.json(['pay', 'register', ...body])).data['payment_id']);
    const pix = ['--transaction-type', 'pixcrypto', '--payer-cpf', '529.982.247-25'];
    const args = ['pay', 'transaction', id, ...pix, '--payer-email', 'payer@example.com'];
    for (const bound of [[], ['--pay-at-most', '1']]) {
      const refused = await journey.bursar([...args, ...bound]);
      expect(refused).toMatchObject({ code: 10, stderr: expect.stringContaining('--pay-at-most') });
      expect(refused.stdout + refused.stderr).not.toContain('000201');
    }
    expect((await journey.bursar([...args, '--pay-at-most', '1000'])).stdout).toContain('000201');
  });

  it('is the cause of the refusal: a right code in a changed answer is accepted', async () => {
    const meddler = withCharge((charge) => ({ pixCopiaECola: codeOf(charge) }));
    const args = [...PIX_ARGS, '--amount-from', asked, '--yes', '--no-wait'];
    expect((await journey.through(meddler, () => journey.bursar(args))).code).toBe(0);
  });
});

describe('a Pix for a payment that is not priced in BRL', () => {
  const priced = (...more: readonly string[]) => [
    ...PIX_ARGS.map((word) => (word === 'reais.json' ? 'dollars.json' : word)),
    ...['--amount-from', amount(), '--no-wait', ...more],
  ];

  it('is shown within --pay-at-most in BRL, and not without this bound or above it', async () => {
    await writeFile(join(journey.home, 'dollars.json'), JSON.stringify({ ...IN_REAIS, from_currency_symbol: 'USDT' }));
    const within = await journey.json(priced('--pay-at-most', '100'));
    expect(within).toMatchObject({ code: 0, data: { pix_code: expect.stringContaining('br.gov.bcb.pix') } });
    for (const [more, why] of [
      [[], '--pay-at-most'],
      [['--pay-at-most', '1'], 'the most that you stated is 1 BRL'],
    ] as const) {
      const { code, stdout, stderr } = await journey.bursar([...priced(...more), '--json']);
      expect(code, stderr).toBe(10);
      expect(stdout).toContain(why);
      expect(stdout + stderr).not.toContain('br.gov.bcb.pix');
      const { next } = JSON.parse(stdout).error;
      // The service computed the amount, so a pasted command must not state it.
      expect(next).toMatch(/^bursar pay resume \S+ --pay-at-most "\$PAY_AT_MOST"$/);
      const [, ...words] = await wordsOf(next, { PAY_AT_MOST: '100' });
      const resumed = await startWaiting([...words, '--yes', '--json']);
      await settle(resumed.id, '--pay');
      expect(await resumed.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"success"') });
    }
  });
});

describe('a Pix whose payer is not verified', () => {
  it('by e-mail and wallet: the printed command verifies both', async () => {
    const named = ['--payer-email', 'both@example.com', '--payer-wallet', journey.address];
    const run = [...PIX_ARGS, '--amount-from', amount(), ...named, '--no-wait'];
    await journey.bursar(['kyc', 'prepare', '--email', 'both@example.com']);
    await journey.bursar(['sandbox', 'kyc', 'both@example.com', '--approve']);
    const { code, data } = await journey.json(run);
    const error = data['error'] as unknown as { status: string; next: string; hint: string };
    expect([code, error.status]).toEqual([6, 'kyc_verification_required']);
    expect(error.next).toBe(`bursar kyc start --key ${journey.address} --email both@example.com`);
    const start = [...error.next.split(' ').slice(1), '--no-wait', '--no-open'];
    expect((await journey.json(start)).code).toBe(0);
    const [, operationId = ''] = /: bursar pay resume (\S+)$/.exec(error.hint) ?? [];
    const resumed = await startWaiting(['pay', 'resume', operationId, '--json']);
    await settle(resumed.id, '--pay');
    expect(JSON.parse((await resumed.ended).stdout)).toMatchObject({ status: 'success' });
  });

  it('is exit 6 with the next commands; after the verification the same payment resumes, registered once', async () => {
    const paths: string[] = [];
    const counting: Meddler = async ({ path }, forward) => {
      paths.push(path);
      return forward();
    };
    const email = 'new@example.com';
    const { id, movement: operationId } = await journey.through(counting, async () => {
      const asked = await journey.json([...PIX_ARGS, '--amount-from', amount(), '--payer-email', email]);
      expect(asked.code).toBe(6);
      const error = asked.data['error'] as unknown as { next: string; hint: string; data: { payment_id: string } };
      expect(error.next).toBe('bursar kyc start --email new@example.com');
      const [, found = ''] = /: bursar pay resume (\S+)$/.exec(error.hint) ?? [];
      return { id: error.data.payment_id, movement: found };
    });
    const [row] = (await journey.json(['pay', 'list', '--limit', '1'])).data as unknown as { state: string }[];
    expect(row?.state).toBe('needs_identity');
    await journey.bursar(['kyc', 'prepare', '--email', email]);
    await journey.bursar(['sandbox', 'kyc', email, '--approve']);
    const resumed = await startWaiting(['pay', 'resume', operationId, '--json']);
    await settle(id, '--pay');
    expect(JSON.parse((await resumed.ended).stdout)).toMatchObject({ payment_id: id, status: 'success' });
    expect(paths.filter((path) => path.endsWith('intents-create-order'))).toHaveLength(1);
  });
});

describe('a Pix of pay transaction', () => {
  const stepArgs = (id: string, ...more: readonly string[]) => [
    ...['pay', 'transaction', id, '--transaction-type', 'pixcrypto', '--payer-email', 'payer@example.com'],
    ...['--payer-cpf', '529.982.247-25', ...more],
  ];
  const register = async (sum: string, ...more: readonly string[]) => {
    const registered = await journey.json(['pay', 'register', '--body', 'reais.json', '--amount-from', sum, ...more]);
    return String(registered.data['payment_id']);
  };
  const stateOf = async (id: string) => {
    const { data } = await journey.json(['pay', 'list', '--per', 'payment', '--limit', '5']);
    const rows = data as unknown as { payment_id: string; state: string }[];
    return rows.find((row) => row.payment_id === id)?.state;
  };

  it('is recorded: pay resume shows its code again, and pay list shows its end', async () => {
    const id = await register(amount());
    const created = await journey.json(stepArgs(id));
    expect(created.code).toBe(0);
    expect(await stateOf(id)).toBe('payable');
    const resumed = await startWaiting(['pay', 'resume', id, '--json']);
    const { pixCopiaECola: code } = created.data['fiat_tx'] as unknown as { pixCopiaECola: string };
    expect(resumed.said()).toContain(code);
    await settle(id, '--pay');
    expect(JSON.parse((await resumed.ended).stdout)).toMatchObject({ payment_id: id, status: 'success' });
    expect(await stateOf(id)).toBe('success');
  });

  it('that is paid after a refused pay run completes that run: the same command needs a confirmation', async () => {
    const args = [...PIX_ARGS, '--amount-from', amount(), '--no-wait'];
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'validation_error']);
    const refused = await journey.json(args);
    expect(refused.code).toBe(9);
    const { data } = refused.data['error'] as unknown as { data: { payment_id: string } };
    const id = data.payment_id;
    expect(await stateOf(id)).toBe('failed');
    expect((await journey.bursar(stepArgs(id))).code).toBe(0);
    await settle(id, '--pay');
    await journey.bursar(['pay', 'status', id, '--wait']);
    expect(await stateOf(id)).toBe('success');
    const shown = await journey.json(['pay', 'show', id]);
    expect(shown.data['state']).toBe('success');
    expect(await journey.json(['pay', 'resume', id])).toMatchObject({ code: 0, data: { status: 'success' } });
    const again = await journey.json(args);
    expect(again).toMatchObject({ code: 2, data: { error: { code: 'confirmation_needed' } } });
  });

  it.each(['pixcrypto', 'fiatcrypto'])(
    'by %s blocks another charge of a failed run with the same intent',
    async (type) => {
      const args = [...PIX_ARGS, '--amount-from', amount(), '--no-wait', '--intent', `failed-${type}`];
      await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'validation_error']);
      const refused = await journey.json(args);
      const { data } = refused.data['error'] as unknown as { data: { payment_id: string } };
      await journey.bursar(overriding(stepArgs(data.payment_id), ['--transaction-type', type]));
      await settle(data.payment_id, '--pay');
      await journey.bursar(['pay', 'status', data.payment_id, '--wait']);
      const again = await journey.json(args);
      if (type === 'pixcrypto') expect(again).toMatchObject({ code: 0, data: { payment_id: data.payment_id } });
      else
        expect(again).toMatchObject({
          code: 2,
          data: { error: { message: expect.stringContaining('is the name of') } },
        });
      const { data: rows } = await journey.json(['pay', 'list', '--limit', '2']);
      expect((rows as unknown as { payment_id: string }[]).map((row) => row.payment_id)).toEqual([
        data.payment_id,
        data.payment_id,
      ]);
    },
  );

  it('whose answer was lost may exist: a resume creates none, and pay status records its end', async () => {
    const args = [...PIX_ARGS, '--amount-from', amount(), '--no-wait'];
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'validation_error']);
    const refused = await journey.json(args);
    const { data } = refused.data['error'] as unknown as { data: { payment_id: string } };
    const id = data.payment_id;
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'drop_after']);
    expect((await journey.bursar(stepArgs(id))).code).toBe(5);
    expect(await stateOf(id)).toBe('unfinished');
    const resumed = await journey.json(['pay', 'resume', id]);
    expect(resumed).toMatchObject({ code: 11, data: { error: { next: `bursar pay status ${id}` } } });
    await settle(id, '--pay');
    await journey.bursar(['pay', 'status', id, '--wait']);
    expect(await stateOf(id)).toBe('success');
    expect((await journey.bursar(args)).code).toBe(2);
  });

  it('beside a payable Pix needs a yes, and a resume creates none beside it', async () => {
    const id = await register(amount());
    const first = await journey.json(stepArgs(id));
    expect(first.code).toBe(0);
    const refused = await journey.json(stepArgs(id));
    expect(refused).toMatchObject({ code: 2, data: { error: { code: 'confirmation_needed' } } });
    expect(JSON.stringify(refused.data)).toContain('has a Pix already, which expires at');
    // The process ends before the request: the operation has no code, and the service has nothing.
    await journey.bursar(stepArgs(id, '--yes'), killedAt('journal:begun:synced'));
    const open = async () => {
      const { data } = await journey.json(['pay', 'list', '--open']);
      return (data as unknown as { movement: string; payment_id: string; state: string }[]).filter(
        (row) => row.payment_id === id,
      );
    };
    const [stopped, shown] = await open();
    expect([stopped?.state, shown?.state]).toEqual(['unfinished', 'payable']);
    const resumed = await journey.json(['pay', 'resume', stopped?.movement ?? '', '--yes']);
    expect(resumed).toMatchObject({ code: 11, data: { error: { next: `bursar pay resume ${shown?.movement}` } } });
    // The next Pix is created with a yes, and supersedes the operation without a Pix.
    const second = await journey.json(stepArgs(id, '--yes'));
    expect(second.code).toBe(0);
    expect((await open()).map(({ state }) => state)).toEqual(['payable', 'payable']);
    await settle(id, '--pay');
    await journey.bursar(['pay', 'status', id, '--wait']);
    expect(await open()).toEqual([]);
  });

  it('above the bound stays open, and the printed command creates another Pix', async () => {
    const id = await register('10', '--from-currency-symbol', 'USDT');
    const refused = await journey.json(stepArgs(id, '--pay-at-most', '1'));
    expect(refused.code).toBe(10);
    const { next } = refused.data['error'] as unknown as { next: string };
    expect(next).toBe(`bursar pay resume ${id} --pay-at-most "$PAY_AT_MOST"`);
    const [, ...words] = await wordsOf(next, { PAY_AT_MOST: '100' });
    const resumed = await startWaiting([...words, '--json']);
    await settle(id, '--pay');
    expect(JSON.parse((await resumed.ended).stdout)).toMatchObject({ payment_id: id, status: 'success' });
  });

  it('with an invalid CPF is refused before anything is sent, also by pay run: exit 2', async () => {
    const id = await register(amount());
    for (const args of [stepArgs(id), PIX_ARGS]) {
      const wrong = args.map((word) => (word === '529.982.247-25' ? '529.982.247-26' : word));
      const ended = await journey.bursar(wrong);
      expect(ended.code, ended.stderr).toBe(2);
      expect(ended.stderr).toContain('--payer-cpf: must be a CPF or a CNPJ: its check digits are wrong');
      expect(ended.stderr).not.toContain('529.982');
      const short = await journey.bursar(args.map((word) => (word === '529.982.247-25' ? '123' : word)));
      expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('must be a CPF of 11 digits or a CNPJ')]);
    }
    expect(await stateOf(id)).toBe('registered');
  });
});
