import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { runBursar } from '../support/bursar.ts';
import { type Meddler, PAYMENT, startJourney } from '../support/journey.ts';
import { describedFolder } from './document.ts';
import { startPrism } from './prism.ts';
import { endpointOf, type Passed, startRouter } from './router.ts';
import { judged, startTool } from './tools.ts';

/**
 * Tests of the sandbox in which every documented answer occurs: each error once, each state of each kind of payment and
 * of KYC, and what is read. What the others ask is no news to a proxy.
 */
const FILES = ['errors/', 'transitions/', 'kyc-email', 'kyc-wallet', 'orders', 'quote', 'tenants', 'yield/'];

/** It loads the sandbox once. */
const ONE_PROCESS = ['--no-isolate', '--maxWorkers', '1'];

/** Tests that cannot pass through a proxy that checks, and why. */
const NOT_THROUGH = {
  'bodies that the proxy cannot parse': ['no usable JSON object'],
  'digits beyond a JavaScript number, which the proxy rounds': ['digits of an'],
};

/** Documented answers that did not occur. */
const unseen = (passed: readonly Passed[]): readonly string[] => {
  const seen = new Set(passed.map((one) => `${endpointOf(one)?.id} ${one.status}`));
  return ENDPOINTS.flatMap(({ id, success, errors }) =>
    Object.keys({ ...success, ...errors }).map((status) => `${id} ${status}`),
  ).filter((answer) => !seen.has(answer));
};

judged(
  'every documented answer of the sandbox occurs before Prism, and none differs from the OpenAPI document',
  async () => {
    const { openapi } = await describedFolder();
    const { url, passed } = await startRouter();
    const env = { BURSAR_TEST_THROUGH: await startPrism(openapi, url) };
    const names = Object.values(NOT_THROUGH).flat().join('|');
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/tools/vitest.config.ts', ...ONE_PROCESS];
    const wanted = [...FILES.map((name) => `test/sandbox/${name}`), '--testNamePattern', `^(?!.*(?:${names}))`];
    const { code, output } = await startTool(process.execPath, [...vitest, ...wanted], env).ended;
    expect(code, output).toBe(0);
    expect(unseen(passed)).toEqual([]);
  },
  { timeoutMs: 400_000 },
);

judged(
  'an answer that differs from the document is seen: the status of a quote, in a document of its own',
  async () => {
    const { openapi } = await describedFolder();
    await writeFile(openapi, (await readFile(openapi, 'utf8')).replace('"const": "quote_ok"', '"const": "quoted"'));
    const { address } = await startEphemeral();
    const prism = await startPrism(openapi, address.url, ['--errors']);
    const answer = await fetch(`${prism}/quote/market?from=BTC&to=USDT`, { headers: { 'x-api-key': address.api_key } });
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('body","status')]);
  },
);

const WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const AT_A = `--chain-name solana --asset USDC --wallet ${WALLET}`;

/** What an operator does in a day, a command a line; `{name}` stands for what an earlier one answered. */
const DAY = [
  'products',
  'quote BTC USDT',
  'quote ETH SOL',
  'pay run --body payment.json --key payer --yes',
  'pay register --body payment.json',
  'pay transaction {payment_id} --transaction-type crypto --payer-email a@example.com --payer-wallet {address} --chain-name polygon --payer-token-symbol USDT',
  'pay execute {payment_id} --key payer --yes',
  'pay status {payment_id} --wait',
  'order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto',
  'order list',
  'order update {order_id} --amount-from 59.90',
  'order toggle {order_id}',
  'kyc challenge --wallet {address}',
  'kyc prepare --email a@example.com',
  'kyc send-otp --email a@example.com',
  'sandbox inbox',
  'kyc verify-otp --email a@example.com --code {code}',
  'kyc create --email a@example.com',
  'kyc status --email a@example.com',
  'yield strategies',
  'yield strategies USDC',
  'yield opportunities',
  'yield opportunities USDC',
  `sandbox fund ${WALLET} --chain solana`,
  `yield deposit --provider provider_a --amount 25 ${AT_A}`,
  `yield earnings --provider provider_a ${AT_A}`,
] as const;

judged(
  'a day of the built program passes through "prism proxy --errors" without a violation',
  async () => {
    const { openapi } = await describedFolder();
    const journey = await startJourney(runBursar);
    onTestFinished(journey.end);
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
    const { url } = JSON.parse(await readFile(join(journey.home, 'sandbox/server.json'), 'utf8'));
    const prism = await startPrism(openapi, url, ['--errors']);
    let calls = 0;
    const throughPrism: Meddler = async ({ method, path, body, headers }, forward) => {
      // The control and the nodes of the sandbox are not in the document.
      if (path.startsWith('/_')) return forward();
      calls += 1;
      const answer = await fetch(prism + path, { method, headers, ...(body && { body }) });
      return { status: answer.status, body: await answer.text() };
    };
    const known: Record<string, string> = { address: journey.address };
    await journey.through(throughPrism, async () => {
      for (const line of DAY) {
        const words = line
          .split(' ')
          .map((word) => word.replace(/^\{(\w+)\}$/, (_, name: string) => known[name] ?? ''));
        const { code, stdout, stderr } = await journey.bursar([...words, '--json']);
        expect([line, code], stdout + stderr).toEqual([line, 0]);
        const answer = JSON.parse(stdout);
        Object.assign(known, Array.isArray(answer) ? answer[0] : answer);
      }
    });
    expect(calls).toBeGreaterThan(DAY.length);
  },
  { timeoutMs: 240_000 },
);
