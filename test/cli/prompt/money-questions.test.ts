import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import type { ParsedArgs } from '../../../src/cli/command/options.ts';
import { loadOrder } from '../../../src/cli/commands/order/index.ts';
import { loadPay } from '../../../src/cli/commands/pay/index.ts';
import { loadYield } from '../../../src/cli/commands/yield/index.ts';
import { secret } from '../../../src/core/secret.ts';
import { systemHttp } from '../../../src/io/http/http.ts';
import { CARD_FIELDS, IN_REAIS } from '../../support/charge.ts';
import { newKey } from '../../support/cheap-key.ts';
import { temporaryFolder, testIo } from '../../support/io.ts';
import { livePayments } from '../../support/live-service.ts';
import { startOrderService, storedOrder } from '../../support/order-service.ts';
import { LIVE, profiled } from '../../support/profiled.ts';
import { envelope, type Responder, startServer } from '../../support/server.ts';
import { signedMemo } from '../../support/signed-memo.ts';

/** The part of every question about money that names the live profile acme. */
const NAMED = /\(acme, live\)\?/;

/** Runs commands of one home at a terminal on a live profile. Without other answers each answer is no. */
const terminal = async (url: string) => {
  const { io: plain, home, said } = await testIo({ env: { BURSAR_KEY_PASSWORD: 'pw' }, answers: [] });
  const run = async (
    load: () => Promise<readonly Command[]>,
    verb: string,
    given: ParsedArgs,
    answers: boolean[] = [],
  ) => {
    const asked: string[] = [];
    const confirm = async (question: string) => {
      asked.push(question);
      return answers.shift() ?? false;
    };
    const prompt = { ...plain.prompt, confirm };
    const http = systemHttp(new AbortController().signal);
    const io = { ...plain, http, prompt, random: { ...plain.random, fraction: () => 0 } };
    const all: ParsedArgs = { json: true, ...given };
    const service = { ...LIVE, baseUrl: url, apiKey: secret('a key of a test') };
    const leaf = (await load()).find(({ words }) => words[1] === verb);
    said.stdout = '';
    const error = await leaf?.run(profiled(io, all, {}, service), all).catch((thrown: unknown) => thrown);
    return { asked, error, answer: said.stdout === '' ? undefined : JSON.parse(said.stdout) };
  };
  return { home, run };
};

const CARD: ParsedArgs = {
  ...{ 'transaction-type': 'cardcrypto', 'card-token': 'tok_approved', 'payer-ip': '203.0.113.7', 'session-id': 's' },
  ...{ 'payer-name': 'Ana Souza', 'payer-document': '52998224725', 'payer-document-type': 'CPF' },
  ...Object.fromEntries(
    CARD_FIELDS.flatMap((word, at) => (at % 2 === 0 ? [[word.slice(2), CARD_FIELDS[at + 1]]] : [])),
  ),
};

const PIX: ParsedArgs = { 'transaction-type': 'pixcrypto', 'payer-cpf': '529.982.247-25' };

const REGISTERED = envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } });

const drop: Responder = (_, response) => void response.socket?.destroy();

/** A service that drops the answer to a creation; the payment that it shows is only registered. */
const losing = async () => {
  const found = envelope(200, 'payment_found', {
    data: { id: 'pay_1', status: 'registered', transaction_type: 'pixcrypto' },
  });
  const { url } = await startServer((one, response) => {
    if (one.path.endsWith('create-order')) return REGISTERED(one, response);
    return (one.method === 'GET' ? found : drop)(one, response);
  });
  const at = await terminal(url);
  await writeFile(join(at.home, 'reais.json'), JSON.stringify(IN_REAIS));
  const body = join(at.home, 'reais.json');
  const pay = (verb: string, given: ParsedArgs, answers?: boolean[]) =>
    at.run(loadPay, verb, { ...(verb === 'run' && { body }), ...given }, answers);
  const id = async () => (await pay('list', {})).answer[0].movement;
  return { pay, id };
};

describe('every question about money names the profile and its kind', () => {
  it('for a payment in crypto, and for a broadcast of signed bytes', async () => {
    const folder = await temporaryFolder();
    const payer = await newKey(folder, 'payer', 'evm');
    const { url } = await startServer(livePayments(payer));
    const { home, run } = await terminal(url);
    await cp(folder, home, { recursive: true });
    const stated = {
      'amount-from': '1500',
      'from-currency-symbol': 'USDT',
      'to-chain': 'polygon',
      split: [`0x${'1'.repeat(40)}=100`],
    };
    const paid = await run(loadPay, 'execute', { payment_id: 'pay_1', key: 'payer', ...stated });
    expect(paid.asked).toEqual(['Pay 1500 USDT on polygon (acme, live)?']);
    const signed = { 'chain-name': 'solana', 'op-signed': [signedMemo('asked').base64] };
    expect((await run(loadYield, 'broadcast', signed)).asked).toEqual([
      'Broadcast the signed transaction on solana (acme, live)?',
    ]);
  });

  it('for a card, for the same card in doubt, and for another attempt with the card', async () => {
    const { pay, id } = await losing();
    expect((await pay('run', CARD)).asked).toEqual(['Charge 10 BRL to the card (acme, live)?']);
    expect((await pay('run', CARD, [true])).error).toMatchObject({ code: 'outcome_unknown' });
    expect((await pay('run', CARD)).asked).toEqual([expect.stringMatching(NAMED)]);
    const again = await pay('resume', { id: await id() });
    expect(again.asked).toEqual([expect.stringMatching(/Send the card again all the same \(acme, live\)\?$/)]);
  });

  it('for the same Pix, for a second Pix after a lost code, and for pay forget', async () => {
    const { pay, id } = await losing();
    await pay('run', PIX);
    expect((await pay('run', PIX)).asked).toEqual([expect.stringMatching(/Make another \(acme, live\)\?$/)]);
    const again = await pay('resume', { id: await id() });
    expect(again.asked).toEqual([expect.stringMatching(/paid beside it \(acme, live\)\?$/)]);
    expect((await pay('forget', { id: await id() })).asked).toEqual([expect.stringMatching(NAMED)]);
  });

  it('for orders that a file changes', async () => {
    const { env } = await startOrderService([storedOrder('order_1')]);
    const { home, run } = await terminal(env.BURSAR_BASE_URL);
    const file = join(home, 'o.json');
    await writeFile(file, '{"version":1,"orders":[{"id":"order_1","amount_from":"30"}]}');
    const { asked } = await run(() => loadOrder('apply'), 'apply', { file });
    expect(asked).toEqual([expect.stringContaining('Apply this plan to the orders of acme, live: ')]);
  });
});
