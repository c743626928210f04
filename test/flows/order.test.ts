import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { networkFor } from '../../src/chain/evm/network.ts';
import { evmAddressOf } from '../../src/chain/evm/signing-key.ts';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { register } from '../../src/contract/pay/register.ts';
import { Failure } from '../../src/core/failure.ts';
import { runPayment } from '../../src/flows/pay/run.ts';
import { intentOf, statedByOptions } from '../../src/flows/pay/status.ts';
import { type Files, systemFiles } from '../../src/io/files/files.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { beginOperation } from '../../src/journal/operation.ts';
import { testIo } from '../support/io.ts';
import { envelope, type Received, startServer } from '../support/server.ts';

const KEY = new Uint8Array(32).fill(7);
const PAYER = evmAddressOf(KEY);
const RECEIVER = '1'.repeat(40);

const CRYPTO_TX = {
  schema_version: 1,
  family: 'evm',
  chain_name: 'polygon',
  transactionRequest: {
    from: PAYER,
    to: SANDBOX_CONTRACTS.USDT,
    data: `0xa9059cbb${RECEIVER.padStart(64, '0')}${(10_000_000).toString(16).padStart(64, '0')}`,
    value: 0,
    chainId: 1_000_137,
    gasLimit: '100000',
    maxPriorityFeePerGas: '1000000000',
    maxFeePerGas: '3000000000',
    nonce: 0,
  },
  meta: { source: 'test' },
};

/** The answer of a service that has one payment, and answers execute with the hash of the signed transaction. */
const answerOf = async ({ path }: Received, hash: () => Promise<string>, payment_id: string) => {
  if (path.endsWith('create-order')) return envelope(201, 'payment_registered', { data: { payment_id } });
  if (path.endsWith('create-transaction')) {
    const data = { payment_id: 'pay_1', session_payment: '', crypto_tx: CRYPTO_TX, fiat_tx: { message: 'none' } };
    return envelope(201, 'payment_registered', { data });
  }
  const tid_hash = await hash();
  if (path.endsWith('on-chain')) return envelope(200, 'payment_confirmed', { data: { id: 'pay_1', tid_hash } });
  return envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'success', tid_hash } });
};

/** Runs one payment with a disk that may fail, and records the order of journal writes, calls and output. */
const pay = async (failAt?: { readonly step: string; readonly code: string }, id = 'pay_1') => {
  const order: string[] = [];
  const files: Files = {
    ...systemFiles,
    appendDurably: async (path, text) => {
      const { step } = JSON.parse(text);
      if (step === failAt?.step) throw Object.assign(new Error(`${failAt?.code}: on the disk`), { code: failAt?.code });
      await systemFiles.appendDurably(path, text);
      order.push(`journal ${step}`);
    },
  };
  const http = systemHttp(new AbortController().signal);
  const { io, home } = await testIo({
    io: { files, http, random: { bytes: () => new Uint8Array(4), fraction: () => 0 } },
  });
  const journal = async () => {
    const names = await readdir(join(home, 'state', 'journal'));
    const name = names.find((file) => file.endsWith('.ndjson')) ?? '';
    return (await readFile(join(home, 'state', 'journal', name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const hash = async () => (await journal()).find(({ step }) => step === 'signed').hash;
  const { url } = await startServer(async (received, response) => {
    order.push(`network ${received.path.split('/').at(-1)}`);
    await (await answerOf(received, hash, id))(received, response);
  });
  const service = { profile: 'sandbox', kind: 'sandbox', baseUrl: url, apiKey: undefined } as const;
  const split_payment_config = [{ receiver_wallet: `0x${RECEIVER}`, receiver_percent: 100 }];
  const transaction = {
    transaction_type: 'crypto',
    payer_email: 'a@example.com',
    payer_wallet: PAYER,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  };
  const registering = { ...register.example, split_payment_config };
  const intent = intentOf({ ...registering, ...transaction });
  if (!intent) throw new Error('the test has no payment intent');
  const run = async () => {
    const operation = await beginOperation(io, { profile: 'sandbox', kind: 'sandbox', baseUrl: url, intent });
    const context = {
      client: { io, service: { ...service, apiKey: { reveal: () => 'k' } }, deadline: io.clock.monotonic() + 10_000 },
      network: networkFor('sandbox'),
      operation,
      overrides: {},
      stating: statedByOptions(intent, undefined),
      approve: async () => true,
      on: () => undefined,
    };
    const request = { register: registering, transaction, intent };
    const paid = await runPayment(context, request, { address: PAYER, open: async () => KEY });
    order.push('output');
    await operation.close();
    return paid;
  };
  return { order, journal, result: await run().catch((error: unknown) => error) };
};

const CALLS = { registering: 'intents-create-order', creating: 'intents-create-transaction', executing: 'on-chain' };

describe('the journal of a payment', () => {
  it('stores each step before its call, the signed bytes before execute, and the end after the output', async () => {
    const { order, result } = await pay();
    expect(result).toMatchObject({ payment_id: 'pay_1', payment: { status: 'success' } });
    expect(order).toEqual([
      'journal begun',
      'journal registering',
      'network intents-create-order',
      'journal registered',
      'journal creating',
      'network intents-create-transaction',
      'journal created',
      'journal reviewed',
      'journal signed',
      'journal executing',
      'network on-chain',
      'journal executed',
      'network status',
      'output',
      'journal ended',
    ]);
  });

  it.each(
    Object.entries(CALLS).flatMap(([step, call]) =>
      ['EIO', 'ENOSPC', 'EROFS'].map((code) => [step, code, call] as const),
    ),
  )('stops the payment when its write at %s fails with %s, before %s is called', async (step, code, call) => {
    const { order, result } = await pay({ step, code });
    expect(result).toBeInstanceOf(Failure);
    expect(result).toMatchObject({ code: 'journal_unwritable', message: expect.stringContaining(code) });
    expect(order).not.toContain(`network ${call}`);
  });

  it.each(['reviewed', 'signed'])('stops the payment before execute when its write at %s fails', async (step) => {
    const { order, result } = await pay({ step, code: 'EIO' });
    expect(result).toMatchObject({ code: 'journal_unwritable' });
    expect(order).not.toContain('network on-chain');
  });

  it.each(['executed', 'ended'])(
    'leaves the result of the payment visible when its write at %s fails',
    async (step) => {
      const { result } = await pay({ step, code: 'ENOSPC' });
      expect(result).toMatchObject({ payment: { status: 'success' } });
    },
  );
});

describe('a payment id that is unsafe in a command line', () => {
  it.each(['--yes', '-y', '$(id)', 'a b', ''])('%j is refused before the next call', async (id) => {
    const { order, result } = await pay(undefined, id);
    expect(result).toMatchObject({ code: 'unexpected_answer' });
    expect(order).not.toContain('network intents-create-transaction');
  });
});
