import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solanaNetworkFor } from '../../../src/chain/solana/network.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import type { ParsedArgs } from '../../../src/cli/command/options.ts';
import { loadPay } from '../../../src/cli/commands/pay/index.ts';
import { loadYield } from '../../../src/cli/commands/yield/index.ts';
import type { ProfileSettings } from '../../../src/cli/profiles/profile.ts';
import { secret } from '../../../src/core/secret.ts';
import { systemHttp } from '../../../src/io/http/http.ts';
import type { Io } from '../../../src/io/io.ts';
import { ANNA } from '../../chain/evm/given.ts';
import { ata, bytesOf, instruction, LENDER, MINTER, token } from '../../chain/solana/given.ts';
import { CARD_GIVEN, IN_REAIS } from '../../support/charge.ts';
import { newKey } from '../../support/cheap-key.ts';
import { temporaryFolder, testIo } from '../../support/io.ts';
import { PAYMENT } from '../../support/journey.ts';
import { livePayments, liveYield } from '../../support/live-service.ts';
import { LIVE, profiled } from '../../support/profiled.ts';
import { envelope, type Responder, startServer } from '../../support/server.ts';

const ENV = { BURSAR_KEY_PASSWORD: 'pw' };
const ABOVE: ProfileSettings = { type_amount_above: { USDT: '1000', '*': '1000' } };
const TYPE = (token: string, chain: string) =>
  `1500 ${token} on ${chain} (acme, live) will leave. Type the amount of ${token} to sign it:`;

const leafOf = (area: readonly Command[], verb: string): Command => {
  const found = area.find(({ words }) => words[1] === verb);
  if (!found) throw new Error(`there is no command ${verb}`);
  return found;
};

/** The keys of both families. */
const keys = { folder: '', evm: '', solana: '' };

beforeAll(async () => {
  keys.folder = await mkdtemp(join(tmpdir(), 'bursar-test-'));
  for (const chain of ['evm', 'solana'] as const) keys[chain] = await newKey(keys.folder, chain, chain);
});

afterAll(() => rm(keys.folder, { recursive: true, force: true }));

type Answers = readonly (string | boolean)[] | undefined;

/** A home with a copy of the keys, and a network. */
const worldWith = async (answers: Answers) => {
  const test = await testIo({ env: ENV, ...(answers && { answers }) });
  await cp(keys.folder, test.home, { recursive: true });
  const http = systemHttp(new AbortController().signal);
  return { ...test, io: { ...test.io, http, random: { ...test.io.random, fraction: () => 0 } } };
};

/** Runs a command of a live profile against a service of the test. */
const running =
  (respond: Responder, settings: ProfileSettings = ABOVE) =>
  async (leaf: Command, given: ParsedArgs, answers?: Answers) => {
    const { io, ...test } = await worldWith(answers);
    const { url, received } = await startServer(respond);
    const all: ParsedArgs = { json: true, ...given };
    const error = await leaf
      .run(profiled(io, all, settings, { ...LIVE, baseUrl: url, apiKey: secret('a key of a test') }), all)
      .then(
        () => undefined,
        (thrown: unknown) => thrown as { code: string; message: string },
      );
    const sent = received.filter(({ method }) => method !== 'GET').map(({ path }) => path);
    return { ...test, error, sent, answer: test.said.stdout === '' ? undefined : JSON.parse(test.said.stdout) };
  };

const WRONG = ['y', '1500.01'];

describe('the typed amount of a payment in a live profile', () => {
  const EXECUTE = '/payment/execute/on-chain';
  const payWith = async (verb: string, given: ParsedArgs, answers?: Answers) =>
    running(livePayments(keys.evm))(leafOf(await loadPay(), verb), { key: 'evm', ...given }, answers);
  const body = async () => {
    const path = join(await temporaryFolder(), 'payment.json');
    const split = [{ receiver_wallet: ANNA, receiver_percent: 100 }];
    await writeFile(path, JSON.stringify({ ...PAYMENT, amount_from: '1500', split_payment_config: split }));
    return path;
  };
  const WAYS: readonly [string, () => Promise<ParsedArgs>][] = [
    ['run', async () => ({ body: await body() })],
    ['execute', async () => ({ payment_id: 'pay_1', body: await body() })],
  ];

  it.each(WAYS)('is right: pay %s signs and sends', async (verb, given) => {
    const { error, asked, sent } = await payWith(verb, await given(), ['1500.0']);
    expect(error).toBeUndefined();
    expect(asked).toEqual([TYPE('USDT', 'polygon')]);
    expect(sent).toContain(EXECUTE);
  });

  it.each(WAYS)('is wrong: pay %s signs and sends nothing', async (verb, given) => {
    for (const typed of WRONG) {
      const { error, sent } = await payWith(verb, await given(), [typed]);
      expect(error, typed).toMatchObject({ code: 'refused_by_review' });
      expect(sent).not.toContain(EXECUTE);
    }
  });

  it.each(WAYS)(
    'is replaced by --yes with pay %s; without --yes and a terminal nothing is sent',
    async (verb, given) => {
      const yes = await payWith(verb, { ...(await given()), yes: true });
      expect(yes).toMatchObject({ error: undefined, asked: [] });
      expect(yes.sent).toContain(EXECUTE);
      expect(await payWith(verb, await given())).toMatchObject({ error: { code: 'confirmation_needed' }, sent: [] });
    },
  );

  it('is also asked by a resume that signs, and --yes replaces it there', async () => {
    const resume = async (given: ParsedArgs, answers?: readonly string[]) => {
      const { url } = await startServer(livePayments(keys.evm));
      const begun = await worldWith([]);
      const killed = { ...begun.io.prompt, text: () => Promise.reject(new Error('killed')) };
      const cliOf = (io: Io, all: ParsedArgs) =>
        profiled(io, all, ABOVE, { ...LIVE, baseUrl: url, apiKey: secret('a key of a test') });
      const run = { json: true, key: 'evm', body: await body() };
      const cli = cliOf({ ...begun.io, prompt: killed }, run);
      await expect(leafOf(await loadPay(), 'run').run(cli, run)).rejects.toThrow('killed');
      const after = await worldWith(answers);
      const all = { json: true, ...given };
      const ended = await leafOf(await loadPay(), 'resume')
        .run(cliOf({ ...after.io, places: begun.io.places }, all), all)
        .then(
          () => 'done',
          ({ code }: { code: string }) => code,
        );
      return { ended, asked: after.asked };
    };
    expect(await resume({}, ['1500'])).toEqual({ ended: 'done', asked: [TYPE('USDT', 'polygon')] });
    expect(await resume({}, ['y'])).toMatchObject({ ended: 'refused_by_review' });
    expect(await resume({ yes: true })).toEqual({ ended: 'done', asked: [] });
  });
});

describe('the typed amount of a charge to a card', () => {
  const TYPE_CHARGE = '1500.5 BRL will be charged to the card (acme, live). Type the amount of BRL to charge it:';
  const charged: Responder = (received, response) => {
    const data = { payment_id: 'pay_1', session_payment: '', crypto_tx: 'none', fiat_tx: { message: 'a card' } };
    const shown = { id: 'pay_1', status: 'success', tid_hash: '0x1', transaction_type: 'cardcrypto' };
    if (received.method === 'GET') return envelope(200, 'payment_found', { data: shown })(received, response);
    return envelope(201, 'payment_registered', { data })(received, response);
  };
  const charge = async (given: ParsedArgs, answers?: Answers, settings: ProfileSettings = ABOVE) => {
    const path = join(await temporaryFolder(), 'reais.json');
    await writeFile(path, JSON.stringify({ ...IN_REAIS, amount_from: '1500.5' }));
    return running(charged, settings)(leafOf(await loadPay(), 'run'), { ...CARD_GIVEN, body: path, ...given }, answers);
  };

  it('is right: the card is charged once, without another question', async () => {
    const { error, asked, sent } = await charge({}, ['1500.50']);
    expect([error, asked, sent.length]).toEqual([undefined, [TYPE_CHARGE], 2]);
  });

  it.each(['y', '1500', '1501.5'])('is wrong with "%s": nothing is sent', async (typed) => {
    expect(await charge({}, [typed])).toMatchObject({ error: { code: 'refused_by_review' }, sent: [] });
  });

  it('is replaced by --yes; without --yes and a terminal nothing is sent', async () => {
    expect(await charge({ yes: true })).toMatchObject({ error: undefined, asked: [] });
    expect(await charge({})).toMatchObject({ error: { code: 'confirmation_needed' }, sent: [] });
  });

  it('is needed beside a policy, which has no rule for cards; up to the limit a yes is enough', async () => {
    const beside = { ...ABOVE, policy: { chains: ['polygon'] } };
    expect((await charge({}, ['1500.5'], beside)).asked).toEqual([TYPE_CHARGE]);
    const ended = await charge({}, [true], { type_amount_above: { brl: '1500.5', '*': '1' } });
    expect(ended).toMatchObject({ error: undefined, asked: [expect.stringMatching(/^Charge 1500.5 BRL to the card/)] });
  });
});

describe('the typed amount of a yield operation in a live profile', () => {
  const usdc = new PublicKey(solanaNetworkFor('live').tokens.find(({ symbol }) => symbol === 'USDC')?.mint ?? '');
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const units = 1_500_000_000n;

  /** The wallet pays 1500 USDC to another account. */
  const paying = (wallet: PublicKey) =>
    bytesOf([token.transferChecked(ata(wallet, usdc), ata(MINTER.publicKey, usdc), units, usdc, 6, wallet)], {
      payer: wallet,
    });
  /** Another account pays 1500 USDC to the wallet. */
  const paid = (wallet: PublicKey) =>
    bytesOf([token.transferChecked(ata(MINTER.publicKey, usdc), ata(wallet, usdc), units, usdc, 6, MINTER.publicKey)], {
      payer: wallet,
      signers: [MINTER],
    });
  /** An unknown program acts for the wallet. */
  const opaque = (wallet: PublicKey) => bytesOf([instruction(LENDER, Buffer.of(1), [wallet, 'sw'])], { payer: wallet });

  const ASKED: ParsedArgs = { 'chain-name': 'solana', asset: 'USDC', amount: '1500', key: 'solana', sign: true };
  const VOUCHED = {
    'allow-recipient': [ata(MINTER.publicKey, usdc).toBase58()],
    'allow-program': [LENDER.toBase58()],
  };
  type Make = (wallet: PublicKey) => Uint8Array;
  const operate = async (
    verb: string,
    given: ParsedArgs,
    makes: readonly Make[],
    answers?: readonly (string | boolean)[],
  ) => {
    const wallet = new PublicKey(keys.solana);
    const service = liveYield(makes.map((make) => base64(make(wallet))));
    return running(service)(leafOf(await loadYield(), verb), { ...ASKED, ...VOUCHED, ...given }, answers);
  };

  const provider = { provider: 'provider_a' };
  const both = { 'provider-out': 'provider_a', 'provider-in': 'provider_b' };
  const CASES: readonly [string, string, ParsedArgs, readonly Make[]][] = [
    ['deposit', 'deposit', provider, [paying]],
    ['deposit by an unknown program', 'deposit', provider, [opaque]],
    ['rebalance in two', 'rebalance', both, [paid, paying]],
    ['rebalance by an unknown program', 'rebalance', both, [opaque]],
  ];

  it.each(CASES)('is right: a %s is signed; otherwise nothing is signed', async (_, verb, given, makes) => {
    const right = await operate(verb, given, makes, ['1500']);
    expect(right.error).toBeUndefined();
    expect(right.asked[0]).toContain(TYPE('USDC', 'solana'));
    expect(right.answer).toBeDefined();
    for (const typed of WRONG) {
      const wrong = await operate(verb, given, makes, [typed]);
      expect(wrong).toMatchObject({ error: { code: 'refused_by_review' }, answer: undefined });
    }
  });

  it('is wrong: nothing is broadcast', async () => {
    const { error, sent, asked } = await operate('deposit', { ...provider, broadcast: true }, [paying], ['y']);
    expect(asked[0]).toContain(TYPE('USDC', 'solana'));
    expect(error).toMatchObject({ code: 'refused_by_review' });
    expect(sent).toEqual(['/yield/deposit']);
  });

  it('is not asked for a withdrawal to the wallet', async () => {
    const { asked, error } = await operate('withdraw', provider, [paid], []);
    expect({ asked, error }).toEqual({ asked: [], error: undefined });
  });

  it('is asked by yield sign for the outflow, also of a file named withdrawal.txt', async () => {
    const wallet = new PublicKey(keys.solana);
    const path = join(await temporaryFolder(), 'withdrawal.txt');
    await writeFile(path, base64(paying(wallet)));
    const given = { ...VOUCHED, key: 'solana', transaction: path };
    const signing = async (answers: readonly string[]) =>
      running(liveYield([]))(leafOf(await loadYield(), 'sign'), given, answers);
    const right = await signing(['1500']);
    expect(right).toMatchObject({ error: undefined, asked: [expect.stringContaining(TYPE('USDC', 'solana'))] });
    expect((await signing(['yes'])).error).toMatchObject({ code: 'refused_by_review' });
  });
});
