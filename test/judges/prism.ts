import { onTestFinished } from 'vitest';
import { freePort } from './listen.ts';
import { judgesFile, startTool } from './tools.ts';

const POLL_MS = 20;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts Prism as a validating proxy before a service, until the end of the test. Returns its URL. */
export const startPrism = async (openapi: string, upstream: string, args: readonly string[] = []): Promise<string> => {
  const port = await freePort();
  const address = ['--host', '127.0.0.1', '--port', port];
  const { child, printed, ended } = startTool(judgesFile('.bin/prism'), [
    'proxy',
    ...args,
    ...address,
    openapi,
    upstream,
  ]);
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  while (!printed.text.includes('Prism is listening')) {
    if (child.exitCode !== null) throw new Error(printed.text);
    await sleep(POLL_MS);
  }
  return `http://127.0.0.1:${port}`;
};
