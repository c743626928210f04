import { getAddress } from 'ethers/address';
import { Network } from 'ethers/providers';
import { describe, expect, it } from 'vitest';
import { extendNetwork, findChain, networkFor } from '../../../src/chain/evm/network.ts';
import { EVM_CHAINS, type EvmChain, SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { failureOf } from './given.ts';

const OTHER = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';

describe('networkFor', () => {
  it('has two different token addresses for each live chain, with valid checksums', () => {
    const live = networkFor('live').chains;
    const addresses = live.flatMap((chain) => Object.values(chain.tokens).map((token) => token.address));
    expect(addresses).toHaveLength(2 * EVM_CHAINS.length);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const address of addresses) expect(getAddress(address.toLowerCase())).toBe(address);
  });

  it('has the EIP-155 ids for live chains, and ids above 1,000,000 for the sandbox', () => {
    const ids = (kind: 'live' | 'sandbox') => networkFor(kind).chains.map(({ name, id }) => [name, id]);
    expect(ids('live')).toEqual(EVM_CHAINS.map(({ name, id }) => [name, id]));
    expect(ids('sandbox')).toEqual(EVM_CHAINS.map(({ name, id }) => [name, 1_000_000 + id]));
    // Ethers calls the ethereum chain "mainnet".
    const namesOf = ({ name, aliases }: EvmChain) => [name === 'ethereum' ? 'mainnet' : name, ...aliases];
    const registered = EVM_CHAINS.filter(({ id }) => Network.from(id).name !== 'unknown');
    expect(registered.length).toBeGreaterThanOrEqual(5);
    for (const chain of registered) expect(namesOf(chain)).toContain(Network.from(chain.id).name);
  });

  it('has USDT and USDC with 18 decimals on bsc and 6 on other chains, live and in the sandbox', () => {
    for (const kind of ['live', 'sandbox'] as const) {
      for (const { name, tokens } of networkFor(kind).chains) {
        const decimals = Object.values(tokens).map((token) => token.decimals);
        expect(decimals, `${kind} ${name}`).toEqual(name === 'bsc' ? [18, 18] : [6, 6]);
      }
    }
  });

  it('has a splitter for the sandbox and none for a live service', () => {
    expect(new Set(networkFor('sandbox').chains.map((chain) => chain.splitter))).toEqual(
      new Set([SANDBOX_CONTRACTS.splitter]),
    );
    expect(networkFor('live').chains.some((chain) => chain.splitter !== undefined)).toBe(false);
  });

  it('has chains that findChain finds in upper or lower case, and none named "constructor"', () => {
    expect(findChain(networkFor('live'), 'POLYGON')?.id).toBe(137);
    expect(findChain(networkFor('live'), 'constructor')).toBeUndefined();
  });
});

describe('the chain entries of a profile', () => {
  const live = networkFor('live');

  it('add a chain, and add tokens and a splitter to a known chain', () => {
    const network = extendNetwork(live, [
      { name: 'gnosis', id: 100, coin: 'xDAI' },
      { name: 'Polygon', tokens: { EURC: { address: OTHER.toLowerCase(), decimals: 6 } }, splitter: OTHER },
    ]);
    expect(findChain(network, 'gnosis')).toEqual({ name: 'gnosis', id: 100, coin: 'xDAI', tokens: {} });
    const polygon = findChain(network, 'polygon');
    expect(polygon?.id).toBe(137);
    expect(polygon?.splitter).toBe(OTHER);
    expect(polygon?.tokens['EURC']).toEqual({ address: OTHER, decimals: 6 });
    expect(Object.keys(polygon?.tokens ?? {})).toEqual(['USDT', 'USDC', 'EURC']);
    expect(findChain(live, 'gnosis')).toBeUndefined();
  });

  it('replace a token whose symbol differs only in case', () => {
    const network = extendNetwork(live, [{ name: 'polygon', tokens: { usdc: { address: OTHER, decimals: 6 } } }]);
    expect(Object.keys(findChain(network, 'polygon')?.tokens ?? {})).toEqual(['USDT', 'usdc']);
  });

  it.each([
    ['another id for a known chain', { name: 'polygon', id: 1 }, 'bad_settings'],
    ['a known id for another chain', { name: 'mine', id: 137, coin: 'X' }, 'bad_settings'],
    ['a chain without an id', { name: 'mine', coin: 'X' }, 'bad_settings'],
    ['a chain without a coin', { name: 'mine', id: 7 }, 'bad_settings'],
    ['chain 0', { name: 'mine', id: 0, coin: 'X' }, 'bad_settings'],
    ['negative decimals', { name: 'bsc', tokens: { X: { address: OTHER, decimals: -1 } } }, 'bad_settings'],
    [
      'a token address with a wrong checksum',
      { name: 'bsc', tokens: { X: { address: OTHER.replace('B', 'b'), decimals: 6 } } },
      'invalid_input',
    ],
    ['an invalid splitter address', { name: 'bsc', splitter: '0x12' }, 'invalid_input'],
  ])('are rejected for %s', (_, entry, code) => {
    expect(failureOf(() => extendNetwork(live, [entry])).code).toBe(code);
  });
});
