import { describe, expect, it } from 'vitest';
import type { ExpectedPayment, NodeFacts, ReviewInput, TokenGain } from '../../../src/chain/evm/context.ts';
import { type Pin, usablePins } from '../../../src/chain/evm/pin.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { withoutMarks } from '../../../src/core/text.ts';
import {
  ANNA,
  BRUNO,
  CLARA,
  cast,
  given,
  givenCall,
  NETWORK,
  PAYER,
  RICH,
  SPLITTER,
  STRANGER,
  USDT,
} from '../evm/given.ts';

const USDT_UNITS = 10_000_000n;
const ABI = 'function pay(bytes32 order, address token, uint256 amount, string memo)';
const SIGNATURE = 'pay(bytes32,address,uint256,string)';
const ORDER = `0x${'ab'.repeat(32)}`;
const pay = (memo = 'order 7') => cast('calldata', SIGNATURE, ORDER, USDT, String(USDT_UNITS), memo);
const pin = (more: Partial<Pin> = {}): Pin => ({ chain: 'polygon', address: STRANGER, abi: ABI, ...more });

const gain = (to: string, units = USDT_UNITS): TokenGain => ({ of: USDT.toLowerCase(), to: to.toLowerCase(), units });
const node = (...gains: readonly TokenGain[]): NodeFacts => ({
  chainId: 1_000_137n,
  minedNonce: 7n,
  pendingNonce: 7n,
  ...RICH,
  simulation: { kind: 'shown', changes: [{ of: USDT.toLowerCase(), units: -USDT_UNITS }], gains, permissions: [] },
});
const EXPECTED: ExpectedPayment = {
  tokenSymbol: 'USDT',
  amount: '10',
  receivers: [
    { wallet: ANNA, percent: '70' },
    { wallet: BRUNO, percent: '30' },
  ],
};

const review = async (pins: readonly Pin[], unsigned: UnsignedEvm, rest: Partial<ReviewInput> = {}) =>
  reviewEvm({ unsigned, network: NETWORK, signer: PAYER, expected: EXPECTED, pins: await usablePins(pins), ...rest });
const failedChecks = async (...args: Parameters<typeof review>) =>
  (await review(...args)).checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const call = () => givenCall(STRANGER, pay());

describe('a pin with an ABI', () => {
  it('gets the selector that cast computes, and lets the review show the arguments of the call', async () => {
    expect((await usablePins([pin()]))[0]?.selector).toBe(cast('sig', SIGNATURE));
    const { checks, verdict } = await review([pin()], call(), { node: node(gain(STRANGER)) });
    expect(verdict).toBe('pass');
    const message = checks.find(({ id }) => id === 'arguments')?.message;
    expect(withoutMarks(message ?? '')).toBe(
      `By the ABI of its pin, the call is pay(order: ${ORDER}, token: ${USDT}, amount: 10000000, memo: "order 7").`,
    );
  });

  it('shows text arguments escaped and shortened', async () => {
    const { checks } = await review([pin()], givenCall(STRANGER, pay(`\u001b[2J\u202e${'x'.repeat(500)}`)));
    const message = checks.find(({ id }) => id === 'arguments')?.message ?? '';
    expect(message).toContain('\\u{1b}[2J\\u{202e}');
    expect(message).toContain('characters)');
    expect(message.length).toBeLessThan(500);
  });

  it.each<[string, (data: string) => string]>([
    ['an extra word', (data) => data + '0'.repeat(64)],
    ['an extra byte', (data) => `${data}00`],
    [
      'bits above an address',
      (data) => data.slice(0, 10 + 64) + data.slice(10 + 64, 10 + 128).replace(/^0/, '1') + data.slice(10 + 128),
    ],
    ['a padding of a text that is not zero', (data) => `${data.slice(0, -1)}1`],
    ['a missing word', (data) => data.slice(0, -64)],
    ['text that is not UTF-8', (data) => data.replace(Buffer.from('order 7').toString('hex'), 'ff'.repeat(7))],
  ])('refuses a call with %s, even with a matching simulation and --allow-blind', async (_, change) => {
    const unsigned = givenCall(STRANGER, change(pay()));
    const rest = { node: node(gain(STRANGER)), overrides: { allowBlind: true } };
    expect(await failedChecks([pin()], unsigned, rest)).toEqual(['arguments refuse']);
  });

  it.each<[string, Partial<Pin>, RegExp]>([
    ['an invalid ABI', { abi: 'pay whoever' }, /is not a function/],
    ['an ABI of an event', { abi: 'event Paid(uint256 amount)' }, /is not a function/],
    [
      'a selector that differs from the ABI',
      { selector: '0xdeadbeef' },
      /the selector is 0xdeadbeef, but that of its abi is/,
    ],
    ['neither a selector nor an ABI', { abi: undefined }, /neither a selector nor an abi/],
  ])('with %s fails as bad_settings', async (_, more, message) => {
    await expect(usablePins([pin(more)])).rejects.toMatchObject({
      code: 'bad_settings',
      message: expect.stringMatching(message),
    });
  });

  it('requires a confirmation of the call without a node', async () => {
    expect(await failedChecks([pin()], call())).toEqual(['call confirm']);
  });
});

describe('the receivers of a pinned call in the simulation', () => {
  it.each<[string, readonly TokenGain[], readonly string[], Partial<ReviewInput>?]>([
    ['pass when each gets its share', [gain(ANNA, 7_000_000n), gain(BRUNO, 3_000_000n)], []],
    ['pass when the called contract keeps the money', [gain(STRANGER)], []],
    [
      'pass when a receiver gets a part and the contract keeps the rest',
      [gain(ANNA, 1_000_000n), gain(STRANGER, 9_000_000n)],
      [],
    ],
    [
      'are refused with other shares',
      [gain(ANNA, 3_000_000n), gain(BRUNO, 7_000_000n)],
      ['shares refuse', 'shares refuse'],
    ],
    ['are refused when only one of two gets money', [gain(ANNA)], ['shares refuse', 'shares refuse']],
    ['are refused when another address gets the money', [gain(CLARA)], ['receivers refuse']],
    ['are refused when the node shows none', [], ['receivers refuse']],
    [
      'require a confirmation when another address gets a part',
      [gain(STRANGER, 9_000_000n), gain(CLARA, 1_000_000n)],
      ['receivers confirm'],
    ],
    [
      'pass when an address of --allow-recipient gets a part',
      [gain(STRANGER, 9_000_000n), gain(CLARA, 1_000_000n)],
      [],
      { overrides: { allowRecipients: [CLARA] } },
    ],
    ['are refused when the token contract itself gets the money', [gain(USDT)], ['receivers refuse']],
    [
      'are refused when the splitter gets a part, which would be lost',
      [gain(ANNA, 7_000_000n), gain(SPLITTER, 3_000_000n)],
      ['receivers refuse'],
    ],
    ['are refused when they get another token', [{ ...gain(ANNA), of: STRANGER }], ['receivers refuse']],
  ])('%s', async (_, gains, expected, rest = {}) => {
    expect(await failedChecks([pin()], call(), { node: node(...gains), ...rest })).toEqual(expected);
  });

  it('are checked for a call under --allow-blind too', async () => {
    const rest = { overrides: { allowBlind: true } };
    expect(await failedChecks([], call(), { ...rest, node: node(gain(CLARA)) })).toEqual(['receivers refuse']);
    expect(await failedChecks([], call(), { ...rest, node: node(gain(STRANGER)) })).toEqual([]);
  });

  it('are not needed for a plain payment, whose bytes show the receiver', async () => {
    const expected = {
      tokenSymbol: 'POL',
      amount: '1.000000000000000001',
      receivers: [{ wallet: ANNA, percent: '100' }],
    };
    const simulation = {
      kind: 'shown',
      changes: [{ of: 'coin', units: -1_000_000_000_000_000_001n }],
      gains: [],
      permissions: [],
    } as const;
    expect(await failedChecks([], given(), { expected, node: { ...node(), simulation } })).toEqual([]);
  });
});
