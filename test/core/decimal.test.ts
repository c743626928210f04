import { describe, expect, it } from 'vitest';
import {
  compareDecimals,
  divideDecimals,
  formatDecimal,
  fromUnits,
  isDecimal,
  multiplyDecimals,
  parseDecimal,
  plainDecimal,
  splitUnits,
  sumDecimals,
  toUnits,
} from '../../src/core/decimal.ts';
import { isFailure } from '../../src/core/failure.ts';

const expectInvalidInput = (work: () => unknown, message: RegExp): void => {
  try {
    work();
  } catch (error) {
    expect(isFailure(error, 'invalid_input')).toBe(true);
    expect(String(error)).toMatch(message);
    return;
  }
  expect.unreachable('the call did not throw');
};

const NOT_DECIMALS = [
  '',
  ' ',
  '.',
  '.5',
  '5.',
  '-1',
  '+1',
  '-0',
  '1e79',
  '1E1',
  '0x10',
  '00',
  '01',
  '1,5',
  '1_000',
  '1 ',
  ' 1',
  '1\n',
  '1.2.3',
  'NaN',
  'Infinity',
  '١',
  '１',
  '1\u200b',
  `1${'0'.repeat(120)}`,
];

describe('parsing a decimal amount', () => {
  it.each(NOT_DECIMALS)('rejects %j', (text) => {
    expect(isDecimal(text)).toBe(false);
    expectInvalidInput(() => parseDecimal(text), /is not a decimal amount/);
  });

  it.each([
    '0',
    '0.0',
    '0.000000000000000001',
    '1',
    '10.50',
    '123456789012345678901234567890.123456789',
    '9'.repeat(120),
  ])('accepts %j', (text) => {
    expect(isDecimal(text)).toBe(true);
    expect(parseDecimal(text).units).toBe(BigInt(text.replace('.', '')));
  });

  it('shortens a long invalid text in the error message', () => {
    expectInvalidInput(() => parseDecimal('x'.repeat(5000)), /^.{1,120}$/);
  });
});

describe('plainDecimal, for numbers as other programs write them', () => {
  it.each([
    ['10', '10'],
    ['10.50', '10.50'],
    ['1e1', '10'],
    ['1E+2', '100'],
    [' 5 ', '5'],
    ['12.345e2', '1234.5'],
    ['12.345e-2', '0.12345'],
    ['007.50', '7.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+3', '3'],
    ['0e9', '0'],
  ])('converts %j to %s', (text, plain) => {
    expect(plainDecimal(text)).toBe(plain);
  });

  it.each(['', ' ', '.', 'e1', '1e', '-1', '0x10', '1,5', '1 0', 'Infinity', 'NaN', '1e200', '1e-200', '1e1234'])(
    'returns undefined for %j',
    (text) => {
      expect(plainDecimal(text)).toBeUndefined();
    },
  );
});

describe('exact decimal arithmetic', () => {
  it.each([
    [['0.1', '0.2'], '0.3'],
    [['9007199254740993', '0.1'], '9007199254740993.1'],
    [['1.10', '2.90'], '4'],
    [[], '0'],
    [['0.00', '0'], '0'],
  ])('sums %j to %s', (texts, sum) => {
    expect(sumDecimals(texts)).toBe(sum);
  });

  it.each([
    ['1.10', '1.1', 0],
    ['0', '0.000', 0],
    ['99.99999999999999999999', '100', -1],
    ['10', '9', 1],
    ['0.1', '0.09', 1],
  ])('compares %s with %s as %i', (a, b, expected) => {
    expect(compareDecimals(a, b)).toBe(expected);
    expect(compareDecimals(b, a)).toBe(expected === 0 ? 0 : -expected);
  });

  it('multiplies without rounding', () => {
    expect(multiplyDecimals('0.1', '0.2')).toBe('0.02');
    expect(multiplyDecimals('1234567890123456789', '1.000000000000000001')).toBe(
      '1234567890123456790.234567890123456789',
    );
    expect(multiplyDecimals('5', '0')).toBe('0');
  });

  it('truncates a quotient and rejects a division by zero', () => {
    expect(divideDecimals('2', '3', 6)).toBe('0.666666');
    expect(divideDecimals('1', '0.25', 2)).toBe('4');
    expect(divideDecimals('1', '3', 0)).toBe('0');
    expectInvalidInput(() => divideDecimals('1', '0.00', 2), /divide by zero/);
  });
});

describe('conversion to and from the smallest units', () => {
  it.each([
    ['1.5', 6, 1_500_000n],
    ['1.500000000', 6, 1_500_000n],
    ['0.000000000000000001', 18, 1n],
    ['1.000000000000000001', 18, 1_000_000_000_000_000_001n],
    ['7', 0, 7n],
    ['7.0', 0, 7n],
    ['0', 18, 0n],
  ])('converts %s with %i decimals to %s units', (text, decimals, units) => {
    expect(toUnits(text, decimals)).toBe(units);
  });

  it('rejects an amount with more decimals than the token has, instead of rounding', () => {
    expectInvalidInput(() => toUnits('0.0000001', 6), /more than the 6 decimals/);
    expectInvalidInput(() => toUnits('0.1', 0), /more than the 0 decimals/);
  });

  it.each([
    [1_500_000n, 6, '1.5'],
    [1n, 18, '0.000000000000000001'],
    [0n, 18, '0'],
    [-1_500_000n, 6, '-1.5'],
    [-1n, 6, '-0.000001'],
    [120n, 0, '120'],
    [100n, 1, '10'],
  ])('writes %s units with %i decimals as %s', (units, decimals, text) => {
    expect(fromUnits(units, decimals)).toBe(text);
  });

  it('returns the same units after a round trip, for 0 to 30 decimals', () => {
    for (let decimals = 0; decimals <= 30; decimals += 1) {
      for (const units of [0n, 1n, 9n, 10n, 10n ** 30n + 1n, 2n ** 255n]) {
        expect(toUnits(fromUnits(units, decimals), decimals)).toBe(units);
      }
    }
  });

  it('writes no trailing zeros', () => {
    expect(formatDecimal({ units: 1050n, scale: 2 })).toBe('10.5');
    expect(formatDecimal({ units: 1000n, scale: 3 })).toBe('1');
  });
});

describe('splitUnits, which divides an amount by percentages', () => {
  const SPLITS = [
    ['100'],
    ['70', '30'],
    ['33.33', '33.33', '33.34'],
    ['0', '100'],
    ['0.000000000000000001', '99.999999999999999999'],
    ['14.2857', '14.2857', '14.2857', '14.2857', '14.2857', '14.2857', '14.2858'],
    new Array<string>(100).fill('1'),
  ];
  const TOTALS = [0n, 1n, 2n, 99n, 100n, 101n, 9_999_999n, 10n ** 18n + 1n, 2n ** 256n - 1n];

  it.each(SPLITS)('pays out every unit and no more for %s, …', (...percents) => {
    for (const total of TOTALS) {
      const shares = splitUnits(total, percents);
      expect(shares).toHaveLength(percents.length);
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
      for (const share of shares) expect(share).toBeGreaterThanOrEqual(0n);
    }
  });

  it('adds the units lost by truncation to the share of the first receiver', () => {
    expect(splitUnits(10n, ['33.33', '33.33', '33.34'])).toEqual([4n, 3n, 3n]);
    expect(splitUnits(1n, ['50', '50'])).toEqual([1n, 0n]);
  });

  it.each([[[]], [['50']], [['50', '50', '50']], [['99.99']], [['100', '0.0001']]])(
    'rejects percentages that do not sum to 100: %j',
    (percents) => {
      expectInvalidInput(() => splitUnits(1000n, percents), /sum to .*, not to 100/);
    },
  );

  it('rejects a percentage that is not a decimal', () => {
    expectInvalidInput(() => splitUnits(1000n, ['-50', '150']), /is not a decimal/);
  });
});
