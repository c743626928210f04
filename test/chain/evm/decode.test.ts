import { AbiCoder, type FunctionFragment, Interface, type ParamType } from 'ethers/abi';
import { describe, expect, it } from 'vitest';
import { DANGEROUS } from '../../../src/chain/evm/calldata.ts';
import { decodeCall, SELECTORS } from '../../../src/chain/evm/decode.ts';
import type { Chain } from '../../../src/chain/evm/network.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import {
  ANNA,
  approveData,
  BRUNO,
  cast,
  given,
  givenCall,
  NETWORK,
  SPLITTER,
  STRANGER,
  seeded,
  transferData,
  USDT,
} from './given.ts';

const CHAIN = NETWORK.chains[0] as Chain;
const coder = AbiCoder.defaultAbiCoder();
const decode = (to: string, data: string) => decodeCall(givenCall(to, data), CHAIN);

/** An example value of an ABI type. */
const exampleOf = (type: ParamType): unknown => {
  if (type.arrayChildren) return [exampleOf(type.arrayChildren), exampleOf(type.arrayChildren)];
  if (type.components) return type.components.map(exampleOf);
  if (type.baseType === 'address') return ANNA;
  if (type.baseType === 'bool') return true;
  if (type.baseType === 'string') return 'words';
  if (type.baseType === 'bytes') return '0xa9059cbb';
  if (type.baseType.startsWith('bytes')) return `0x${'ab'.repeat(Number(type.baseType.slice(5)))}`;
  return 7n;
};

const splitTokenData = (token: string, receivers: readonly string[], amounts: readonly bigint[]) =>
  SELECTORS.splitToken + coder.encode(['address', 'address[]', 'uint256[]'], [token, receivers, amounts]).slice(2);
const splitNativeData = (receivers: readonly string[], amounts: readonly bigint[]) =>
  SELECTORS.splitNative + coder.encode(['address[]', 'uint256[]'], [receivers, amounts]).slice(2);

describe('decoding a transaction', () => {
  it('returns a coin payment without calldata', () => {
    expect(decodeCall(given(), CHAIN)).toEqual({
      kind: 'coin',
      payments: [{ to: ANNA, units: 1000000000000000001n }],
    });
  });

  it('decodes a transfer, an approval and splits that cast encoded', () => {
    const transfer = cast('calldata', 'transfer(address,uint256)', ANNA, '10500000');
    expect(decode(USDT, transfer)).toEqual({
      kind: 'token',
      token: USDT,
      payments: [{ to: ANNA, units: 10500000n }],
    });
    const approve = cast('calldata', 'approve(address,uint256)', STRANGER, '5');
    expect(decode(USDT, approve)).toEqual({ kind: 'allowance', token: USDT, spender: STRANGER, units: 5n });
    const payments = [
      { to: ANNA, units: 7n },
      { to: BRUNO, units: 3n },
    ];
    const splitToken = 'splitToken(address,address[],uint256[])';
    const token = cast('calldata', splitToken, USDT, `[${ANNA},${BRUNO}]`, '[7,3]');
    expect(decode(SPLITTER, token)).toEqual({ kind: 'token', token: USDT, payments });
    const native = cast('calldata', 'splitNative(address[],uint256[])', `[${ANNA},${BRUNO}]`, '[7,3]');
    expect(decode(SPLITTER, native)).toEqual({ kind: 'coin', payments });
  });

  it('returns no split for a contract that is not the splitter', () => {
    expect(decode(STRANGER, splitNativeData([ANNA], [1n]))).toMatchObject({ kind: 'unknown' });
    const { splitter: _, ...without } = CHAIN;
    const call = givenCall(SPLITTER, splitTokenData(USDT, [ANNA], [1n]));
    expect(decodeCall(call, without)).toMatchObject({ kind: 'unknown' });
  });

  it.each(Object.entries(DANGEROUS))('returns dangerous for %s, %s, encoded by ethers', (selector, [signature]) => {
    const encoder = Interface.from([`function ${signature}`]);
    const fragment = encoder.fragments[0] as FunctionFragment;
    const data = encoder.encodeFunctionData(fragment, fragment.inputs.map(exampleOf));
    expect(data.slice(0, 10)).toBe(selector);
    for (const to of [USDT, STRANGER]) expect(decode(to, data)).toMatchObject({ kind: 'dangerous', selector });
  });

  /** Signatures stated again here, so that an entry that disappears from DANGEROUS fails a test. */
  it.each([
    'increaseAllowance(address,uint256)',
    'setApprovalForAll(address,bool)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
    'approve(address,address,uint160,uint48)',
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    'transferFrom(address,address,uint160,address)',
    'transferFrom(address,address,uint256)',
    'transferOwnership(address)',
    'renounceOwnership()',
    'acceptOwnership()',
    'setOwner(address)',
    'grantRole(bytes32,address)',
    'upgradeTo(address)',
    'upgradeToAndCall(address,bytes)',
    'changeProxyAdmin(address,address)',
    'diamondCut((address,uint8,bytes4[])[],address,bytes)',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    'execute(address,uint256,bytes)',
    'multiSend(bytes)',
    'burn(uint256)',
  ])('lets the review refuse %s with any override', (signature) => {
    const encoder = Interface.from([`function ${signature}`]);
    const fragment = encoder.fragments[0] as FunctionFragment;
    const data = encoder.encodeFunctionData(fragment, fragment.inputs.map(exampleOf));
    const overrides = { allowBlind: true, allowRecipients: [ANNA, STRANGER, USDT] };
    for (const to of [USDT, STRANGER]) {
      expect(reviewEvm({ unsigned: givenCall(to, data), network: NETWORK, overrides }).verdict).toBe('refuse');
    }
  });

  it('has the same selectors of dangerous functions as cast', () => {
    const some = Object.entries(DANGEROUS).filter((_, index) => index % 8 === 0);
    expect(some.map(([, [signature]]) => cast('sig', signature))).toEqual(some.map(([selector]) => selector));
  });

  it.each(['0x12', '0xdeadbeef', '0xdeadbeef00'])('returns unknown for %s', (data) => {
    expect(decode(USDT, data)).toEqual({ kind: 'unknown', selector: data.slice(0, 10), name: undefined });
  });
});

describe('decoding invalid calldata', () => {
  const transfer = transferData(ANNA, 10n);
  const token = splitTokenData(USDT, [ANNA, BRUNO], [7n, 3n]);
  const native = splitNativeData([ANNA, BRUNO], [7n, 3n]);
  const withWord = (data: string, index: number, word: bigint | string) => {
    const text = typeof word === 'string' ? word : word.toString(16).padStart(64, '0');
    return data.slice(0, 10 + index * 64) + text + data.slice(10 + (index + 1) * 64);
  };
  const dirty = `ff${'0'.repeat(22)}${ANNA.slice(2)}`;

  it.each([
    ['a transfer with an extra byte', USDT, `${transfer}00`],
    ['a transfer with an extra word', USDT, `${transfer}${'0'.repeat(64)}`],
    ['a transfer with a missing byte', USDT, transfer.slice(0, -2)],
    ['a transfer without arguments', USDT, SELECTORS.transfer],
    ['a transfer to a word with bits above the address', USDT, withWord(transfer, 0, dirty)],
    ['an approval with an extra byte', USDT, `${approveData(ANNA, 1n)}00`],
    ['a split with an extra word', SPLITTER, `${token}${'0'.repeat(64)}`],
    ['a split with an extra byte', SPLITTER, `${token}00`],
    ['an incomplete split', SPLITTER, token.slice(0, -64)],
    ['a split of a token word with bits above the address', SPLITTER, withWord(token, 0, dirty)],
    ['a split to a word with bits above the address', SPLITTER, withWord(token, 4, dirty)],
    ['a split with another offset of the receivers', SPLITTER, withWord(token, 1, 0x80n)],
    ['a split with another offset of the amounts', SPLITTER, withWord(token, 2, 0x60n)],
    ['a split with fewer receivers than amounts', SPLITTER, withWord(token, 3, 1n)],
    ['a split with fewer amounts than receivers', SPLITTER, withWord(token, 6, 1n)],
    ['a split with a number of receivers beyond the calldata', SPLITTER, withWord(token, 3, 2n ** 256n - 1n)],
    ['a split without receivers', SPLITTER, splitTokenData(USDT, [], [])],
    ['a coin split without receivers', SPLITTER, splitNativeData([], [])],
    ['a coin split with an extra word', SPLITTER, `${native}${'0'.repeat(64)}`],
    ['a coin split with lists of different lengths', SPLITTER, splitNativeData([ANNA, BRUNO], [1n])],
    ['a split without arguments', SPLITTER, SELECTORS.splitToken],
  ])('returns malformed for %s', (_, to, data) => {
    expect(decode(to, data)).toMatchObject({ kind: 'malformed' });
  });
});

describe('decoding random splits that ethers encoded', () => {
  it('returns their payments, and malformed after a change of one byte of an offset or length', () => {
    const random = seeded(68);
    for (let round = 0; round < 40; round += 1) {
      const receivers = Array.from({ length: 1 + random.below(6) }, () => random.address());
      const amounts = receivers.map(() => random.bits(256));
      const payments = receivers.map((to, index) => ({
        to: expect.stringMatching(new RegExp(`^${to}$`, 'i')),
        units: amounts[index],
      }));
      const data = splitTokenData(USDT, receivers, amounts);
      expect(decode(SPLITTER, data), data).toEqual({ kind: 'token', token: USDT, payments });
      expect(decode(SPLITTER, splitNativeData(receivers, amounts))).toEqual({ kind: 'coin', payments });
      // The frame is the two offsets and the two lengths.
      const frame = [1, 2, 3, 4 + receivers.length];
      const at = 10 + (frame[random.below(4)] ?? 1) * 64 + 2 * random.below(32);
      const byte = Number.parseInt(data.slice(at, at + 2), 16) ^ (1 + random.below(255));
      const changed = data.slice(0, at) + byte.toString(16).padStart(2, '0') + data.slice(at + 2);
      expect(decode(SPLITTER, changed), changed).toMatchObject({ kind: 'malformed' });
    }
  });
});
