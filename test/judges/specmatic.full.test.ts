import { readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { newHome } from '../support/bursar.ts';
import { writeDocuments } from './document.ts';
import { type Exchange, endpointOf, startRouter } from './router.ts';
import { judged, judgesFile, startTool } from './tools.ts';

/** How many combinations of fields Specmatic tries for each answer of each endpoint. */
const COMBINATIONS = '3';

/**
 * Patterns that Specmatic cannot use, each with a narrower one. One text for the first pattern takes it many seconds. Some
 * texts for the second make no URL, and it then sends nothing.
 */
const NARROWER_PATTERNS = [
  [String.raw`^[^_\s]\S*_[0-9a-fA-F]{32}$`, '^[a-z]{1,9}_[0-9a-f]{32}$'],
  [String.raw`^(?:\.{3,}|\.*[^.\s/\\?#%][^\s/\\?#%]*)$`, '^[A-Za-z0-9._-]{3,40}$'],
] as const;

const narrow = async (openapi: string): Promise<void> => {
  let text = await readFile(openapi, 'utf8');
  for (const [pattern, narrower] of NARROWER_PATTERNS) {
    if (!text.includes(JSON.stringify(pattern)))
      throw new Error(`the document does not contain the pattern ${pattern}`);
    text = text.replaceAll(JSON.stringify(pattern), JSON.stringify(narrower));
  }
  await writeFile(openapi, text);
};

/** Whether the contract lacks this answer. A generated value can also make a path of no endpoint. */
const isUndocumented = (exchange: Exchange): boolean => {
  const endpoint = endpointOf(exchange);
  if (!endpoint) return exchange.status !== 'route_not_found' && exchange.status !== 'method_not_allowed';
  const { success, errors } = endpoint;
  const http = success[exchange.status]?.http ?? errors[exchange.status as keyof typeof errors];
  return http === undefined || (http !== null && http !== exchange.http);
};

judged(
  'the sandbox returns only documented answers to hundreds of generated requests, and keeps running',
  async () => {
    const { folder, openapi } = await writeDocuments();
    await narrow(openapi);
    const { bursar } = await newHome();
    const { url, api_key, pid } = JSON.parse((await bursar(['sandbox', 'start', '--ephemeral', '--json'])).stdout);
    onTestFinished(async () => {
      await bursar(['sandbox', 'stop']);
    });
    const router = await startRouter(url);
    const options = ['--testBaseURL', router.url, '--timeout', '20', openapi];
    // In a run of a minute, the last tier of the Java compiler costs more time than it saves.
    const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', judgesFile('specmatic/specmatic.jar'), 'test'];
    const env = { ApiKey: api_key, SPECMATIC_GENERATIVE_TESTS: 'true', MAX_TEST_REQUEST_COMBINATIONS: COMBINATIONS };
    const { output } = await startTool('java', [...java, ...options], env, folder).ended;

    // The verdict of Specmatic is not used: it expects every generated payment id to exist.
    const run = Number(/Tests run: (\d+)/.exec(output)?.[1]);
    expect(run, output).toBeGreaterThan(300);
    expect(router.exchanges.length).toBeGreaterThanOrEqual(300);
    expect(router.exchanges.filter(isUndocumented)).toEqual([]);
    const called = router.exchanges.map((exchange) => endpointOf(exchange)?.id);
    expect(ENDPOINTS.map(({ id }) => id).filter((id) => !called.includes(id))).toEqual([]);
    const status = JSON.parse((await bursar(['sandbox', 'status', '--json'])).stdout);
    expect(status).toMatchObject({ running: true, pid });
  },
  { timeoutMs: 240_000, needs: ['java'] },
);
