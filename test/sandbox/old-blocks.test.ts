import { expect, onTestFinished, test } from 'vitest';
import { startSandbox, stopSandbox } from '../../src/sandbox/launcher.ts';
import { execute, fund, newPayer, prepare, RECEIVERS, statusOf } from './payer.ts';
import { launchingIo, useSandboxProgram } from './program.ts';
import { type Client, clientOf } from './sandbox.ts';

const program = useSandboxProgram();

/** A number of blocks after which the node has dropped the transactions of older blocks. */
const LATER_BLOCKS = 140;

const callChain = async ({ address }: Client, method: string, ...params: readonly unknown[]): Promise<string> => {
  const answer = await fetch(`${address.url}/_chain/polygon`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return answer.text();
};

/** All answers about a payment and its block, byte for byte. */
const readPayment = async (client: Client, hash: string, block: string): Promise<readonly string[]> =>
  Promise.all([
    callChain(client, 'eth_getTransactionByHash', hash),
    callChain(client, 'eth_getTransactionReceipt', hash),
    callChain(client, 'eth_getBlockByNumber', block, true),
    callChain(client, 'eth_getBlockByNumber', block, false),
    callChain(client, 'eth_getBlockReceipts', block),
    callChain(client, 'eth_getLogs', { fromBlock: block, toBlock: block }),
    callChain(client, 'eth_getLogs', { fromBlock: '0x0', toBlock: block, topics: [] }),
  ]);

const mineLater = async (client: Client): Promise<void> => {
  const other = newPayer();
  await Promise.all(Array.from({ length: LATER_BLOCKS }, () => fund(client, other)));
};

test('returns the same bytes for a payment on its chain 140 blocks later, after kill -9 and after a restart', async () => {
  const io = await launchingIo(program());
  onTestFinished(async () => void (await stopSandbox(io)));
  let client = clientOf(io, await startSandbox(io, {}));
  const payer = newPayer();
  await fund(client, payer);
  const { id, raw } = await prepare(client, { payer });
  expect((await execute(client, id, raw)).body.status).toBe('payment_confirmed');
  const { tid_hash: hash } = await statusOf(client, id);
  const { result } = JSON.parse(await callChain(client, 'eth_getTransactionReceipt', hash));
  expect(result.logs.map(({ topics }: { topics: string[] }) => topics[2]?.slice(-40))).toEqual(
    RECEIVERS.map((receiver) => receiver.slice(2)),
  );
  const expected = await readPayment(client, hash, result.blockNumber);

  await mineLater(client);
  expect(await readPayment(client, hash, result.blockNumber)).toEqual(expected);
  const newest = JSON.parse(await callChain(client, 'eth_blockNumber')).result;
  const last = await callChain(client, 'eth_getBlockByNumber', newest, true);

  const { pid } = client.address;
  process.kill(pid, 'SIGKILL');
  while (io.processes.isRunning(pid)) await io.clock.sleep(10);
  client = clientOf(io, await startSandbox(io, {}));
  expect(await readPayment(client, hash, result.blockNumber)).toEqual(expected);
  expect(await callChain(client, 'eth_getBlockByNumber', newest, true)).toBe(last);

  await stopSandbox(io);
  client = clientOf(io, await startSandbox(io, {}));
  expect(await readPayment(client, hash, result.blockNumber)).toEqual(expected);
  expect(await callChain(client, 'eth_getBlockByNumber', newest, true)).toBe(last);
  await client.control('POST', 'reset');
  expect(JSON.parse(await callChain(client, 'eth_getTransactionReceipt', hash)).result).toBeNull();
});
