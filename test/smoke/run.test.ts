import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';

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

describe('smoke list', () => {
  it('lists the inputs of a file, and no secret', async () => {
    const { data } = await journey.json(['smoke', 'list', await fileOfFlow()]);
    const none = { from: null, sandbox: null, default: null };
    expect(data).toEqual([
      { flow: 'three', name: 'from', required: true, ...none, sandbox: 'BTC', description: 'Token with a price' },
      { flow: 'three', name: 'note', required: false, ...none, default: '********', description: '' },
    ]);
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
