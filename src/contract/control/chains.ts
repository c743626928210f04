import * as z from 'zod';
import { DECIMAL } from '../../core/decimal.ts';
import { CHAIN_NAMES } from '../chains.ts';
import { anyText, flag, list, noted, oneOf, text } from '../fields.ts';
import { count, defineControl, record } from './define.ts';

const token = record(
  {
    symbol: text('Symbol of the token'),
    address: text('Address of its contract, or its mint on Solana'),
    decimals: count('Decimals of its smallest unit'),
  },
  'A test token',
);

const chainData = record(
  {
    name: text('Name of the chain'),
    chain_id: count('EIP-155 chain id; null on Solana').nullable(),
    coin: text('Symbol of its native coin'),
    enabled: flag('Whether the service accepts payments on it'),
    running: flag('Whether its node runs'),
    rpc_url: anyText('Address of its JSON-RPC; null until the Solana chain is in use').nullable(),
    websocket_url: anyText('Address of its WebSocket; null until the Solana chain is in use').nullable(),
    tokens: list(token, 'Its test tokens'),
  },
  'A chain and its addresses',
  'Chain',
);

const chainName = (description: string) => oneOf(CHAIN_NAMES, description);

/** Lists the chains and their addresses. An EVM chain starts with the first call of its JSON-RPC. */
export const listChains = defineControl({
  id: 'chain.list',
  method: 'GET',
  path: '/_sandbox/chain',
  summary: 'List the chains and their addresses',
  effect: 'reads',
  success: {
    chains_found: {
      http: 200,
      data: record({ chains: list(chainData, 'All chains') }, 'The chains'),
      example: {
        chains: [
          {
            name: 'polygon',
            chain_id: 1_000_137,
            coin: 'POL',
            enabled: true,
            running: false,
            rpc_url: 'http://127.0.0.1:8080/_chain/polygon',
            websocket_url: 'ws://127.0.0.1:8080/_chain/polygon',
            tokens: [{ symbol: 'USDT', address: '0x1Ab51F06A5E189D472Bc5fbCb01e8f7f09F3ac22', decimals: 6 }],
          },
        ],
      },
    },
  },
});

const switched = record(
  { name: text('Name of the chain'), enabled: flag('Whether the service accepts payments on it') },
  'A chain that was switched',
);

/** Switches a chain on or off. The answer to a payment on a switched-off chain is `invalid_chain`. */
export const switchChain = defineControl({
  id: 'chain.switch',
  method: 'POST',
  path: '/_sandbox/chain',
  summary: 'Switch a chain on or off',
  effect: 'writes',
  body: { name: chainName('The chain to switch'), enabled: flag('Whether the service accepts payments on it') },
  success: {
    chain_enabled: { http: 200, data: switched, example: { name: 'polygon', enabled: true } },
    chain_disabled: { http: 200, data: switched, example: { name: 'polygon', enabled: false } },
  },
  example: { name: 'base', enabled: true },
});

/** Starts the Solana chain with its JSON-RPC, if it does not run. */
export const startSolana = defineControl({
  id: 'chain.start-solana',
  method: 'GET',
  path: '/_sandbox/solana',
  summary: 'Start the Solana chain and its JSON-RPC',
  effect: 'reads',
  success: {
    solana_found: {
      http: 200,
      data: record(
        { rpc_url: text('Address of its JSON-RPC'), websocket_url: text('Address of its WebSocket') },
        'Addresses of the Solana chain',
      ),
      example: { rpc_url: 'http://127.0.0.1:8899', websocket_url: 'ws://127.0.0.1:8900' },
    },
  },
});

const EXAMPLE_ADDRESS = '0x3333333333333333333333333333333333333333';

const balancesData = record(
  {
    address: text('Address of the wallet'),
    balances: list(
      record(
        { chain: text('Chain'), symbol: text('Coin or token'), amount: text('Amount as decimal text') },
        'Balance of one asset on one chain',
        'Balance',
      ),
      'Its balances',
    ),
  },
  'Balances of a wallet',
  'Balances',
);

const EXAMPLE_BALANCES = { address: EXAMPLE_ADDRESS, balances: [{ chain: 'base', symbol: 'USDC', amount: '250' }] };

/** Gives an address test money: the coin and all tokens, or one token and coin for fees. */
export const fund = defineControl({
  id: 'chain.fund',
  method: 'POST',
  path: '/_sandbox/fund',
  summary: 'Give a key or an address test coins and tokens',
  effect: 'writes',
  body: {
    address: anyText('An EVM or Solana address'),
    chain: chainName('Only on this chain').optional(),
    token: anyText('Only this token or coin').optional(),
    amount: noted(
      z.string('must be a decimal written as text').max(40, 'is too long').regex(DECIMAL, 'must be a decimal'),
      { description: 'How much of it' },
    ).optional(),
  },
  success: { funded: { http: 200, data: balancesData, example: EXAMPLE_BALANCES } },
  example: { address: EXAMPLE_ADDRESS, chain: 'base', token: 'USDC', amount: '250' },
});

/** Shows the balances of an address, on one chain or on all chains of its family. */
export const readBalances = defineControl({
  id: 'chain.balances',
  method: 'GET',
  path: '/_sandbox/balances',
  summary: 'Show the balances of an address',
  effect: 'reads',
  query: { address: anyText('An EVM or Solana address'), chain: chainName('Only on this chain').optional() },
  success: { balances_found: { http: 200, data: balancesData, example: EXAMPLE_BALANCES } },
  example: { address: EXAMPLE_ADDRESS, chain: 'base' },
});
