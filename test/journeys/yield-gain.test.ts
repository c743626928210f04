import { PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { newSolanaKey } from '../support/cheap-key.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { liveDeposit, startLiveNode } from '../support/live-chain.ts';
import { liveYield } from '../support/live-service.ts';
import { startServer } from '../support/server.ts';

const THIEF = new PublicKey(SANDBOX_SOLANA.fees);
const HUNDRED = 100_000_000n;

/** A live service that builds a deposit for an owner, a node of the real chain, and a key with the deposit. */
const start = async (ownerOf: (wallet: PublicKey) => PublicKey) => {
  const { home, bursar } = await newHomeInProcess();
  const { address } = await newSolanaKey(home, 'saver');
  const wallet = new PublicKey(address);
  const node = await startLiveNode({ wallet, owners: [wallet, THIEF] });
  const service = await startServer(liveYield([liveDeposit(wallet, ownerOf(wallet), HUNDRED)]));
  const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k', BURSAR_KEY_PASSWORD: 'pw' };
  const deposit = async (...more: readonly string[]) => {
    const asked = ['--provider', 'lender', '--chain-name', 'solana', '--asset', 'USDC', '--amount', '100'];
    const allowed = ['--allow-program', SANDBOX_SOLANA.lender];
    const words = ['yield', 'deposit', ...asked, '--key', 'saver', '--sign', '--yes', '--json', ...allowed, ...more];
    const { code, stdout } = await bursar(words, { env });
    return { code, data: JSON.parse(stdout) };
  };
  return { deposit, viaNode: ['--rpc-url', node.url], service, home };
};

test('a live deposit that credits the wallet is signed after a simulation on the real runtime', async () => {
  const { deposit, viaNode } = await start((wallet) => wallet);
  expect(await deposit(...viaNode)).toMatchObject({ code: 0, data: { signed_transaction: expect.any(String) } });
});

test('a live deposit that credits another owner is exit 10, with an allowed program and the right amounts', async () => {
  const { deposit, viaNode } = await start(() => THIEF);
  const { code, data } = await deposit(...viaNode);
  expect({ code, data }).toMatchObject({
    code: 10,
    data: { error: { code: 'refused_by_review', message: expect.stringContaining('no position of its own') } },
  });
});

test('a live deposit without a terminal needs --rpc-url: exit 2, and nothing is sent', async () => {
  const { deposit, service } = await start((wallet) => wallet);
  expect(await deposit()).toMatchObject({
    code: 2,
    data: {
      error: {
        code: 'invalid_input',
        errors: [{ field: '--rpc-url', message: expect.stringContaining('only a node shows') }],
      },
    },
  });
  expect(service.received).toEqual([]);
});
