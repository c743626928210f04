import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { bytesOf, memo } from '../chain/solana/given.ts';
import { newSolanaKey } from '../support/cheap-key.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import type { Meddler } from '../support/journey.ts';
import { liveDeposit, startLiveNode } from '../support/live-chain.ts';
import { envelope, startServer } from '../support/server.ts';
import { asked, isBroadcast, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;
let saver: Keypair;

beforeAll(async () => {
  journey = await startYieldJourney();
  const { stdout } = await journey.bursar([
    'key',
    'export',
    'saver',
    '--format',
    'solana-keypair',
    '--out',
    '-',
    '--yes',
  ]);
  saver = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(stdout)));
});

afterAll(() => journey.end());

type Fields = Record<string, never>;

const errorOf = (data: Fields) =>
  data['error'] as unknown as { message: string; hint?: string; errors?: { field: string; option?: string }[] };
const fieldsOf = (data: Fields) => errorOf(data).errors?.map(({ field }) => field);
const optionsOf = (data: Fields) => errorOf(data).errors?.map(({ option }) => option);

/** Bytes that another program signed with the key of the saver, so no journal of this home has them. */
const signed = async (operation = 'deposit', amount = '2', asset = 'USDC'): Promise<readonly string[]> => {
  const { data } = await journey.json(asked(operation, asset, amount));
  const built: unknown = data['transactions'] ?? data['transaction'];
  return [built].flat().map((each) => {
    const transaction = VersionedTransaction.deserialize(Buffer.from(String(each), 'base64'));
    transaction.sign([saver]);
    return Buffer.from(transaction.serialize()).toString('base64');
  });
};

const DEPOSITED = ['--kind', 'deposit', '--amount', '2', '--asset', 'USDC', '--provider', 'provider_a'];
const stated = (words = DEPOSITED) => [...words, '--wallet', journey.wallet];

/** Broadcasts bytes, and counts the broadcasts to the service. */
const broadcast = async (bytes: readonly string[], ...more: readonly string[]) => {
  let handed = 0;
  const watching: Meddler = ({ path }, forward) => {
    if (isBroadcast(path)) handed += 1;
    return forward();
  };
  const stdin = JSON.stringify({ chain_name: 'solana', op_signed: bytes.length === 1 ? bytes[0] : bytes });
  const words = ['yield', 'broadcast', '--body', '-', '--yes', ...more];
  const { code, data } = await journey.through(watching, () => journey.json(words, { stdin }));
  return { code, data, handed };
};

describe('bytes that were signed elsewhere', () => {
  it('state nothing: exit 10 with the options of a statement, and nothing is sent', async () => {
    const bytes = await signed();
    for (const more of [[], ['--quiet']]) {
      const { code, data, handed } = await broadcast(bytes, ...more);
      expect({ code, handed }).toEqual({ code: 10, handed: 0 });
      expect(optionsOf(data)).toEqual(['--kind', '--amount', '--asset', '--wallet']);
      expect(errorOf(data).message).toMatch(/^nothing was sent: /);
      expect(errorOf(data).hint).toContain('--kind deposit|withdraw|rebalance --amount AMOUNT');
    }
    const { data } = await broadcast(bytes, '--kind', 'deposit', '--amount', '9');
    expect(optionsOf(data)).toEqual(['--asset', '--wallet', '--provider-in']);
    expect(errorOf(data).message).toContain('Until you state it, nothing is compared with --kind and --amount.');
    const others = ['--kind', 'deposit', '--amount', '9', '--asset', 'USDC', '--provider', 'provider_a'];
    expect(fieldsOf((await broadcast(bytes, ...others)).data), 'all facts but the wallet are compared').toContain(
      'amount',
    );
  });

  it('land when they are stated by options or by the body', async () => {
    const before = Number(await journey.held('USDC'));
    expect(await broadcast(await signed(), ...stated())).toMatchObject({ code: 0, data: { status: 1 }, handed: 1 });
    const [op_signed] = await signed();
    const facts = { kind: 'deposit', amount: '2', asset: 'USDC', provider: 'provider_a', wallet: journey.wallet };
    const bodies: string[] = [];
    const watching: Meddler = ({ path, body }, forward) => {
      if (isBroadcast(path)) bodies.push(body);
      return forward();
    };
    const stdin = JSON.stringify({ ...facts, chain_name: 'solana', op_signed });
    const run = () => journey.bursar(['yield', 'broadcast', '--body', '-', '--yes'], { stdin });
    const { code, stderr } = await journey.through(watching, run);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('warning') });
    expect(
      bodies.map((body) => JSON.parse(body)),
      'no statement is sent',
    ).toEqual([{ chain_name: 'solana', op_signed }]);
    expect(Number(await journey.held('USDC'))).toBe(before - 4);
  });

  it.each<[string, string, readonly string[]]>([
    ['another amount', 'amount', ['--kind', 'deposit', '--amount', '3', '--asset', 'USDC', '--provider', 'provider_a']],
    ['another kind', 'amount', ['--kind', 'withdraw', '--amount', '2', '--asset', 'USDC', '--provider', 'provider_a']],
    ['another token', 'token', ['--kind', 'deposit', '--amount', '2', '--asset', 'USDT', '--provider', 'provider_a']],
    [
      'another provider',
      'shares',
      ['--kind', 'deposit', '--amount', '2', '--asset', 'USDC', '--provider', 'provider_b'],
    ],
  ])('with %s than stated are refused, with any override', async (_, field, words) => {
    const allowed = [
      ...['--allow-recipient', SANDBOX_SOLANA.vaults.provider_a, '--allow-recipient', SANDBOX_SOLANA.vaults.provider_b],
      ...['--allow-program', SANDBOX_SOLANA.lender, '--fee-at-most', '1'],
    ];
    const { code, data, handed } = await broadcast(await signed(), ...stated([...words]), ...allowed);
    expect({ code, handed }).toEqual({ code: 10, handed: 0 });
    expect(fieldsOf(data)).toContain(field);
    expect(errorOf(data).message).toMatch(/^nothing was sent: /);
  });

  it('of another wallet than stated are refused, also with the wallet as the only statement', async () => {
    const [bytes, other] = [await signed(), SANDBOX_SOLANA.fees];
    for (const words of [
      [...DEPOSITED, '--wallet', other],
      ['--wallet', other],
    ]) {
      const { code, data } = await broadcast(bytes, ...words);
      expect([code, fieldsOf(data)]).toEqual([10, expect.arrayContaining(['fee_payer'])]);
    }
  });

  it('with a fee above --fee-at-most are refused: exit 10', async () => {
    const { code, data, handed } = await broadcast(await signed(), ...stated(), '--fee-at-most', '0.000001');
    expect({ code, fields: fieldsOf(data), handed }).toEqual({ code: 10, fields: ['fee'], handed: 0 });
  });

  it('that cannot be read are not sent: exit 10', async () => {
    const [whole = ''] = await signed();
    const bytes = Buffer.from(whole, 'base64');
    const unsigned = Buffer.from(bytes).fill(0, 1, 65);
    const evm = Buffer.from(`02f8${'00'.repeat(120)}`, 'hex');
    for (const each of [unsigned, Buffer.concat([bytes, Buffer.of(0)]), evm]) {
      const { code, data, handed } = await broadcast([each.toString('base64')], ...stated());
      expect({ code, handed }).toEqual({ code: 10, handed: 0 });
      expect(errorOf(data).message).toContain('cannot be read as a signed Solana transaction');
    }
    const twice = await broadcast([whole, whole], '--kind', 'rebalance');
    expect([twice.code, twice.handed]).toEqual([2, 0]);
  });

  it('that this machine has reviewed need no second statement', async () => {
    const sent: string[] = [];
    const losing: Meddler = async ({ path, body }, forward, response) => {
      if (!isBroadcast(path)) return forward();
      sent.push(JSON.parse(body).op_signed);
      response.destroy();
      return undefined;
    };
    const deposit = [...asked('deposit', 'USDC', '2.5'), '--broadcast', '--yes', '--timeout', '4'];
    expect((await journey.through(losing, () => journey.json(deposit))).code).toBe(11);
    const other = ['--kind', 'deposit', '--amount', '9', '--asset', 'USDC', '--provider', 'provider_a'];
    const wrong = [
      [2, other],
      [2, ['--wallet', SANDBOX_SOLANA.fees]],
      [10, ['--fee-at-most', '0.000001']],
    ] as const;
    for (const [code, words] of wrong) {
      expect(await broadcast([sent[0] ?? ''], ...words), 'a contradiction is still an error').toMatchObject({
        code,
        handed: 0,
        data: { error: { message: expect.stringMatching(/^nothing was sent: /) } },
      });
    }
    expect(await broadcast([sent[0] ?? ''])).toMatchObject({ code: 0, handed: 1 });
    expect((await journey.json(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    const [relayed = ''] = await signed('deposit', '2');
    const lost = () => journey.json(['yield', 'broadcast', ...op(relayed), ...stated(), '--timeout', '4']);
    expect((await journey.through(losing, lost)).code).toBe(11);
    expect(await broadcast([relayed])).toMatchObject({ code: 0, handed: 1 });
    expect((await journey.json(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
  });

  it('that this machine has signed need no statement, and contradict a different statement', async () => {
    const unsigned = String((await journey.json(asked('deposit', 'USDC', '2'))).data['transaction']);
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver', ...DEPOSITED];
    const whole = await journey.json([...asked('deposit', 'USDC', '3'), '--sign']);
    for (const { data } of [await journey.json(sign, { stdin: unsigned }), whole]) {
      const bytes = [String(data['signed_transaction'])];
      const other = await broadcast(bytes, '--amount', '9');
      expect([other.code, fieldsOf(other.data), other.handed]).toEqual([2, ['amount'], 0]);
      expect(await broadcast(bytes)).toMatchObject({ code: 0, data: { transactionHash: data['hash'] }, handed: 1 });
    }
    const { data } = await journey.json(['yield', 'list']);
    const rows = data as unknown as { type: string; state: string }[];
    expect(rows.filter(({ state }) => state === 'signed')).toHaveLength(2);
  });

  it('that were refused do not count as reviewed', async () => {
    const bytes = await signed();
    expect((await broadcast(bytes, ...stated(), '--fee-at-most', '0.000001')).code).toBe(10);
    expect((await broadcast(bytes)).code).toBe(10);
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
  });

  it('with an expired blockhash are sent, and the service refuses them', async () => {
    const bytes = await signed();
    await journey.json(['sandbox', 'advance', '5m']);
    const { data, handed } = await broadcast(bytes, ...stated());
    expect([handed, data['error']]).toEqual([1, expect.objectContaining({ status: 'solana_blockhash_expired' })]);
    expect((await journey.json(['yield', 'resume', '--all', '--yes'])).code).not.toBe(0);
  });
});

const op = (bytes: string) => ['--chain-name', 'solana', '--op-signed', bytes, '--yes'];

describe('two transactions of a rebalance', () => {
  const LEGS = ['--asset', 'EURC', '--provider-out', 'provider_a', '--provider-in', 'provider_b'];
  const MOVED = ['--kind', 'rebalance', '--amount', '1', ...LEGS];

  beforeAll(async () => {
    await journey.json([...asked('deposit', 'EURC', '10'), '--broadcast', '--yes']);
  });

  it('are each reviewed: without a statement, with another amount or another kind nothing is sent', async () => {
    const bytes = await signed('rebalance', '1', 'EURC');
    expect(bytes).toHaveLength(2);
    const more = MOVED.map((word) => (word === '1' ? '2' : word));
    const single = ['--kind', 'deposit', '--amount', '1', '--asset', 'EURC', '--provider', 'provider_b'];
    for (const words of [[], stated(more), stated(single)]) {
      for (const way of [[], ['--one-by-one']]) {
        expect(await broadcast(bytes, ...words, ...way)).toMatchObject({ code: 10, handed: 0 });
      }
    }
    const [first = ''] = bytes;
    const [other = ''] = await signed('deposit', '7', 'EURC');
    expect(
      await broadcast([first, other], ...stated(MOVED)),
      'the second transaction is another operation',
    ).toMatchObject({
      code: 10,
      handed: 0,
    });
  });

  it('land as stated, by one call or one by one', async () => {
    expect(await broadcast(await signed('rebalance', '1', 'EURC'), ...stated(MOVED))).toMatchObject({
      code: 0,
      handed: 1,
    });
    const apart = await broadcast(await signed('rebalance', '1', 'EURC'), ...stated(MOVED), '--one-by-one');
    expect(apart).toMatchObject({ code: 0, handed: 2 });
  });
});

describe('policies apply to bytes that were signed elsewhere', () => {
  const MINE = ['key', 'policy', 'set', 'saver'];

  it('the policy of a local key of their address', async () => {
    const bytes = await signed();
    expect((await journey.bursar([...MINE, 'most_per_transaction.USDC=1'])).code).toBe(0);
    const before = await broadcast(bytes, ...stated(), '--fee-at-most', '1');
    expect([before.code, fieldsOf(before.data), before.handed]).toEqual([10, ['policy.most_per_transaction'], 0]);
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
    expect(await broadcast(bytes, ...stated())).toMatchObject({ code: 0 });
  });

  it('a standing mandate of the key states missing facts', async () => {
    const recipients = [SANDBOX_SOLANA.vaults.provider_a, SANDBOX_SOLANA.fees].join(',');
    const mandate = ['chains=solana', 'tokens=USDC', `recipients=${recipients}`, 'most_per_transaction.USDC=2'];
    const [within, above] = [await signed('deposit', '2'), await signed('deposit', '3')];
    expect((await journey.bursar([...MINE, ...mandate])).code).toBe(0);
    expect(await broadcast(within)).toMatchObject({ code: 0 });
    const { code, data } = await broadcast(above);
    expect([code, fieldsOf(data)]).toEqual([10, ['policy.most_per_transaction']]);
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
  });

  it('the policy of a removed key', async () => {
    const { home, bursar } = await newHomeInProcess();
    const { seed } = await newSolanaKey(home, 'treasury');
    const env = { BURSAR_KEY_PASSWORD: 'pw', BURSAR_API_KEY: 'k' };
    expect((await bursar(['key', 'policy', 'set', 'treasury', 'chains=polygon'], { env })).code).toBe(0);
    expect((await bursar(['key', 'remove', 'treasury', '--yes'], { env })).code).toBe(0);
    const service = await startServer(envelope(500, 'server_error'));
    const own = Keypair.fromSeed(seed);
    const bytes = Buffer.from(bytesOf([memo('x')], { payer: own.publicKey, signers: [own] })).toString('base64');
    const words = ['yield', 'broadcast', ...op(bytes), '--json'];
    const { code, stdout } = await bursar(words, { env: { ...env, BURSAR_BASE_URL: service.url } });
    expect([code, fieldsOf(JSON.parse(stdout))]).toEqual([10, ['policy.chains']]);
    expect(service.received).toEqual([]);
  });

  it('the day of the key includes these bytes', async () => {
    const [one, two] = [await signed('deposit', '2'), await signed('deposit', '2')];
    const { data } = await journey.json(['key', 'show', 'saver']);
    expect(data['limits'] ?? []).toEqual([]);
    await journey.bursar([...MINE, 'most_per_day.USDC=100']);
    const counted = async () => {
      const { data: shown } = await journey.json(['key', 'show', 'saver']);
      const limits = shown['limits'] as unknown as { world: string; counted: string }[];
      return Number(limits.find(({ world }) => world === 'sandbox')?.counted);
    };
    const start = await counted();
    expect((await broadcast(one, ...stated())).code).toBe(0);
    expect(await counted()).toBe(start + 2);
    await journey.bursar([...MINE, `most_per_day.USDC=${start + 3}`]);
    const above = await broadcast(two, ...stated());
    expect([above.code, fieldsOf(above.data), above.handed]).toEqual([10, ['policy.most_per_day'], 0]);
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
  });

  /** Broadcasts bytes that the service refuses, and returns the operation id. */
  const refusedOnce = async (bytes: readonly string[]): Promise<string> => {
    const refusing: Meddler = async ({ path }, forward) =>
      isBroadcast(path) ? { status: 400, body: '{"success":false,"status":"invalid_parameters"}' } : forward();
    const { code, data } = await journey.through(refusing, () => broadcast(bytes, ...stated()));
    expect(code).not.toBe(0);
    return String((data['error'] as unknown as { data: { movement: string } }).data.movement);
  };

  it('the policy that was set after the review of the bytes', async () => {
    const bytes = await signed();
    await refusedOnce(bytes);
    expect((await journey.bursar([...MINE, 'most_per_transaction.USDC=1'])).code).toBe(0);
    const { code, data, handed } = await broadcast(bytes);
    expect([code, fieldsOf(data), handed]).toEqual([10, ['policy.most_per_transaction'], 0]);
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
    expect(await broadcast(bytes)).toMatchObject({ code: 0 });
  });

  it('the day of the key counts reviewed bytes at their next broadcast', async () => {
    const bytes = await signed();
    await journey.bursar([...MINE, 'most_per_day.USDC=1000']);
    const counted = async () => {
      const { data: shown } = await journey.json(['key', 'show', 'saver']);
      const limits = shown['limits'] as unknown as { world: string; counted: string }[];
      return Number(limits.find(({ world }) => world === 'sandbox')?.counted);
    };
    const start = await counted();
    const file = join(journey.home, 'state', 'journal', `${await refusedOnce(bytes)}.ndjson`);
    // The journal is now as after a refused connection.
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const last = JSON.parse(lines.pop() ?? '');
    const unsent = { ...last, code: 'unavailable', status: undefined, is_unknown: false, unsent: true };
    await writeFile(file, `${[...lines, JSON.stringify(unsent)].join('\n')}\n`);
    expect(await counted()).toBe(start);
    await journey.bursar([...MINE, `most_per_day.USDC=${start + 1}`]);
    const above = await broadcast(bytes);
    expect([above.code, fieldsOf(above.data), above.handed]).toEqual([10, ['policy.most_per_day'], 0]);
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
    await journey.bursar([...MINE, `most_per_day.USDC=${start + 2}`]);
    expect(await broadcast(bytes)).toMatchObject({ code: 0, handed: 1 });
    expect(await counted()).toBe(start + 2);
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
  });

  it('the policy of the profile', async () => {
    const bytes = await signed();
    await journey.bursar(['profile', 'set', 'sandbox', `policy.recipients=${SANDBOX_SOLANA.fees}`]);
    const { code, data, handed } = await broadcast(bytes, ...stated());
    expect([code, fieldsOf(data), handed]).toEqual([10, ['policy.recipients'], 0]);
    await journey.bursar(['profile', 'set', 'sandbox', 'policy=']);
  });
});

describe('bytes that were signed elsewhere, on a live service', () => {
  const THIEF = new PublicKey(SANDBOX_SOLANA.fees);
  const HUNDRED = 100_000_000n;

  const start = async (ownerOf: (wallet: PublicKey) => PublicKey) => {
    const { home, bursar } = await newHomeInProcess();
    const elsewhere = await newHomeInProcess();
    const { address, seed } = await newSolanaKey(elsewhere.home, 'saver');
    const wallet = new PublicKey(address);
    const node = await startLiveNode({ wallet, owners: [wallet, THIEF] });
    const status = 'broadcast_operation_yield_strategy_ok';
    const service = await startServer(envelope(200, status, { data: { status: 1 } }));
    const { VersionedTransaction } = await import('@solana/web3.js');
    const transaction = VersionedTransaction.deserialize(
      Buffer.from(liveDeposit(wallet, ownerOf(wallet), HUNDRED), 'base64'),
    );
    transaction.sign([Keypair.fromSeed(seed)]);
    const bytes = Buffer.from(transaction.serialize()).toString('base64');
    const sendUnstated = async (...more: readonly string[]) => {
      const words = ['yield', 'broadcast', ...op(bytes), '--json', ...more];
      const { code, stdout } = await bursar(words, { env: { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k' } });
      return { code, data: JSON.parse(stdout) };
    };
    const facts = ['--kind', 'deposit', '--amount', '100', '--asset', 'USDC', '--provider', 'lender'];
    const send = (...more: readonly string[]) => sendUnstated(...facts, '--wallet', address, ...more);
    /** Adds the key of the wallet to this home, with a policy that is a standing mandate. */
    const mandate = async (): Promise<void> => {
      await newSolanaKey(home, 'saver', { secret: seed });
      const settings = [
        ...['chains=solana', 'tokens=USDC', 'most_per_transaction.USDC=100'],
        ...[`recipients=${SANDBOX_SOLANA.vaults.provider_b}`, `programs=${SANDBOX_SOLANA.lender}`],
      ];
      const env = { BURSAR_KEY_PASSWORD: 'pw' };
      expect((await bursar(['key', 'policy', 'set', 'saver', ...settings], { env })).code).toBe(0);
    };
    const run = async (...words: readonly string[]) => {
      const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k', BURSAR_KEY_PASSWORD: 'pw' };
      const { code, stdout } = await bursar([...words, '--json'], { env });
      return { code, data: stdout === '' ? {} : JSON.parse(stdout) };
    };
    const allowed = ['--allow-program', SANDBOX_SOLANA.lender];
    /** The operation id of bytes that passed their review before the process ended without a broadcast. */
    const leaveUnsent = async (...more: readonly string[]): Promise<string> => {
      await newSolanaKey(home, 'saver', { secret: seed });
      expect((await send('--rpc-url', node.url, ...allowed, ...more, '--timeout', '3')).code).toBe(11);
      const folder = join(home, 'state', 'journal');
      const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.ndjson'));
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
      const last = lines.findIndex((line) => line.includes('"signed_part"'));
      await writeFile(join(folder, name), `${lines.slice(0, last + 1).join('\n')}\n`);
      service.received.length = 0;
      return name.slice(0, -'.ndjson'.length);
    };
    const limit = async (...settings: readonly string[]): Promise<void> => {
      expect((await run('key', 'policy', 'set', 'saver', ...settings)).code).toBe(0);
    };
    return {
      send,
      sendUnstated,
      mandate,
      run,
      limit,
      leaveUnsent,
      allowed,
      viaNode: ['--rpc-url', node.url],
      service,
      node,
    };
  };

  it('a deposit needs a node without a terminal: exit 2', async () => {
    const { send, service } = await start((wallet) => wallet);
    expect(await send()).toMatchObject({ code: 2, data: { error: { errors: [{ field: '--rpc-url' }] } } });
    expect(service.received).toEqual([]);
  });

  it('an unknown program needs its option, and the wallet must gain a position', async () => {
    const allowed = ['--allow-program', SANDBOX_SOLANA.lender];
    const own = await start((wallet) => wallet);
    expect(await own.send(...own.viaNode)).toMatchObject({
      code: 10,
      data: { error: { hint: expect.stringContaining(allowed.join(' ')) } },
    });
    expect(own.service.received).toEqual([]);
    const thief = await start(() => THIEF);
    const { code, data } = await thief.send(...thief.viaNode, ...allowed);
    expect([code, fieldsOf(data)]).toEqual([10, ['gain']]);
    expect(thief.service.received).toEqual([]);
    // The node of this test executes nothing, so sent bytes stay in doubt.
    expect((await own.send(...own.viaNode, ...allowed, '--timeout', '3')).code).toBe(11);
    expect(own.service.received).toHaveLength(1);
  });

  /** Settings that exclude the outflow of the lending program. */
  const OUTSIDE = [
    ['most_per_transaction', 'most_per_transaction.USDC=1'],
    ['most_per_day', 'most_per_day.USDC=1'],
    ['tokens', 'tokens=USDT'],
    ['recipients', `recipients=${SANDBOX_SOLANA.fees}`],
  ] as const;

  it.each(OUTSIDE)('a newer policy applies to a program at a resume: %s', async (_, setting) => {
    for (const hasNode of [true, false]) {
      const { leaveUnsent, limit, run, viaNode, service } = await start((wallet) => wallet);
      const id = await leaveUnsent();
      await limit(setting);
      const { code, data } = await run('yield', 'resume', id, '--yes', ...(hasNode ? viaNode : []), '--timeout', '3');
      expect({ hasNode, code, received: service.received }).toEqual({ hasNode, code: 10, received: [] });
      const isSeen = hasNode || !setting.startsWith('recipients');
      expect(fieldsOf(data)).toEqual([isSeen ? `policy.${_}` : 'policy']);
    }
  });

  it.each(OUTSIDE)('a newer policy applies to a program at a broadcast: %s', async (_, setting) => {
    const { leaveUnsent, limit, sendUnstated, viaNode, allowed, service } = await start((wallet) => wallet);
    await leaveUnsent();
    await limit(setting);
    const { code, data } = await sendUnstated(...viaNode, ...allowed, '--timeout', '3');
    expect({ code, received: service.received }).toEqual({ code: 10, received: [] });
    expect(fieldsOf(data)).toEqual([`policy.${_}`]);
  });

  it('a policy that allows the outflow of the program does not stop a resume with a node', async () => {
    const { leaveUnsent, limit, run, viaNode, service, node } = await start((wallet) => wallet);
    const id = await leaveUnsent();
    await limit('most_per_day.USDC=100', `recipients=${SANDBOX_SOLANA.vaults.provider_b}`, 'tokens=USDC');
    const blind = await run('yield', 'resume', id, '--yes');
    expect([blind.code, fieldsOf(blind.data)], 'no node shows the receiver').toEqual([10, ['policy']]);
    expect(service.received).toEqual([]);
    expect((await run('yield', 'resume', id, '--yes', ...viaNode, '--timeout', '3')).code).toBe(11);
    expect(node.received.map(({ body }) => JSON.parse(body).method)).toContain('sendTransaction');
  });

  it('a standing mandate states the facts, and the wallet must still gain a position', async () => {
    const thief = await start(() => THIEF);
    await thief.mandate();
    const { code, data } = await thief.sendUnstated(...thief.viaNode);
    expect([code, fieldsOf(data)]).toEqual([10, expect.arrayContaining(['gain'])]);
    expect(thief.service.received).toEqual([]);
  });
});

describe('two transactions of two wallets', () => {
  it('are not one operation: exit 10, nothing is sent', async () => {
    const [one, other] = [Keypair.generate(), Keypair.generate()];
    const both = [one, other].map((each) => bytesOf([memo('x')], { payer: each.publicKey, signers: [each] }));
    const { code, data, handed } = await broadcast(both.map((bytes) => Buffer.from(bytes).toString('base64')));
    expect({ code, handed }).toEqual({ code: 10, handed: 0 });
    expect(errorOf(data).message).toMatch(/^nothing was sent: the transactions are of /);
  });
});

describe('a local key that signed beside another fee payer', () => {
  it('is refused: exit 10, nothing is sent', async () => {
    const { home, bursar } = await newHomeInProcess();
    const { seed } = await newSolanaKey(home, 'treasury');
    const [own, payer] = [Keypair.fromSeed(seed), Keypair.generate()];
    const service = await startServer(envelope(500, 'server_error'));
    const takes = SystemProgram.transfer({ fromPubkey: own.publicKey, toPubkey: payer.publicKey, lamports: 10 ** 9 });
    const bytes = bytesOf([memo('x'), takes], { payer: payer.publicKey, signers: [payer, own] });
    const words = ['yield', 'broadcast', ...op(Buffer.from(bytes).toString('base64')), '--json'];
    const { code, stdout } = await bursar(words, { env: { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k' } });
    expect([code, fieldsOf(JSON.parse(stdout))]).toEqual([10, expect.arrayContaining(['fee_payer'])]);
    expect(service.received).toEqual([]);
  });
});
