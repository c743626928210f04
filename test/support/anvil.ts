import { type ChildProcess, spawn } from 'node:child_process';
import { findAnvil } from '../../src/sandbox/chains/anvil-binary.ts';
import { encodeMint, encodeTokenDeployment } from '../../src/sandbox/chains/contracts/encode.ts';
import { DEPLOYER, mineOwn } from '../../src/sandbox/chains/mine.ts';
import { ask, httpLink, openRpc, type Rpc, toHex } from '../../src/sandbox/chains/rpc.ts';

/** An anvil that mines only when a test asks it to. `call` throws an error of anvil; `rpc` returns it. */
export type TestAnvil = {
  readonly rpc: Rpc;
  readonly call: (method: string, ...params: readonly unknown[]) => Promise<unknown>;
  /** Deploys the sandbox's token to an address and mints units for each owner. */
  readonly putToken: (address: string, units: Readonly<Record<string, bigint>>) => Promise<void>;
  readonly stop: () => void;
};

/** Resolves with the port that anvil prints. */
const portOf = (node: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let printed = '';
    node.once('close', (code) => reject(new Error(`anvil ended with ${code}: ${printed}`)));
    node.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [, port] = /Listening on \S+:(\d+)/.exec(printed) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
  });

/** Starts an anvil. Unlike the node of the sandbox, it keeps past states. `flags` are further options of anvil. */
export const startTestAnvil = async (chainId: number, ...flags: readonly string[]): Promise<TestAnvil> => {
  const defaults = [
    '--port',
    '0',
    '--accounts',
    '0',
    '--no-mining',
    '--order',
    'fifo',
    '--prune-history',
    '50000',
    '--chain-id',
    String(chainId),
  ];
  const node = spawn(findAnvil(), [...defaults, ...flags], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const rpc = openRpc(httpLink({ host: '127.0.0.1', port: await portOf(node) }), 'anvil');
  const call = (method: string, ...params: readonly unknown[]): Promise<unknown> => ask(rpc, method, params);
  const putToken: TestAnvil['putToken'] = async (address, units) => {
    await call('anvil_impersonateAccount', DEPLOYER);
    await call('anvil_setBalance', DEPLOYER, toHex(10n ** 21n));
    const deployed = await mineOwn(rpc, { data: encodeTokenDeployment('Tether USD', 'USDT', 6) });
    if (!deployed.ok) throw new Error(deployed.message);
    const { contractAddress } = (await call('eth_getTransactionReceipt', deployed.hash)) as { contractAddress: string };
    await call('anvil_setCode', address, await call('eth_getCode', contractAddress, 'latest'));
    for (const [owner, amount] of Object.entries(units)) {
      await mineOwn(rpc, { to: address, data: encodeMint({ to: owner, units: amount }) });
    }
  };
  return { rpc, call, putToken, stop: () => void node.kill('SIGINT') };
};
