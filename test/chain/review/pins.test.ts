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

const TEN = 10_000_000n;
const ABI = 'function pay(bytes32 order, address token, uint256 amount, string memo)';
const SIGNATURE = 'pay(bytes32,address,uint256,string)';
const ORDER = `0x${'ab'.repeat(32)}`;
const pay = (memo = 'order 7') => cast('calldata', SIGNATURE, ORDER, USDT, String(TEN), memo);
const pin = (more: Partial<Pin> = {}): Pin => ({ chain: 'polygon', address: STRANGER, abi: ABI, ...more });

const gain = (to: string, units = TEN): TokenGain => ({ of: USDT.toLowerCase(), to: to.toLowerCase(), units });
const node = (...gains: readonly TokenGain[]): NodeFacts => ({
  chainId: 1_000_137n,
  minedNonce: 7n,
  pendingNonce: 7n,
  ...RICH,
  simulation: { kind: 'shown', changes: [{ of: USDT.toLowerCase(), units: -TEN }], gains, permissions: [] },
});
const ASKED: ExpectedPayment = {
  tokenSymbol: 'USDT',
  amount: '10',
  receivers: [
    { wallet: ANNA, percent: '70' },
    { wallet: BRUNO, percent: '30' },
  ],
};

const review = async (pins: readonly Pin[], unsigned: UnsignedEvm, rest: Partial<ReviewInput> = {}) =>
  reviewEvm({ unsigned, network: NETWORK, signer: PAYER, expected: ASKED, pins: await usablePins(pins), ...rest });
const wrongs = async (...args: Parameters<typeof review>) =>
  (await review(...args)).checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const call = () => givenCall(STRANGER, pay());

describe('a pin with an ABI', () => {
  it('needs no selector, has the one that cast computes, and tells in words what the call is given', async () => {
    expect((await usablePins([pin()]))[0]?.selector).toBe(cast('sig', SIGNATURE));
    const { checks, verdict } = await review([pin()], call(), { node: node(gain(STRANGER)) });
    expect(verdict).toBe('pass');
    const says = checks.find(({ id }) => id === 'arguments')?.message;
    expect(withoutMarks(says ?? '')).toBe(
      `By the ABI of its pin, the call is pay(order: ${ORDER}, token: ${USDT}, amount: 10000000, memo: "order 7").`,
    );
  });

  it('shows text of the service with its acting characters visible, and long text cut', async () => {
    const { checks } = await review([pin()], givenCall(STRANGER, pay(`\u001b[2J\u202e${'x'.repeat(500)}`)));
    const says = checks.find(({ id }) => id === 'arguments')?.message ?? '';
    expect(says).toContain('\\u{1b}[2J\\u{202e}');
    expect(says).toContain('characters)');
    expect(says.length).toBeLessThan(500);
  });

  it.each<[string, (data: string) => string]>([
    ['words left over', (data) => data + '0'.repeat(64)],
    ['a byte left over', (data) => `${data}00`],
    [
      'dirt before an address',
      (data) => data.slice(0, 10 + 64) + data.slice(10 + 64, 10 + 128).replace(/^0/, '1') + data.slice(10 + 128),
    ],
    ['dirt behind a text', (data) => `${data.slice(0, -1)}1`],
    ['an end too early', (data) => data.slice(0, -64)],
    ['text that is no UTF-8', (data) => data.replace(Buffer.from('order 7').toString('hex'), 'ff'.repeat(7))],
  ])('refuses a call with %s, also where a simulation is right and blind signing is allowed', async (_, change) => {
    const unsigned = givenCall(STRANGER, change(pay()));
    const rest = { node: node(gain(STRANGER)), overrides: { allowBlind: true } };
    expect(await wrongs([pin()], unsigned, rest)).toEqual(['arguments refuse']);
  });

  it.each<[string, Partial<Pin>, RegExp]>([
    ['an ABI that is none', { abi: 'pay whoever' }, /is not a function/],
    ['an ABI of an event', { abi: 'event Paid(uint256 amount)' }, /is not a function/],
    [
      'a selector that is not that of the ABI',
      { selector: '0xdeadbeef' },
      /the selector is 0xdeadbeef, but that of its abi is/,
    ],
    ['neither', { abi: undefined }, /neither a selector nor an abi/],
  ])('with %s is an error of the settings', async (_, more, says) => {
    await expect(usablePins([pin(more)])).rejects.toMatchObject({
      code: 'bad_settings',
      message: expect.stringMatching(says),
    });
  });

  it('without a node is still only a person’s to decide', async () => {
    expect(await wrongs([pin()], call())).toEqual(['call confirm']);
  });
});

describe('where a pinned call sends the money, by the simulation', () => {
  it.each<[string, readonly TokenGain[], readonly string[], Partial<ReviewInput>?]>([
    ['to the receivers, by their shares', [gain(ANNA, 7_000_000n), gain(BRUNO, 3_000_000n)], []],
    ['to the contract that is called, which keeps it', [gain(STRANGER)], []],
    ['to a receiver in part, the contract keeping the rest', [gain(ANNA, 1_000_000n), gain(STRANGER, 9_000_000n)], []],
    [
      'to receivers by other shares',
      [gain(ANNA, 3_000_000n), gain(BRUNO, 7_000_000n)],
      ['shares refuse', 'shares refuse'],
    ],
    ['to one of two receivers', [gain(ANNA)], ['shares refuse', 'shares refuse']],
    ['to somebody else', [gain(CLARA)], ['receivers refuse']],
    ['to nobody whom the node can name', [], ['receivers refuse']],
    ['in part to somebody else', [gain(STRANGER, 9_000_000n), gain(CLARA, 1_000_000n)], ['receivers confirm']],
    [
      'in part to somebody who is allowed',
      [gain(STRANGER, 9_000_000n), gain(CLARA, 1_000_000n)],
      [],
      { overrides: { allowRecipients: [CLARA] } },
    ],
    ['into the contract of the token itself', [gain(USDT)], ['receivers refuse']],
    [
      'in part into the splitter, where it is lost',
      [gain(ANNA, 7_000_000n), gain(SPLITTER, 3_000_000n)],
      ['receivers refuse'],
    ],
    ['in another token to the receivers', [{ ...gain(ANNA), of: STRANGER }], ['receivers refuse']],
  ])('%s', async (_, gains, found, rest = {}) => {
    expect(await wrongs([pin()], call(), { node: node(...gains), ...rest })).toEqual(found);
  });

  it('is looked at for a call that is allowed blindly as well', async () => {
    const rest = { overrides: { allowBlind: true } };
    expect(await wrongs([], call(), { ...rest, node: node(gain(CLARA)) })).toEqual(['receivers refuse']);
    expect(await wrongs([], call(), { ...rest, node: node(gain(STRANGER)) })).toEqual([]);
  });

  it('is not asked of a plain payment, whose bytes say it', async () => {
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
    expect(await wrongs([], given(), { expected, node: { ...node(), simulation } })).toEqual([]);
  });
});
