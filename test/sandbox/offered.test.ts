import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHAIN_NAMES } from '../../src/contract/chains.ts';
import { startEphemeral, type TestSandbox } from './sandbox.ts';

type Io = Parameters<typeof addressFile>[0];

const addressFile = async ({ files, places }: TestSandbox['io']) => {
  const bytes = await files.read(join(places.sandbox, 'server.json'));
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
};

const enabledIn = async (io: Io) =>
  (await addressFile(io)).chains.flatMap((chain: { name: string; enabled: boolean }) =>
    chain.enabled ? [chain.name] : [],
  );

test('writes the enabled chains and the providers to the address file, after each switch and a reset', async () => {
  const { io, control, stop } = await startEphemeral();
  expect(await enabledIn(io)).toEqual(CHAIN_NAMES);
  await control('POST', 'chain', { name: 'polygon', enabled: false });
  expect(await enabledIn(io)).toEqual(CHAIN_NAMES.filter((name) => name !== 'polygon'));
  await Promise.all(
    (['base', 'bsc', 'solana'] as const).map((name) => control('POST', 'chain', { name, enabled: false })),
  );
  expect(await enabledIn(io)).toEqual(['ethereum', 'arbitrum']);
  await control('POST', 'reset');
  expect(await enabledIn(io)).toEqual(CHAIN_NAMES);
  expect((await addressFile(io)).providers).toEqual(['provider_a', 'provider_b']);
  await stop();
  expect(await addressFile(io)).toBeUndefined();
});

test('adds no other field to the address file than the names of chains and providers', async () => {
  const { io, address } = await startEphemeral();
  const { chains, providers, ...rest } = await addressFile(io);
  expect(rest).toEqual(address);
  expect(Object.keys(chains[0])).toEqual(['name', 'enabled']);
  expect(providers).toHaveLength(2);
});
