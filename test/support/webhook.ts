import { connect } from 'node:net';
import { expect } from 'vitest';
import { startBursar } from './bursar.ts';
import { newHomeInProcess, runInProcess } from './in-process.ts';

type Listening = {
  readonly home: string;
  readonly url: string;
  readonly pid: number;
  readonly ended: ReturnType<typeof startBursar>['ended'];
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Waits until stdout has a text. */
  readonly printed: (text: RegExp) => Promise<string>;
};

/** A receiver as a process of its own, in a new home or in this one. */
export const newListener = async (
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  home?: string,
  under: readonly string[] = [],
): Promise<Listening> => {
  const folder = home ?? (await newHomeInProcess()).home;
  const started = startBursar(folder, ['webhook', 'listen', ...args], { env, under });
  let text = '';
  started.child.stdout?.on('data', (chunk: string) => {
    text += chunk;
  });
  const printed = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [found] = wanted.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      };
      started.child.stdout?.on('data', look);
      void started.ended.then(({ stderr }) => reject(new Error(stderr)));
      look();
    });
  const { listening: url } = JSON.parse(await printed(/^\{"listening":"[^"]+"\}(?=\n)/));
  const kill = (signal: NodeJS.Signals) => void started.child.kill(signal);
  return { home: folder, url, pid: started.child.pid ?? 0, ended: started.ended, kill, printed };
};

/** Posts a delivery, and returns the HTTP status. */
export const post = async (
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> => (await fetch(url, { method: 'POST', body, headers })).status;

/** The kept deliveries of a home, as `webhook list --json` prints them. */
export const listed = async (home: string, ...more: readonly string[]) => {
  const { stdout } = await runInProcess(home, ['webhook', 'list', '--json', '--limit', '100000', ...more]);
  return JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[];
};

/** The deliveries in the output of a receiver. */
export const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));

/** A payload as the sandbox sends it. */
export const paid = (status: string, n = 0): string =>
  JSON.stringify({
    event: 'payment.status_changed',
    created_at: '2026-01-01T00:00:00Z',
    data: { id: 'pay_1', status },
    n,
  });

/** Sends raw bytes to a receiver, and returns all that comes back until the connection is closed. */
export const send = (url: string, ...parts: readonly (string | Uint8Array)[]): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(answer));
    for (const part of parts) socket.write(part);
  });

/** The text of a request to a receiver. */
export const request = (url: string, head: readonly string[], body = ''): string =>
  `${[`POST ${new URL(url).pathname} HTTP/1.1`, ...head].join('\r\n')}\r\n\r\n${body}`;

/** The HTTP status of an answer, or `closed`. */
export const statusOf = (answer: string): string => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed';

/** Ends a receiver by Ctrl-C. */
export const stop = async ({ kill, ended }: Pick<Listening, 'kill' | 'ended'>) => {
  kill('SIGINT');
  expect((await ended).code).toBe(130);
};
