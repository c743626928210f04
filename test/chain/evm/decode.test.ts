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

/** Any value of a type. */
const anyOf = (type: ParamType): unknown => {
  if (type.arrayChildren) return [anyOf(type.arrayChildren), anyOf(type.arrayChildren)];
  if (type.components) return type.components.map(anyOf);
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

describe('what a transaction does', () => {
  it('is a payment of the coin when it carries no data', () => {
    expect(decodeCall(given(), CHAIN)).toEqual({
      kind: 'coin',
      payments: [{ to: ANNA, units: 1000000000000000001n }],
    });
  });

  it('is read from calldata as cast writes it', () => {
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

  it('is not a split when another contract than the splitter is called', () => {
    expect(decode(STRANGER, splitNativeData([ANNA], [1n]))).toMatchObject({ kind: 'unknown' });
    const { splitter: _, ...without } = CHAIN;
    const call = givenCall(SPLITTER, splitTokenData(USDT, [ANNA], [1n]));
    expect(decodeCall(call, without)).toMatchObject({ kind: 'unknown' });
  });

  it.each(Object.entries(DANGEROUS))(
    'is called dangerous for %s, %s, as ethers encodes it',
    (selector, [signature]) => {
      const encoder = Interface.from([`function ${signature}`]);
      const fragment = encoder.fragments[0] as FunctionFragment;
      const data = encoder.encodeFunctionData(fragment, fragment.inputs.map(anyOf));
      expect(data.slice(0, 10)).toBe(selector);
      for (const to of [USDT, STRANGER]) expect(decode(to, data)).toMatchObject({ kind: 'dangerous', selector });
    },
  );

  /** Written down here once more: a table that a test only reads from itself may lose a line and nobody would know. */
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
  ])('is refused for %s, whatever the user allows', (signature) => {
    const encoder = Interface.from([`function ${signature}`]);
    const fragment = encoder.fragments[0] as FunctionFragment;
    const data = encoder.encodeFunctionData(fragment, fragment.inputs.map(anyOf));
    const overrides = { allowBlind: true, allowRecipients: [ANNA, STRANGER, USDT] };
    for (const to of [USDT, STRANGER]) {
      expect(reviewEvm({ unsigned: givenCall(to, data), network: NETWORK, overrides }).verdict).toBe('refuse');
    }
  });

  it('is called dangerous by the selectors that cast computes, too', () => {
    const some = Object.entries(DANGEROUS).filter((_, index) => index % 8 === 0);
    expect(some.map(([, [signature]]) => cast('sig', signature))).toEqual(some.map(([selector]) => selector));
  });

  it.each(['0x12', '0xdeadbeef', '0xdeadbeef00'])('is not understood for %s', (data) => {
    expect(decode(USDT, data)).toEqual({ kind: 'unknown', selector: data.slice(0, 10), name: undefined });
  });
});

describe('calldata that hides something', () => {
  const transfer = transferData(ANNA, 10n);
  const token = splitTokenData(USDT, [ANNA, BRUNO], [7n, 3n]);
  const native = splitNativeData([ANNA, BRUNO], [7n, 3n]);
  const withWord = (data: string, index: number, word: bigint | string) => {
    const text = typeof word === 'string' ? word : word.toString(16).padStart(64, '0');
    return data.slice(0, 10 + index * 64) + text + data.slice(10 + (index + 1) * 64);
  };
  const dirty = `ff${'0'.repeat(22)}${ANNA.slice(2)}`;

  it.each([
    ['a transfer with a byte more', USDT, `${transfer}00`],
    ['a transfer with a word more', USDT, `${transfer}${'0'.repeat(64)}`],
    ['a transfer with a byte less', USDT, transfer.slice(0, -2)],
    ['a transfer with no arguments', USDT, SELECTORS.transfer],
    ['a transfer to more than an address', USDT, withWord(transfer, 0, dirty)],
    ['an approval with a byte more', USDT, `${approveData(ANNA, 1n)}00`],
    ['a split with a word more', SPLITTER, `${token}${'0'.repeat(64)}`],
    ['a split with a byte more', SPLITTER, `${token}00`],
    ['a split cut short', SPLITTER, token.slice(0, -64)],
    ['a split of no token', SPLITTER, withWord(token, 0, dirty)],
    ['a split to more than an address', SPLITTER, withWord(token, 4, dirty)],
    ['a split whose receivers start elsewhere', SPLITTER, withWord(token, 1, 0x80n)],
    ['a split whose amounts start elsewhere', SPLITTER, withWord(token, 2, 0x60n)],
    ['a split with a receiver less than amounts', SPLITTER, withWord(token, 3, 1n)],
    ['a split with an amount less than receivers', SPLITTER, withWord(token, 6, 1n)],
    ['a split with more receivers than bytes', SPLITTER, withWord(token, 3, 2n ** 256n - 1n)],
    ['a split to nobody', SPLITTER, splitTokenData(USDT, [], [])],
    ['a split of coin to nobody', SPLITTER, splitNativeData([], [])],
    ['a split of coin with a word more', SPLITTER, `${native}${'0'.repeat(64)}`],
    ['a split of coin whose lengths differ', SPLITTER, splitNativeData([ANNA, BRUNO], [1n])],
    ['a split with no arguments', SPLITTER, SELECTORS.splitToken],
  ])('is a contradiction: %s', (_, to, data) => {
    expect(decode(to, data)).toMatchObject({ kind: 'malformed' });
  });
});

describe('whatever ethers encodes', () => {
  it('is read back exactly, and no longer after any one byte of its frame was changed', () => {
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
      // The frame: the two offsets and the two lengths.
      const frame = [1, 2, 3, 4 + receivers.length];
      const at = 10 + (frame[random.below(4)] ?? 1) * 64 + 2 * random.below(32);
      const byte = Number.parseInt(data.slice(at, at + 2), 16) ^ (1 + random.below(255));
      const changed = data.slice(0, at) + byte.toString(16).padStart(2, '0') + data.slice(at + 2);
      expect(decode(SPLITTER, changed), changed).toMatchObject({ kind: 'malformed' });
    }
  });
});
