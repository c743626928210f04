import { describe, expect, it } from 'vitest';
import { findChain } from '../../../src/chain/evm/network.ts';
import type { CommandContext } from '../../../src/cli/command/command.ts';
import { nodeFor } from '../../../src/cli/commands/pay/plan.ts';
import { nodeFrom } from '../../../src/cli/commands/yield/context.ts';
import { networkOf } from '../../../src/cli/profiles/gate.ts';
import { select } from '../../../src/cli/profiles/select.ts';
import { serviceInWords } from '../../../src/cli/prompt/confirming.ts';
import { testIo } from '../../support/io.ts';

const LINEA = { name: 'linea', id: 59_144, coin: 'ETH' };
const EURC = { EURC: { address: '0x1111111111111111111111111111111111111111', decimals: 6 } };
const PROD = {
  base_url: 'https://prod.example',
  rpc_urls: { polygon: 'https://polygon.example/k', solana: 'https://solana.example/k' },
  chains: [LINEA, { name: 'polygon', tokens: EURC }],
};

/** The part of a command context that chooses chains and nodes; the profile in use is `prod`. */
const given = async () => {
  const { io } = await testIo();
  const profiles = { active: 'prod', profiles: { prod: PROD } };
  const selection = select({ flags: {}, env: {}, project: undefined, profiles, isAttended: false });
  const cli = { io, deadline: 0, selection: async () => selection, profile: async () => selection.settings };
  return cli as unknown as CommandContext;
};

describe('a profile', () => {
  it('adds its chains and tokens only to reviews of its own kind', async () => {
    const cli = await given();
    const live = await networkOf(cli, 'live');
    expect(findChain(live, 'linea')?.id).toBe(LINEA.id);
    expect(Object.keys(findChain(live, 'polygon')?.tokens ?? {}).sort()).toEqual(['EURC', 'USDC', 'USDT']);
    const sandbox = await networkOf(cli, 'sandbox');
    expect(findChain(sandbox, 'linea')).toBeUndefined();
    expect(findChain(sandbox, 'polygon')?.id).toBe(1_000_137);
  });

  it('names the node of the chain of a payment and of Solana, unless --rpc-url names one', async () => {
    const cli = await given();
    expect((await nodeFor(cli, {}, 'Polygon'))?.origin).toBe('https://polygon.example');
    expect(await nodeFor(cli, {}, 'base')).toBeUndefined();
    expect((await nodeFor(cli, { 'rpc-url': 'https://own.example' }, 'polygon'))?.origin).toBe('https://own.example');
    expect((await nodeFrom(cli, {}))?.origin).toBe('https://solana.example');
    expect((await nodeFrom(cli, { 'rpc-url': 'https://own.example' }))?.origin).toBe('https://own.example');
  });

  it('is named beside its kind in every question about money', () => {
    expect(serviceInWords({ profile: 'prod', kind: 'live' })).toBe('prod, live');
    expect(serviceInWords({ profile: 'sandbox', kind: 'sandbox' })).toBe('sandbox');
  });
});
