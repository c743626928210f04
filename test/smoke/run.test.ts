import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBursar } from '../support/bursar.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { type Journey, type Meddler, startJourney } from '../support/journey.ts';
import { showInProcess } from '../support/shown-in-process.ts';

type Flow = { readonly name: string; readonly status: string };

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

describe('a smoke test without faults', () => {
  it('runs all flows, and stores the run before its first call', async () => {
    const { code, data } = await journey.json(['smoke', 'run']);
    expect(code).toBe(0);
    const flows = data['flows'] as unknown as readonly Flow[];
    expect(flows.map(({ name, status }) => [name, status])).toEqual(
      ['crypto-payment', 'checkout-payment', 'kyc-email', 'kyc-wallet', 'yield', 'reads'].map((name) => [
        name,
        'passed',
      ]),
    );
    const record = await readFile(join(journey.home, 'state', 'smoke', `${String(data['run'])}.ndjson`), 'utf8');
    expect(JSON.parse(record.split('\n')[0] ?? '')).toMatchObject({ event: 'started', kind: 'sandbox' });
    expect(record).not.toMatch(/"code"|signed/);
  });
});

const FILE = `arazzo: 1.0.1
info: { title: Test, version: 1.0.0 }
sourceDescriptions: [{ name: service, type: openapi, url: ./openapi.json }]
workflows:
  - workflowId: three
    inputs:
      type: object
      required: [from]
      properties:
        from: { type: string, description: Token with a price }
        note: { type: string, format: password, default: hidden-note }
    x-bursar-inputs: { from: { sandbox: BTC } }
    steps:
      - stepId: first
        operationId: productsList
        successCriteria: [{ condition: $statusCode == 201 }]
      - { stepId: second, operationId: productsList }
      - { stepId: third, operationId: productsList }
`;

const fileOfFlow = async (): Promise<string> => {
  const file = join(journey.home, 'three.arazzo.yaml');
  await writeFile(file, FILE);
  return file;
};

describe('a flow that fails at its first step', () => {
  it('names the steps that it did not reach', async () => {
    const { code, stdout } = await journey.bursar(['smoke', 'run', await fileOfFlow(), '--reporter', 'junit']);
    expect([code, stdout]).toEqual([13, expect.stringContaining('tests="3" failures="1" errors="0" skipped="2"')]);
    const { data } = await journey.json(['smoke', 'run', await fileOfFlow()]);
    expect(data).toMatchObject({ error: { data: { flows: [{ left: ['second', 'third'] }] } } });
  });
});

describe('an interrupt', () => {
  const waiting = (criteria: string) => `arazzo: 1.0.1
info: { title: Test, version: 1.0.0 }
sourceDescriptions: [{ name: service, type: openapi, url: ./openapi.json }]
workflows:
  - workflowId: waiting
    steps:
      - { stepId: before, operationId: quoteMarket, parameters: [{ name: from, in: query, value: ETH }, { name: to, in: query, value: USDT }] }
      - stepId: slow
        operationId: productsList
        ${criteria}
        onFailure: [{ name: again, type: retry, retryAfter: 30, retryLimit: 9 }]
      - { stepId: after, operationId: productsList }
`;

  it.each([
    ['its call', true],
    ['the wait for its next attempt', false],
  ])('during %s names the step in the reports', async (_, isHeld) => {
    const { home } = journey;
    const file = join(home, 'waiting.arazzo.yaml');
    await writeFile(file, waiting(isHeld ? '' : 'successCriteria: [{ condition: $statusCode == 201 }]'));
    const paths = ['junit', 'tap'].map((name) => join(home, `cut.${name}`));
    const reporters = paths.flatMap((path) => ['--reporter', `${path.slice(path.lastIndexOf('.') + 1)}=${path}`]);
    let started: ReturnType<typeof startBursar> | undefined;
    const holding: Meddler = async ({ path }, forward) => {
      if (!path.startsWith('/config/products')) return forward();
      setTimeout(() => started?.child.kill('SIGINT'), isHeld ? 0 : 500);
      return isHeld ? undefined : forward();
    };
    const { code } = await journey.through(holding, () => {
      started = startBursar(home, ['smoke', 'run', file, ...reporters], { env: SANDBOX_ENV });
      return started.ended;
    });
    const [junit = '', tap = ''] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(code).toBe(130);
    expect(junit).toContain('tests="3" failures="1" errors="0" skipped="1"');
    expect(junit).toMatch(/<testcase name="slow".*>\n +<failure message="expected .*interrupted" type="failed">/);
    expect(tap).toMatch(/not ok 2 - slow: GET .config.products\n/);
    expect(tap).toContain('interrupted');
  });
});

describe('the next command of a step', () => {
  it.each(['terminal', 'junit'])('names the profile of the run in the report %s', async (reporter) => {
    let isSent = false;
    // Neither the call nor the read-back of the payment has an answer, also not for the resume.
    const silent: Meddler = async ({ path }, forward, response) => {
      isSent ||= path.endsWith('/on-chain');
      if (!isSent || !/on-chain$|^.payment.*.status$/.test(path)) return forward();
      response.destroy();
      return undefined;
    };
    const args = ['smoke', 'run', 'crypto-payment', '--profile', 'sandbox', '--reporter', reporter];
    const env = { BURSAR_PROFILE: 'other' };
    for (let at = 0; at < 2; at += 1) {
      const { code, stdout } = await journey.through(silent, () => journey.bursar(args, { env }));
      expect([code, stdout]).toEqual([11, expect.stringMatching(/bursar pay resume \S+ --profile sandbox/)]);
    }
    expect((await journey.bursar(args, { env })).code).toBe(0);
  });
});

describe('the options of a run', () => {
  it('have a limit only of a token that the sandbox has', async () => {
    const limited = (limit: string) => journey.bursar(['smoke', 'run', 'reads', '--max-amount', limit]);
    const { code, stdout, stderr } = await limited('1=FOO');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('the sandbox has no token FOO')]);
    for (const limit of ['1=usdt', '1=SOL', `1=0x${'1'.repeat(40)}`]) expect((await limited(limit)).code).toBe(0);
  });

  it('that are missing for a live service are named in one error, with the key', async () => {
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'key_0123456789abcdef0123' };
    const { code, stderr } = await bursar(['smoke', 'run', 'crypto-payment', 'yield'], { env });
    expect(code).toBe(2);
    for (const text of ['--live: ', '--max-amount: ', '--yes: ', 'no key for EVM chains', 'no key for Solana'])
      expect(stderr).toContain(text);
  });
});

describe('smoke list', () => {
  it('lists the inputs of a file, and no secret', async () => {
    const { data } = await journey.json(['smoke', 'list', await fileOfFlow()]);
    const none = { from: null, sandbox: null, default: null };
    expect(data).toEqual([
      { flow: 'three', name: 'from', required: true, ...none, sandbox: 'BTC', description: 'Token with a price' },
      { flow: 'three', name: 'note', required: false, ...none, default: '********', description: '' },
    ]);
  });

  it('names the flow of each input at 80 columns, and the columns that it hides', async () => {
    const { home } = journey;
    const file = join(home, 'all.arazzo.yaml');
    await writeFile(file, (await journey.bursar(['smoke', 'list', '--arazzo'])).stdout);
    const look = { columns: 80, env: { NO_COLOR: '1' } };
    const all = await showInProcess(home, ['smoke', 'list', file], look);
    expect(all.stdout).toMatch(/^flow +name +required .*\ncrypto-payment +api_key +true /);
    expect(all.stderr).toContain('Hidden columns: sandbox');
    expect((await showInProcess(home, ['smoke', 'list', 'reads'], look)).stdout).toMatch(
      /^flow +name .*\nreads +api_key/,
    );
  });

  it('lists the inputs of a flow of the package, and where each comes from', async () => {
    const { stdout } = await journey.bursar(['smoke', 'list', 'yield']);
    expect(stdout).toMatch(/^yield\twallet\ttrue\tsolana-key\t/m);
  });

  it.each([
    ['no-such-flow', []],
    ['reads', ['--arazzo']],
  ])('refuses %s %j', async (flow, more) => {
    expect(await journey.bursar(['smoke', 'list', flow, ...more])).toMatchObject({ code: 2 });
  });
});
