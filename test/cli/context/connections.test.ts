import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { hasStrace } from '../../support/strace.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const PAY = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];

/** The target of each `connect` to an internet address, such as `127.0.0.1:80`. */
const placesIn = (trace: string): ReadonlySet<string> =>
  new Set(
    trace.split('\n').flatMap((line) => {
      const port = /sin6?_port=htons\((\d+)\)/.exec(line)?.[1];
      const address = /sin_addr=inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(line);
      return line.includes('connect(') && port ? [`${address?.[1] ?? address?.[2]}:${port}`] : [];
    }),
  );

describe.runIf(hasStrace('the list of connections'))('every connection of a command', () => {
  it.each([
    ['a read', ['quote', 'BTC', 'USDT'], ['service']],
    ['a change', ['kyc', 'prepare', '--email', 'ana@example.com'], ['service']],
    ['a payment', PAY, ['service']],
    ['a payment with a node', PAY, ['service', 'node']],
    ['a check of this machine', ['doctor'], ['service']],
    ['a command without a service', ['explain', '11'], []],
  ])('of %s goes to the service, to a node that the user names, and nowhere else', async (_, args, expected) => {
    const one = await sandbox.newCase();
    const log = join(one.home, 'connections');
    const under = ['strace', '-f', '-qq', '-e', 'trace=connect', '-o', log];
    const node = expected.includes('node') ? ['--rpc-url', one.rpcUrl] : [];
    const { code, stderr } = await one.start([...args, ...node, '--json'], { under }).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const places = { service: new URL(one.proxy.url).host, node: new URL(one.rpcUrl).host };
    const found = placesIn(await readFile(log, 'utf8'));
    expect([...found].toSorted()).toEqual(expected.map((name) => places[name as 'node']).toSorted());
  });
});
