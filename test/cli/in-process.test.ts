import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newHome } from '../support/bursar.ts';
import { runInProcess } from '../support/in-process.ts';
import { envelope, startServer } from '../support/server.ts';

/** Command lines of each kind: a result, a failure, piped input, a file, help and completion. */
const LINES: readonly (readonly [line: string, stdin: string])[] = [
  ['--version', ''],
  ['', ''],
  ['quote BTC USDT', ''],
  ['quote BTC USDT --json --debug', ''],
  ['quote BTC USDT --jq .price', ''],
  ['order toggle o --json', ''],
  ['order toggle o', ''],
  ['pay register --body -', '{"a":'],
  ['pay register --body body.json', ''],
  ['key sign-message none --message hello', ''],
  ['help quote', ''],
  ['nope', ''],
  ['completion --values keys', ''],
];

/** Removes durations, which differ between runs. */
const constant = (text: string): string => text.replaceAll(/\d+(?:\.\d+)? ?ms\b/g, '');

it.each(LINES)('bursar %s prints the same in the process of the test and in its own process', async (line, stdin) => {
  const { url } = await startServer((received, response) => {
    const isQuote = received.path.startsWith('/quote');
    const answer = isQuote ? envelope(200, 'quote_ok', { data: { price: '1.10' } }) : envelope(404, 'order_not_found');
    return answer(received, response);
  });
  const { home, bursar } = await newHome();
  await writeFile(join(home, 'body.json'), '{"payer_email": 1}');
  const args = line.split(' ').filter(Boolean);
  const given = { stdin, env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' } };
  const [alone, here] = [await bursar(args, given), await runInProcess(home, args, given)];
  expect({ ...here, stderr: constant(here.stderr) }).toEqual({ ...alone, stderr: constant(alone.stderr) });
});

it.each([{ NODE_OPTIONS: '--no-warnings' }, { BURSAR_HOME: '' }])(
  'runInProcess refuses %j, which needs a process of its own',
  async (env) => {
    const { home } = await newHome();
    await expect(runInProcess(home, ['--version'], { env })).rejects.toThrow('is for a process of its own');
  },
);
