import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import { readFlows } from '../../src/smoke/read-flows.ts';
import { startBursar } from '../support/bursar.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Journey, type Meddler, RECEIVERS, startJourney } from '../support/journey.ts';
import { livePayments } from '../support/live-service.ts';
import { envelope, type Received, startServer } from '../support/server.ts';

type Fields = Readonly<Record<string, unknown>>;

const document = (...workflows: readonly Fields[]): string =>
  JSON.stringify({
    arazzo: '1.0.1',
    info: { title: 'Test', version: '1.0.0' },
    sourceDescriptions: [{ name: 'service', type: 'openapi', url: './openapi.json' }],
    workflows,
  });

const inputs = (...names: readonly string[]): Fields => ({
  inputs: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
});

const step = (stepId: string, operationId: string, payload?: Fields, more: Fields = {}): Fields => ({
  stepId,
  operationId,
  ...(payload && { requestBody: { contentType: 'application/json', payload } }),
  ...more,
});

const id = { outputs: { payment_id: '$response.body#/data/payment_id' } };
const bytes = {
  outputs: { signed_transaction: '$response.body#/data/signed_transaction', hash: '$response.body#/data/hash' },
};
const PAYMENT_ID = '$steps.register.outputs.payment_id';

/** The steps of a payment of 1 USDT by the key `payer`. */
const paying = (wallet: string, execute: Fields = {}): readonly Fields[] => [
  step(
    'register',
    'payRegister',
    {
      executor_id: 'api_transaction',
      tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
      payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
      split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }],
      gateway_method: 'direct',
      from_currency_symbol: 'USDT',
      amount_from: '1',
      to_currency_symbol: 'USDT',
      to_chain: 'polygon',
      on_ramp: false,
    },
    id,
  ),
  step('transaction', 'payTransaction', {
    payment_id: PAYMENT_ID,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: wallet,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  }),
  step('sign', 'signPayment', { payment_id: PAYMENT_ID }, bytes),
  step(
    'execute',
    'payExecute',
    {
      executor_id: 'api_transaction',
      payment_id: PAYMENT_ID,
      signed_transaction: '$steps.sign.outputs.signed_transaction',
    },
    execute,
  ),
];

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const write = async (name: string, text: string): Promise<string> => {
  const path = join(journey.home, `${name}.arazzo.json`);
  await writeFile(path, text);
  return path;
};

type Report = {
  readonly run: string;
  readonly flows: readonly { name: string; status: string; steps: readonly Fields[]; cleanup?: readonly Fields[] }[];
};

const smoke = async (args: readonly string[]) => {
  const { code, data } = await journey.json(['smoke', 'run', ...args]);
  const failure = data['error'] as unknown as { data: Report; message: string } | undefined;
  return { code, report: (failure?.data ?? data) as unknown as Report, text: JSON.stringify(data) };
};

const received = () => journey.balance(RECEIVERS[0]);

/** Drops each call of execute before it reaches the service. */
const dropping: Meddler = async ({ path }, forward, response) => {
  if (!path.endsWith('/on-chain')) return forward();
  response.destroy();
  return undefined;
};

const problemsOf = async (...workflows: readonly Fields[]): Promise<string> => {
  try {
    await readFlows(document(...workflows), 'f');
    return '';
  } catch (error) {
    if (!isFailure(error)) throw error;
    return (error.details.errors ?? []).map(({ message }) => message).join('\n');
  }
};

describe('a flow sends only what was signed in its run', () => {
  it('does not sign by itself in a step of execute without a signature', async () => {
    const [register, transaction] = paying(journey.address);
    const execute = step('execute', 'payExecute', { executor_id: 'api_transaction', payment_id: PAYMENT_ID });
    const file = await write('unsigned', document({ workflowId: 'unsigned', steps: [register, transaction, execute] }));
    const before = await received();
    const { code, text } = await smoke([file, '--key', 'payer']);
    expect([code, await received()]).toEqual([13, before]);
    expect(text).toContain('a flow sends only the transactions that a step of the signer has signed');
  });

  it('does not send bytes, a file or standard input that a flow names', async () => {
    for (const signed_transaction of ['@/etc/hostname', '-', '0x02f8']) {
      const execute = step('execute', 'payExecute', {
        executor_id: 'api_transaction',
        payment_id: 'pay_1',
        signed_transaction,
      });
      const { code, text } = await smoke([await write('bytes', document({ workflowId: 'bytes', steps: [execute] }))]);
      expect([code, text]).toEqual([13, expect.stringContaining('a flow sends only')]);
    }
  });

  it('ends with 11 for an unknown outcome, whatever its criteria accept', async () => {
    const execute = { successCriteria: [{ condition: '$statusCode >= 500' }] };
    const file = await write('accepts', document({ workflowId: 'accepts', steps: paying(journey.address, execute) }));
    const failing: Meddler = async ({ path }, forward) =>
      path.endsWith('/on-chain')
        ? {
            status: 503,
            body: JSON.stringify({ statusCode: 503, success: false, status: 'server_error', message: '' }),
          }
        : forward();
    const { code } = await journey.through(failing, () => smoke([file, '--key', 'payer']));
    expect(code).toBe(11);
    expect((await smoke([file, '--key', 'payer'])).code).toBe(0);
  });
});

describe('a run in doubt', () => {
  it('in a called workflow is settled, and nothing of the flow is run again', async () => {
    const file = await write(
      'called',
      document(
        { workflowId: 'main', steps: [{ stepId: 'call', workflowId: 'payer' }] },
        { workflowId: 'payer', steps: paying(journey.address) },
      ),
    );
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    expect([first.code, await received()], first.text).toEqual([11, before]);
    const second = await smoke([file, '--key', 'payer']);
    expect([second.code, second.report.run, await received()]).toEqual([13, first.report.run, before + 1]);
    expect(second.text).toContain('the rest of the flow was not run');
    const third = await smoke([file, '--key', 'payer']);
    expect([third.code, await received()]).toEqual([0, before + 2]);
    expect(third.report.run).not.toBe(first.report.run);
  });

  it('is left alone by another command, which names it, and by another file of the same name', async () => {
    const file = await write('doubt', document({ workflowId: 'doubt', steps: paying(journey.address) }));
    const before = await received();
    const first = await journey.through(dropping, () => smoke([file, '--key', 'payer']));
    expect(first.code).toBe(11);
    const other = await journey.bursar(['smoke', 'run', 'reads']);
    expect([other.code, await received()]).toEqual([0, before]);
    expect(other.stdout).toContain('reads: passed');
    expect(other.stderr).toContain(`run ${first.report.run} of doubt is in doubt`);
    const again = await smoke([file, '--key', 'payer']);
    expect([again.code, again.report.run, await received()]).toEqual([0, first.report.run, before + 1]);
  });

  it('reports flows that failed beside it, and those that never ran, after its resume', async () => {
    const file = await write(
      'beside',
      document(
        { workflowId: 'pays', steps: paying(journey.address) },
        {
          workflowId: 'bad',
          steps: [
            step('products', 'productsList', undefined, { successCriteria: [{ condition: '$statusCode == 0' }] }),
          ],
        },
        { workflowId: 'late', dependsOn: ['bad'], steps: [step('products', 'productsList')] },
      ),
    );
    expect((await journey.through(dropping, () => smoke([file, '--key', 'payer']))).code).toBe(11);
    const { code, report } = await smoke([file, '--key', 'payer']);
    expect([code, report.flows.map(({ name, status }) => `${name} ${status}`)]).toEqual([
      13,
      ['pays passed', 'bad failed', 'late skipped'],
    ]);
  });
});

describe('a file is refused before anything is sent', () => {
  const [register = {}, ...others] = paying('$inputs.wallet');
  const payload = (register['requestBody'] as { payload: Fields }).payload;
  const withPayload = (more: Fields): Fields => ({
    ...register,
    requestBody: { contentType: 'application/json', payload: { ...payload, ...more } },
  });
  const quote = step('quote', 'quoteMarket', undefined, { outputs: { price: '$response.body#/data/price' } });
  const flow = (steps: readonly Fields[]): Fields => ({ workflowId: 'test', ...inputs('wallet', 'amount'), steps });

  it.each([
    ['an amount', { amount_from: '$steps.quote.outputs.price' }],
    [
      'a receiver',
      { split_payment_config: [{ receiver_wallet: '$steps.quote.outputs.price', receiver_percent: 100 }] },
    ],
    ['a chain', { to_chain: '{$steps.quote.outputs.price}' }],
  ])('if %s comes from an answer', async (_, more) => {
    expect(await problemsOf(flow([quote, withPayload(more), ...others]))).toContain('states what is paid');
    expect(await problemsOf(flow([quote, withPayload({ amount_from: '$inputs.amount' }), ...others]))).toBe('');
  });

  it('if a called workflow that pays takes an input from an answer', async () => {
    const call = {
      stepId: 'call',
      workflowId: 'test',
      parameters: [{ name: 'amount', value: '$steps.quote.outputs.price' }],
    };
    const main = { workflowId: 'main', steps: [quote, call] };
    expect(await problemsOf(main, flow([register, ...others]))).toContain(
      'test pays, and an input of it states what is paid',
    );
  });

  it.each([
    [
      'a goto leads back over a payment',
      flow([
        register,
        ...others.slice(0, 2),
        { ...others[2], onSuccess: [{ name: 'x', type: 'goto', stepId: 'register' }] },
      ]),
      'a goto leads back over step sign',
    ],
    [
      'a goto repeats a code',
      flow([
        step(
          'send',
          'kycSendOtp',
          { email: 'a@b.example' },
          { onFailure: [{ name: 'x', type: 'goto', stepId: 'send' }] },
        ),
      ]),
      'a goto leads back over step send',
    ],
    [
      'an action leads to a workflow',
      flow([{ ...quote, onSuccess: [{ name: 'x', type: 'goto', workflowId: 'test' }] }]),
      'an action to a workflow is not supported',
    ],
    ['a field is misspelt', flow([{ ...quote, sucessCriteria: [] }]), 'a step has no field sucessCriteria'],
    [
      'a list is none',
      flow([{ ...quote, successCriteria: { condition: '$statusCode == 0' } }]),
      'successCriteria must be a list',
    ],
    ['a workflow needs itself', { ...flow([quote]), dependsOn: ['test'] }, 'needs itself in a circle'],
    [
      'a payload reads an answer that is not there',
      flow([step('x', 'kycPrepare', { email: '$response.body#/x' })]),
      'there is no answer here',
    ],
    ['a path lacks its parameter', flow([step('x', 'payStatus')]), 'step x lacks the parameter id'],
    [
      'an output of the workflow is not captured',
      { ...flow([quote]), outputs: { x: '$steps.quote.outputs.y' } },
      'step quote has no output y',
    ],
  ])('if %s', async (_, workflow, problem) => {
    expect(await problemsOf(workflow)).toContain(problem);
  });
});

describe('a step of a flow', () => {
  it('cannot set headers of the transport, and cannot leave its path', async () => {
    const cases: readonly (readonly [Fields, string])[] = [
      [
        step('x', 'productsList', undefined, { parameters: [{ name: 'Host', in: 'header', value: 'evil.example' }] }),
        'cannot set the header host',
      ],
      [
        step('x', 'productsList', undefined, { parameters: [{ name: 'x-a', in: 'header', value: 'a\r\nb: c' }] }),
        'must be printable ASCII',
      ],
      [
        step('x', 'payStatus', undefined, { parameters: [{ name: 'id', in: 'path', value: '..' }] }),
        'the parameter id of the path is',
      ],
    ];
    for (const [one, message] of cases) {
      const { code, text } = await smoke([await write('wire', document({ workflowId: 'wire', steps: [one] }))]);
      expect([code, text]).toEqual([13, expect.stringContaining(message)]);
    }
  });

  it('gives the inputs of the user to a called workflow, before its defaults', async () => {
    const called = {
      workflowId: 'called',
      inputs: { type: 'object', properties: { from: { type: 'string', default: 'BTC' } } },
      steps: [
        step('quote', 'quoteMarket', undefined, {
          parameters: [
            { name: 'from', in: 'query', value: '$inputs.from' },
            { name: 'to', in: 'query', value: 'USDT' },
          ],
          successCriteria: [{ condition: "$response.body#/data/requested/from == 'ETH'" }],
        }),
      ],
    };
    const main = { workflowId: 'main', ...inputs('from'), steps: [{ stepId: 'call', workflowId: 'called' }] };
    expect((await smoke([await write('inherit', document(main, called)), '--input', 'from=ETH'])).code).toBe(0);
  });

  it('whose pattern takes too long fails, and the cleanup of its flow runs', async () => {
    const slow = { context: '$inputs.text', type: 'regex', condition: '^(a+)+$' };
    const main = {
      workflowId: 'main',
      ...inputs('text'),
      'x-bursar-cleanup': 'tidy',
      steps: [step('products', 'productsList', undefined, { successCriteria: [slow] })],
    };
    const file = await write('slow', document(main, { workflowId: 'tidy', steps: [step('products', 'productsList')] }));
    const { code, report, text } = await smoke([file, '--input', `text=${'a'.repeat(40)}b`]);
    expect([code, report.flows[0]?.cleanup?.map(({ status }) => status)]).toEqual([13, ['passed']]);
    expect(text).toContain('was not checked within 200 ms');
  });
});

describe('an interrupt', () => {
  it('runs the cleanup once, and ends with 130', async () => {
    const main = {
      workflowId: 'main',
      'x-bursar-cleanup': 'tidy',
      steps: [
        step('wait', 'productsList', undefined, {
          successCriteria: [{ condition: '$statusCode == 0' }],
          onFailure: [{ name: 'again', type: 'retry', retryAfter: 30, retryLimit: 9 }],
        }),
      ],
    };
    const file = await write(
      'stopped',
      document(main, { workflowId: 'tidy', steps: [step('products', 'productsList')] }),
    );
    const started = startBursar(journey.home, ['smoke', 'run', file, '--reporter', 'ndjson'], { env: SANDBOX_ENV });
    const logged = async () =>
      (await journey.bursar(['sandbox', 'logs', '--json'])).stdout.split('/config/products').length - 1;
    const before = await logged();
    while ((await logged()) === before) await new Promise((resolve) => setTimeout(resolve, 50));
    started.child.kill('SIGINT');
    const { code, stdout } = await started.ended;
    const cleanup = stdout.split('\n').filter((line) => line.includes('"main cleanup"'));
    expect([code, cleanup.length]).toEqual([130, 1]);
    expect(JSON.parse(cleanup[0] ?? '{}')).toMatchObject({ status: 'passed', http: 200 });
  });
});

describe('secrets', () => {
  it('stand in no report and in no record of a run', async () => {
    const secrets = ['mysecretinput', 'deepsecretvalue', '481516'];
    const condition = ['my_password', 'otp_code', 'box'].map((name) => `$inputs.${name} == 'x'`).join(' || ');
    const main = {
      workflowId: 'main',
      inputs: {
        type: 'object',
        properties: {
          my_password: { type: 'string' },
          otp_code: { type: 'string' },
          box: { type: 'object', format: 'password' },
        },
      },
      steps: [step('products', 'productsList', undefined, { successCriteria: [{ condition }] })],
    };
    const file = await write('secrets', document(main));
    const out = ['terminal', 'tap', 'junit', 'github', 'ndjson'].flatMap((name) => [
      '--reporter',
      `${name}=${join(journey.home, `secret.${name}`)}`,
    ]);
    const given = [
      '--input',
      'my_password=mysecretinput',
      '--input',
      'otp_code=481516',
      '--input',
      'box={"k":"deepsecretvalue"}',
    ];
    const { code, report, text } = await smoke([file, ...given, ...out]);
    expect(code).toBe(13);
    const paths = ['terminal', 'tap', 'junit', 'github', 'ndjson'].map((name) => join(journey.home, `secret.${name}`));
    const record = join(journey.home, 'state', 'smoke', `${report.run}.ndjson`);
    const files = await Promise.all([...paths, record].map((path) => readFile(path, 'utf8')));
    for (const content of [text, ...files]) for (const secret of secrets) expect(content).not.toContain(secret);
  });
});

describe('a report file', () => {
  it('replaces a file, and neither a link nor a folder', async () => {
    const target = join(journey.home, 'target.txt');
    await writeFile(target, 'kept');
    const link = join(journey.home, 'link.tap');
    await symlink(target, link);
    const folder = join(journey.home, 'folder.tap');
    await mkdir(folder);
    for (const path of [link, folder]) expect((await smoke(['reads', '--reporter', `tap=${path}`])).code).toBe(2);
    expect(await readFile(target, 'utf8')).toBe('kept');
    expect((await smoke(['reads', '--reporter', `tap=${target}`])).code).toBe(0);
    expect(await readFile(target, 'utf8')).toContain('TAP version 14');
    expect((await smoke(['reads', '--reporter', `tap=${target}`, '--reporter', `junit=${target}`])).code).toBe(2);
  });
});

describe('a live service', () => {
  const live = async (args: readonly string[], seen: Received[] = []) => {
    const server = await startServer((request, response) => {
      seen.push(request);
      return envelope(404, 'route_not_found')(request, response);
    });
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: server.url, BURSAR_API_KEY: 'key_0123456789abcdef0123' };
    const ended = await journey.bursar(['smoke', 'run', ...args], { env });
    return { ...ended, calls: seen.map(({ path }) => path) };
  };

  it('needs --live for anything, and runs only reads by default', async () => {
    expect(await live([])).toMatchObject({ code: 2, calls: [], stderr: expect.stringContaining('--live: required') });
    const { code, calls } = await live(['--live']);
    expect([code, calls]).toEqual([13, ['/config/products']]);
  });

  it('needs --max-amount and --yes for a flow that pays', async () => {
    expect(await live(['crypto-payment', '--live', '--yes'])).toMatchObject({
      code: 2,
      calls: [],
      stderr: expect.stringContaining('--max-amount'),
    });
    expect(await live(['crypto-payment', '--live', '--max-amount', '1=USDT'])).toMatchObject({ code: 2, calls: [] });
  });

  it('is paid once, within --max-amount', async () => {
    const calls: string[] = [];
    const service = livePayments(journey.address);
    const server = await startServer((request, response) => {
      calls.push(request.path);
      return service(request, response);
    });
    const steps = paying(journey.address, {
      successCriteria: [{ condition: '$response.body#/data/tid_hash == $steps.sign.outputs.hash' }],
    });
    const file = await write(
      'live',
      document({ workflowId: 'live', steps }).replace('"amount_from":"1"', '"amount_from":"1500"'),
    );
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: server.url, BURSAR_API_KEY: 'key_0123456789abcdef0123' };
    const run = (...args: readonly string[]) =>
      journey.bursar(['smoke', 'run', file, '--live', '--key', 'payer', ...args], { env });
    const executed = () => calls.filter((path) => path.endsWith('/on-chain')).length;

    const signed = await journey.signatures();
    for (const limit of ['1499.999999=USDT', '1500=USDC']) {
      const { code, stdout } = await run('--yes', '--max-amount', limit);
      expect([code, stdout], limit).toEqual([13, expect.stringContaining('Nothing was signed now')]);
    }
    expect([await journey.signatures(), executed()]).toEqual([signed, 0]);
    const { code, stdout, stderr } = await run('--yes', '--max-amount', '1500=USDT');
    expect(code, stdout + stderr).toBe(0);
    // One signature: the step of the signer and the step that sends its bytes each have it in their operation.
    expect([await journey.signatures(), executed()]).toEqual([signed + 2, 1]);
  });

  it('gets no card, however its type is spelled', async () => {
    for (const type of ['cardcrypto', 'CardCrypto', ' cardfiat']) {
      const charge = step('charge', 'payTransaction', {
        payment_id: 'pay_1',
        transaction_type: type,
        card_data: { card: {} },
      });
      const { calls } = await live([
        await write('card', document({ workflowId: 'card', steps: [charge] })),
        '--live',
        '--yes',
        '--max-amount',
        '1=USDT',
      ]);
      expect(calls).toEqual([]);
    }
  });
});
