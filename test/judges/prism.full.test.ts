import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { runBursar } from '../support/bursar.ts';
import { type Meddler, PAYMENT, startJourney } from '../support/journey.ts';
import { writeDocuments } from './document.ts';
import { startPrism } from './prism.ts';
import { type Exchange, endpointOf, startRouter } from './router.ts';
import { judged, startTool } from './tools.ts';

/**
 * Tests of the sandbox that together get every documented answer: each error, each state of each kind of payment and of
 * KYC, and each read. Other tests make the same calls.
 */
const FILES = ['errors/', 'transitions/', 'kyc-email', 'kyc-wallet', 'orders', 'quote', 'tenants', 'yield/'];

/** One process loads the sandbox once. */
const ONE_PROCESS = ['--no-isolate', '--maxWorkers', '1'];

/** Parts of the titles of tests that cannot run through Prism, by the reason. */
const EXCLUDED_TITLES = {
  'digits beyond a JavaScript number, which Prism rounds': ['digits of an'],
};

/** Documented answers that no call got. */
const missingAnswers = (exchanges: readonly Exchange[]): readonly string[] => {
  const seen = new Set(exchanges.map((exchange) => `${endpointOf(exchange)?.id} ${exchange.status}`));
  return ENDPOINTS.flatMap(({ id, success, errors }) =>
    Object.keys({ ...success, ...errors }).map((status) => `${id} ${status}`),
  ).filter((answer) => !seen.has(answer));
};

judged(
  'Prism relays every documented answer of the sandbox and reports no difference from the document',
  async () => {
    const { openapi } = await writeDocuments();
    const { url, exchanges } = await startRouter();
    const env = { BURSAR_TEST_THROUGH: await startPrism(openapi, url) };
    const names = Object.values(EXCLUDED_TITLES).flat().join('|');
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/tools/vitest.config.ts', ...ONE_PROCESS];
    const selection = [...FILES.map((name) => `test/sandbox/${name}`), '--testNamePattern', `^(?!.*(?:${names}))`];
    const { code, output } = await startTool(process.execPath, [...vitest, ...selection], env).ended;
    expect(code, output).toBe(0);
    expect(missingAnswers(exchanges)).toEqual([]);
  },
  { timeoutMs: 400_000 },
);

judged('Prism reports a quote whose status differs from the document', async () => {
  const { openapi } = await writeDocuments();
  await writeFile(openapi, (await readFile(openapi, 'utf8')).replace('"const": "quote_ok"', '"const": "quoted"'));
  const { address } = await startEphemeral();
  const prism = await startPrism(openapi, address.url, ['--errors']);
  const answer = await fetch(`${prism}/quote/market?from=BTC&to=USDT`, { headers: { 'x-api-key': address.api_key } });
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('body","status')]);
});

const WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const POSITION = `--chain-name solana --asset USDC --wallet ${WALLET}`;

/** The commands of a day, one per line. `{name}` stands for a field of an earlier result. */
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
  `yield deposit --provider provider_a --amount 25 ${POSITION}`,
  `yield earnings --provider provider_a ${POSITION}`,
] as const;

judged(
  'the built program makes the calls of a day through "prism proxy --errors" without a violation',
  async () => {
    const { openapi } = await writeDocuments();
    const journey = await startJourney(runBursar);
    onTestFinished(journey.end);
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
    const { url } = JSON.parse(await readFile(join(journey.home, 'sandbox/server.json'), 'utf8'));
    const prism = await startPrism(openapi, url, ['--errors']);
    let calls = 0;
    const throughPrism: Meddler = async ({ method, path, body, headers }, forward) => {
      // The document does not contain the control and the nodes of the sandbox.
      if (path.startsWith('/_')) return forward();
      calls += 1;
      const answer = await fetch(prism + path, { method, headers, ...(body && { body }) });
      return { status: answer.status, body: await answer.text() };
    };
    const fields: Record<string, string> = { address: journey.address };
    await journey.through(throughPrism, async () => {
      for (const line of DAY) {
        const words = line
          .split(' ')
          .map((word) => word.replace(/^\{(\w+)\}$/, (_, name: string) => fields[name] ?? ''));
        const { code, stdout, stderr } = await journey.bursar([...words, '--json']);
        expect([line, code], stdout + stderr).toEqual([line, 0]);
        const result = JSON.parse(stdout);
        Object.assign(fields, Array.isArray(result) ? result[0] : result);
      }
    });
    expect(calls).toBeGreaterThan(DAY.length);
  },
  { timeoutMs: 240_000 },
);
