import { onTestFinished } from 'vitest';
import { freePort } from './listen.ts';
import { judgesFile, startTool } from './tools.ts';

const LOOK_EVERY_MS = 20;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts Prism as a validating proxy before a service; ended after the test. */
export const startPrism = async (openapi: string, upstream: string, args: readonly string[] = []): Promise<string> => {
  const port = await freePort();
  const at = ['--host', '127.0.0.1', '--port', port];
  const { child, said, ended } = startTool(judgesFile('.bin/prism'), ['proxy', ...args, ...at, openapi, upstream]);
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  while (!said.output.includes('Prism is listening')) {
    if (child.exitCode !== null) throw new Error(said.output);
    await sleep(LOOK_EVERY_MS);
  }
  return `http://127.0.0.1:${port}`;
};
