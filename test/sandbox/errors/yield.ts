import { Keypair } from '@solana/web3.js';
import { advance } from '../identity.ts';
import type { TestSandbox } from '../sandbox.ts';
import { broadcast, deposit, newWallet, rebalance, sendOff, sign, withdraw } from '../yield/wallet.ts';
import { type Case, inOneSandbox } from './case.ts';

const switchOff = ({ control }: TestSandbox) => control('POST', 'chain', { name: 'solana', enabled: false });

const CHAIN_OFF = 'the Solana chain was switched off';
const NUL_IN_SYMBOL = 'a symbol with a NUL character';
const UNKNOWN_CHAIN = { chain_name: 'mars' };

export const YIELD_CASES: readonly Case[] = [
  inOneSandbox('yield.strategies-of', 'invalid_parameters', NUL_IN_SYMBOL, ({ get }) =>
    get('/yield/strategies/US%00DC'),
  ),
  inOneSandbox('yield.opportunities', 'get_rebalance_opportunities_failed', CHAIN_OFF, async (sandbox) => {
    await switchOff(sandbox);
    return sandbox.get('/yield/rebalance-opportunities');
  }),
  inOneSandbox('yield.opportunities-of', 'get_rebalance_opportunities_failed', CHAIN_OFF, async (sandbox) => {
    await switchOff(sandbox);
    return sandbox.get('/yield/rebalance-opportunities/USDC');
  }),
  inOneSandbox('yield.opportunities-of', 'invalid_parameters', NUL_IN_SYMBOL, ({ get }) =>
    get('/yield/rebalance-opportunities/US%00DC'),
  ),
  inOneSandbox('yield.deposit', 'invalid_parameters', 'a chain that is not enabled', (sandbox) =>
    deposit(sandbox, Keypair.generate(), UNKNOWN_CHAIN),
  ),
  inOneSandbox('yield.withdraw', 'invalid_parameters', 'more than the position', async (sandbox) =>
    withdraw(sandbox, await newWallet(sandbox)),
  ),
  inOneSandbox('yield.rebalance', 'invalid_parameters', 'provider_out without provider_in', (sandbox) =>
    rebalance(sandbox, Keypair.generate(), { provider_in: undefined }),
  ),
  inOneSandbox(
    'yield.rebalance',
    'rebalance_transaction_too_large',
    'XAUT does not fit into two either',
    async (sandbox) => {
      const key = await newWallet(sandbox);
      await sendOff(sandbox, key, await deposit(sandbox, key, { asset: 'XAUT', amount: '1' }));
      return rebalance(sandbox, key, { asset: 'XAUT', amount: '0.5' });
    },
  ),
  inOneSandbox('yield.broadcast', 'invalid_parameters', 'a chain that is not enabled', (sandbox) =>
    broadcast(sandbox, 'AAAA', UNKNOWN_CHAIN),
  ),
  inOneSandbox('yield.broadcast', 'signed_transaction_missing', 'no op_signed', (sandbox) =>
    broadcast(sandbox, undefined),
  ),
  inOneSandbox('yield.broadcast', 'solana_blockhash_expired', 'signed, and sent two minutes later', async (sandbox) => {
    const key = await newWallet(sandbox);
    const { transaction } = (await deposit(sandbox, key)).body.data;
    await advance(sandbox, '+2m');
    return broadcast(sandbox, sign(key, transaction));
  }),
  inOneSandbox('yield.earnings', 'params_mismatch', 'no wallet', ({ get }) =>
    get('/yield/earnings?asset=USDC&provider=provider_a&chain_name=solana'),
  ),
];
