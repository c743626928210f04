import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSecretInput } from '../../src/cli/commands/smoke/inputs.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { envelope, startServer } from '../support/server.ts';

type Fields = Readonly<Record<string, unknown>>;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const write = async (...workflows: readonly Fields[]): Promise<string> => {
  const path = join(journey.home, 'flow.arazzo.json');
  const document = { arazzo: '1.0.1', sourceDescriptions: [{ name: 'service' }], workflows };
  await writeFile(path, JSON.stringify(document));
  return path;
};

const smoke = async (file: string, ...args: readonly string[]) => {
  const { code, data } = await journey.json(['smoke', 'run', file, ...args]);
  const error = data['error'] as unknown as { data: unknown } | undefined;
  const { flows = [] } = Object(error?.data ?? data) as { readonly flows?: readonly { steps: readonly Fields[] }[] };
  return { code, steps: flows.flatMap(({ steps }) => steps), text: JSON.stringify(data) };
};

/** A workflow that sends its inputs as a quote. */
const quoting = (properties: Fields, more: Fields = {}): Fields => ({
  workflowId: 'main',
  inputs: { type: 'object', properties },
  steps: [
    {
      stepId: 'quote',
      operationId: 'quoteMarket',
      parameters: Object.keys(properties).map((name) => ({ name, in: 'query', value: `$inputs.${name}` })),
    },
  ],
  ...more,
});

describe('the value of an input', () => {
  it.each([
    ['page=500', { page: { type: 'integer', minimum: 1, maximum: 5 } }, 'input page: it must be at most 5'],
    ['page=0', { page: { type: 'integer', minimum: 1 } }, 'input page: it must be at least 1'],
    ['page=1.5', { page: { type: 'integer' } }, 'input page: it must be of type integer'],
    ['page=9007199254740993.5', { page: { type: 'integer' } }, 'input page: it must be of type integer'],
    ['page=x', { page: { type: 'number' } }, 'input page: it must be of type number'],
    ['page=5', { page: { type: 'number', exclusiveMaximum: 5 } }, 'input page: it must be less than 5'],
    ['from=zzzz', { from: { type: 'string', pattern: '^a$' } }, 'input from: it must be a text that matches ^a$'],
    ['from=zzzz', { from: { type: 'string', maxLength: 3 } }, 'a text with a length of at most 3'],
    ['from=z', { from: { type: 'string', minLength: 2 } }, 'a text with a length of at least 2'],
    ['page=1.2', { page: { type: 'number', enum: [1, 1.1] } }, 'input page: it must be one of 1, 1.1'],
    [`from=${'a'.repeat(40)}b`, { from: { type: 'string', pattern: '^(a+)+$' } }, 'was not checked within 200 ms'],
  ])('%s with the schema %j is refused before anything is sent', async (input, properties, problem) => {
    const { code, text, steps } = await smoke(await write(quoting(properties)), '--input', input);
    expect([code, steps], text).toEqual([2, []]);
    expect(text).toContain(problem);
  });

  it('is refused if it comes from the profile, such as the API key, by an option and by a file', async () => {
    const path = join(journey.home, 'inputs.json');
    await writeFile(path, JSON.stringify({ api_key: 'hidden-value-1' }));
    for (const given of [
      ['--input', 'api_key=hidden-value-1'],
      ['--inputs', path],
    ]) {
      const { code, text } = await smoke('reads', ...given);
      expect([code, text]).toEqual([2, expect.stringContaining('the flows take api_key from the profile')]);
      expect(text).not.toContain('hidden-value-1');
    }
  });

  it('within its schema is sent', async () => {
    const properties = {
      from: { type: 'string', pattern: '^[A-Z]+$', maxLength: 3 },
      to: { type: 'string', default: 'USDT', enum: ['USDT'] },
      page: { type: 'number', enum: [1.5] },
    };
    const { code, text } = await smoke(await write(quoting(properties)), '--input', 'from=ETH', '--input', 'page=1.50');
    expect(code, text).toBe(0);
  });

  it('has a clear message if its name is unknown, or if it is missing', async () => {
    const without = await smoke(await write(quoting({})), '--input', 'foo=1');
    expect([without.code, without.text]).toEqual([2, expect.stringContaining('The run has no inputs.')]);
    const missing = quoting({ sec: { type: 'string' } }, { inputs: { required: ['sec'], properties: { sec: {} } } });
    const { code, text } = await smoke(await write(missing));
    expect([code, text]).toEqual([2, expect.stringContaining('"required by main"')]);
  });

  it('is a secret as a number too, and no secret as the symbol of a token', async () => {
    const properties = { otp_code: { type: 'integer' }, pin: { type: 'number' }, token: { type: 'string' } };
    const condition = '$inputs.otp_code == 1 || $inputs.pin == 1 || $inputs.token == 1';
    const main = quoting(properties, {
      steps: [{ stepId: 'a', operationId: 'productsList', successCriteria: [{ condition }] }],
    });
    const given = ['otp_code=481516', 'pin=2342.10', 'token=USDT'].flatMap((input) => ['--input', input]);
    const report = join(journey.home, 'report.tap');
    const { code, text } = await smoke(await write(main), ...given, '--reporter', `tap=${report}`);
    expect(code).toBe(13);
    for (const content of [text, await readFile(report, 'utf8')]) {
      expect(content).not.toMatch(/481516|2342\.1/);
      expect(content).toContain('USDT');
    }
    expect([isSecretInput('token', 'USDT'), isSecretInput('token', 'a secret')]).toEqual([false, true]);
  });
});

describe('a called workflow', () => {
  const calling = (inner: Fields, more: Fields = {}): readonly Fields[] => [
    { workflowId: 'main', steps: [{ stepId: 'call', workflowId: 'sub' }], ...more },
    { workflowId: 'sub', ...inner },
  ];

  it('finds out that a webhook is missing', async () => {
    const steps = [
      {
        stepId: 'hook',
        operationId: 'awaitWebhook',
        requestBody: { payload: { payment_id: 'pay_none', status: 'success', seconds: 1 } },
        successCriteria: [{ condition: "$response.body#/data/state != 'missing'" }],
      },
    ];
    const receiver = {
      inputs: { properties: { webhook_url: { type: 'string' } } },
      'x-bursar-inputs': { webhook_url: { from: 'receiver' } },
    };
    const { code, text } = await smoke(await write(...calling({ steps }, receiver)));
    expect([code, text]).toEqual([13, expect.stringContaining('state is \\"missing\\"')]);
  });

  it('needs the key of the service, which the command reports before its first call', async () => {
    const server = await startServer(envelope(404, 'route_not_found'));
    const file = await write(...calling({ steps: [{ stepId: 'list', operationId: 'orderList' }] }));
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: server.url, BURSAR_API_KEY: '' };
    expect(await journey.bursar(['smoke', 'run', file, '--live'], { env })).toMatchObject({ code: 4 });
  });

  it('is not called with an output that is missing, and no step is sent or repeated with one', async () => {
    const read = { stepId: 'read', operationId: 'productsList', outputs: { symbol: '$response.body#/data/nothing' } };
    const from = { name: 'from', value: '$steps.read.outputs.symbol' };
    const sub = { workflowId: 'sub', ...quoting({ from: { type: 'string' } }) };
    const main = { workflowId: 'main', steps: [read, { stepId: 'call', workflowId: 'sub', parameters: [from] }] };
    const called = await smoke(await write(main, { ...sub, workflowId: 'sub' }));
    expect([called.code, called.text]).toEqual([
      13,
      expect.stringContaining('symbol is missing; step call called nothing'),
    ]);
    const onFailure = [{ name: 'again', type: 'retry', retryAfter: 1, retryLimit: 3 }];
    const quote = { stepId: 'quote', operationId: 'quoteMarket', parameters: [{ ...from, in: 'query' }], onFailure };
    const { code, steps } = await smoke(await write({ workflowId: 'main', steps: [read, quote] }));
    expect([code, steps.at(-1)]).toEqual([13, expect.objectContaining({ attempts: 1, status: 'failed' })]);
  });
});
