import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/cli/command/command.ts';
import type { ParsedArgs } from '../../../../src/cli/command/options.ts';
import { loadPay } from '../../../../src/cli/commands/pay/index.ts';
import { UNNAMED } from '../../../../src/cli/profiles/profile.ts';
import { secret } from '../../../../src/core/secret.ts';
import { systemHttp } from '../../../../src/io/http/http.ts';
import { allStates } from '../../../../src/journal/overview.ts';
import { statusOf } from '../../../../src/journal/status.ts';
import { codeWith, KEY } from '../../../support/br-code.ts';
import { CARD_GIVEN as CARD, IN_REAIS, RAW_CARD } from '../../../support/charge.ts';
import { testIo } from '../../../support/io.ts';
import { LIVE, profiled } from '../../../support/profiled.ts';
import { envelope, type Responder, startServer } from '../../../support/server.ts';

type Answers = { readonly create: Responder; readonly status: Responder; readonly register?: Responder };

const REGISTERED = envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } });

const PIX: ParsedArgs = { 'transaction-type': 'pixcrypto', 'payer-cpf': '529.982.247-25' };

/** Runs `pay` commands of one home, in process, on a live service with the given answers. */
const yard = async ({ create, status, register = REGISTERED }: Answers) => {
  const { url, received } = await startServer((one, response) => {
    if (one.path.endsWith('create-order')) return register(one, response);
    return (one.method === 'GET' ? status : create)(one, response);
  });
  const { io: plain, home, said } = await testIo();
  const random = { ...plain.random, fraction: () => 0 };
  const io = { ...plain, random, http: systemHttp(new AbortController().signal) };
  await writeFile(join(home, 'reais.json'), JSON.stringify(IN_REAIS));
  const leaves: readonly Command[] = await loadPay();
  const run = async (verb: string, given: ParsedArgs, apiKey = 'a key of a test', profile = LIVE.profile) => {
    const all: ParsedArgs = {
      json: true,
      yes: true,
      ...(verb === 'run' && { body: join(home, 'reais.json') }),
      ...given,
    };
    const service = { ...LIVE, profile, baseUrl: url, apiKey: secret(apiKey) };
    const leaf = leaves.find(({ words }) => words[1] === verb);
    said.stdout = '';
    const failed = await leaf?.run(profiled(io, all, {}, service), all).then(
      () => undefined,
      (thrown: unknown) => thrown as { code: string; message: string; details: { hint?: string } },
    );
    return { failed, answer: said.stdout === '' ? undefined : JSON.parse(said.stdout) };
  };
  const calls = (path: string) => () => received.filter((one) => one.path.endsWith(path)).length;
  return { io, home, run, creations: calls('create-transaction'), registrations: calls('create-order') };
};

const shown = (more: object = {}): Responder =>
  envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'registered', ...more } });

it('a card in doubt is not sent again with another API key', async () => {
  const { run, creations } = await yard({ create: envelope(429, 'too_many_requests'), status: shown() });
  expect((await run('run', CARD)).failed?.code).toBe('outcome_unknown');
  const again = await run('run', CARD, 'another key');
  expect([again.failed?.code, creations()]).toEqual(['outcome_unknown', 1]);
  expect(again.failed?.message).toContain('The same payment was started');
});

it('a card whose payer is to be verified names kyc start, and not the card, when it is resumed without one', async () => {
  const { run } = await yard({ create: envelope(403, 'kyc_verification_required'), status: shown() });
  const first = await run('run', CARD);
  expect(first.failed?.code).toBe('identity_gate');
  const { failed } = await run('resume', { id: 'pay_1' });
  expect(failed).toMatchObject({
    code: 'invalid_input',
    details: { next: { id: 'kyc.start' }, hint: expect.stringContaining('identity of the payer, which comes first') },
  });
});

it('a card whose payer was verified meanwhile asks for the card when it is resumed without one', async () => {
  const verified = envelope(200, 'kyc_status_retrieved', { data: { status: 'approved', approved: true } });
  const { run } = await yard({
    create: envelope(403, 'kyc_verification_required'),
    status: (one, response) => (one.path.startsWith('/kyc/status') ? verified : shown())(one, response),
  });
  await run('run', CARD);
  const { failed } = await run('resume', { id: 'pay_1' });
  expect(failed).toMatchObject({ code: 'invalid_input', details: { hint: 'Nothing was sent now.' } });
  expect(failed?.details).not.toMatchObject({ next: { id: 'kyc.start' } });
});

describe('an unregistered payment, with another API key', () => {
  const leftOpen = async () => {
    const test = await yard({
      ...{ create: envelope(401, 'unauthorized'), register: envelope(401, 'unauthorized'), status: shown() },
    });
    await test.run('run', PIX, 'first');
    const [row] = (await test.run('list', {})).answer;
    const resume = async (given: ParsedArgs, profile?: string) => {
      const { failed } = await test.run('resume', { 'new-api-key': true, ...given }, 'second', profile);
      return [failed?.code, test.registrations()];
    };
    return { resume, id: row.movement };
  };

  it.each([
    ['of another profile', 'other'],
    ['of no profile', UNNAMED],
  ])('%s is not registered, also with --new-api-key', async (_, profile) => {
    const { resume, id } = await leftOpen();
    expect(await resume({ id }, profile)).toEqual(['bad_settings', 1]);
  });

  it('of the same profile is sent with --new-api-key and its id, and not with --all', async () => {
    const { resume, id } = await leftOpen();
    expect(await resume({ all: true })).toEqual(['usage', 1]);
    expect(await resume({ id })).toEqual(['unauthorized', 2]);
  });
});

describe('pay run --no-wait, when the status of the payment cannot be read', () => {
  const created = (fiatTx: object) =>
    envelope(201, 'payment_registered', {
      data: { payment_id: 'pay_1', session_payment: '', crypto_tx: 'none', fiat_tx: fiatTx },
    });

  it('by card succeeds and names the resume command', async () => {
    const { run } = await yard({ create: created({ message: 'a card' }), status: envelope(401, 'unauthorized') });
    const { failed, answer } = await run('run', { ...CARD, 'no-wait': true });
    expect(failed).toBeUndefined();
    expect(answer).toMatchObject({ payment_id: 'pay_1', status: 'registered', tid_hash: null });
    expect(answer.next).toBe('bursar pay resume pay_1');
  });

  it('by Pix prints the Pix code', async () => {
    const charge = {
      ...{ status: 'ATIVA', pix_key: KEY, txid: 'P0123', pix_qr_code_data_url: 'data:image/png;base64,AA', code: 200 },
      ...{ pixCopiaECola: codeWith(), calendar: { criacao: '2026-11-21T00:00:00Z', expiracao: 3600 } },
    };
    const { run } = await yard({ create: created(charge), status: envelope(401, 'unauthorized') });
    const { failed, answer } = await run('run', { ...PIX, 'no-wait': true });
    expect([failed, answer?.pix_code]).toEqual([undefined, codeWith()]);
  });
});

it('pay run --no-wait records the end of a card that is paid at once', async () => {
  const created = envelope(201, 'payment_registered', {
    data: { payment_id: 'pay_1', session_payment: '', crypto_tx: 'none', fiat_tx: { message: 'a card' } },
  });
  const { io, run } = await yard({ create: created, status: shown({ status: 'success', tid_hash: '0x1' }) });
  const { answer } = await run('run', { ...CARD, 'no-wait': true });
  expect(answer).toMatchObject({ payment_id: 'pay_1', status: 'success' });
  const states = [];
  for await (const state of allStates(io)) states.push(statusOf(state));
  expect(states).toEqual(['success']);
});

it('a payment started with --card-file resumes with a card token, and pay resume has its options', async () => {
  const { home, run, creations } = await yard({ create: envelope(401, 'unauthorized'), status: shown() });
  const file = join(home, 'card.json');
  await writeFile(file, JSON.stringify(RAW_CARD));
  const [token, ip, session] = ['card-token', 'payer-ip', 'session-id'];
  const left = ([name]: [string, unknown]) => ![token, ip, session].includes(name);
  await run('run', { ...Object.fromEntries(Object.entries(CARD).filter(left)), 'card-file': file });
  const again = { ...CARD, 'transaction-type': undefined };
  expect((await run('resume', again)).failed?.code).toBe('unauthorized');
  expect(creations()).toBe(2);
  const flags = (await loadPay()).find(({ words }) => words[1] === 'resume')?.options?.map(({ flag }) => flag);
  expect(flags).toEqual(expect.arrayContaining([`--${ip}`, `--${session}`]));
});
