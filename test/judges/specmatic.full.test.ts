import { readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { newHome } from '../support/bursar.ts';
import { describedFolder } from './document.ts';
import { endpointOf, type Passed, startRouter } from './router.ts';
import { judged, judgesFile, startTool } from './tools.ts';

/** Combinations of fields that are tried for each answer of each endpoint. */
const COMBINATIONS = '3';

/**
 * Patterns that Specmatic cannot work with, and narrower ones for it: for one text of the first it takes many seconds,
 * and what it makes of the second is not always a URL, so that nothing is sent.
 */
const NARROWED = [
  [String.raw`^[^_\s]\S*_[0-9a-fA-F]{32}$`, '^[a-z]{1,9}_[0-9a-f]{32}$'],
  [String.raw`^(?:\.{3,}|\.*[^.\s/\\?#%][^\s/\\?#%]*)$`, '^[A-Za-z0-9._-]{3,40}$'],
] as const;

const narrow = async (openapi: string): Promise<void> => {
  let text = await readFile(openapi, 'utf8');
  for (const [pattern, narrower] of NARROWED) {
    if (!text.includes(JSON.stringify(pattern))) throw new Error(`the pattern has changed: ${pattern}`);
    text = text.replaceAll(JSON.stringify(pattern), JSON.stringify(narrower));
  }
  await writeFile(openapi, text);
};

/** An answer that the contract does not have. A generated value may lead to a path that is none of its. */
const isUndocumented = (one: Passed): boolean => {
  const endpoint = endpointOf(one);
  if (!endpoint) return one.status !== 'route_not_found' && one.status !== 'method_not_allowed';
  const { success, errors } = endpoint;
  const http = success[one.status]?.http ?? errors[one.status as keyof typeof errors];
  return http === undefined || (http !== null && http !== one.http);
};

judged(
  'hundreds of generated requests end no sandbox, and get documented answers alone',
  async () => {
    const { folder, openapi } = await describedFolder();
    await narrow(openapi);
    const { bursar } = await newHome();
    const { url, api_key, pid } = JSON.parse((await bursar(['sandbox', 'start', '--ephemeral', '--json'])).stdout);
    onTestFinished(async () => {
      await bursar(['sandbox', 'stop']);
    });
    const router = await startRouter(url);
    const options = ['--testBaseURL', router.url, '--timeout', '20', openapi];
    // The compiler's last tier costs more than it gains in a minute.
    const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', judgesFile('specmatic/specmatic.jar'), 'test'];
    const env = { ApiKey: api_key, SPECMATIC_GENERATIVE_TESTS: 'true', MAX_TEST_REQUEST_COMBINATIONS: COMBINATIONS };
    const { output } = await startTool('java', [...java, ...options], env, folder).ended;

    // Its own verdict counts for nothing: it takes every generated payment for one that exists.
    const run = Number(/Tests run: (\d+)/.exec(output)?.[1]);
    expect(run, output).toBeGreaterThan(300);
    expect(router.passed.length).toBeGreaterThanOrEqual(300);
    expect(router.passed.filter(isUndocumented)).toEqual([]);
    const met = router.passed.map((one) => endpointOf(one)?.id);
    expect(ENDPOINTS.map(({ id }) => id).filter((id) => !met.includes(id))).toEqual([]);
    const status = JSON.parse((await bursar(['sandbox', 'status', '--json'])).stdout);
    expect(status).toMatchObject({ running: true, pid });
  },
  { timeoutMs: 240_000, needs: ['java'] },
);
