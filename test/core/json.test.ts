import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import { briefly, digitsOf, exactNumber, isExactNumber, parseJson, printJson } from '../../src/core/json.ts';
import { growth } from '../support/growth.ts';

const messageOfInvalid = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    expect(isFailure(error, 'invalid_input')).toBe(true);
    return String(error);
  }
  return expect.unreachable(`parseJson accepted ${text.slice(0, 60)}`);
};

describe('numbers in JSON', () => {
  it.each([
    '0',
    '-1',
    '10.5',
    '0.1',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '1000000000000000000',
    '1e18',
    '1E18',
    '1.5e3',
    '1000000000000000001',
    '123456789012345680000',
    '10000000000000000.0',
    '1.10',
    '1.0',
    '-0',
    '0.0',
    '1e-7',
    '0.0000001',
    '1e999',
    '-1e999',
    '1e-999',
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ])('%s is printed with the digits that were read', (digits) => {
    expect(printJson(parseJson(`{"value":${digits}}`))).toBe(`{"value":${digits}}`);
    expect(digitsOf(parseJson(digits))).toBe(digits);
  });

  it.each([
    ['10', true],
    ['-10.5', true],
    ['9007199254740991', true],
    ['1.10', false],
    ['1e18', false],
    ['-0', false],
  ])('%s is read as a JavaScript number: %s', (digits, isPlain) => {
    expect(typeof parseJson(digits) === 'number').toBe(isPlain);
    expect(isExactNumber(parseJson(digits))).toBe(!isPlain);
  });

  it('a wei amount that a JavaScript number cannot hold is read as an exact number', () => {
    for (const digits of ['123456789012345680000', '1000000000000000000', '9007199254740992']) {
      const value = parseJson(digits);
      expect(isExactNumber(value)).toBe(true);
      expect(BigInt(digitsOf(value) ?? '')).toBe(BigInt(digits));
    }
  });

  it('digitsOf returns undefined for a value that is not a number', () => {
    for (const value of ['1', null, undefined, true, {}, [], { isLosslessNumber: true, value: '1' }]) {
      expect(digitsOf(value)).toBeUndefined();
    }
  });

  it.each(['01', '+1', '.5', '5.', '1e', '0x10', 'NaN', 'Infinity', '-', '1_0', '--1'])(
    '%s is rejected: JSON has no such number',
    (text) => {
      messageOfInvalid(text);
      expect(() => exactNumber(text)).toThrow();
    },
  );
});

describe('JSON that parsers could read in different ways', () => {
  it.each([
    '{"to":"a","to":"b"}',
    '{"a":{"to":"a","to":"b"}}',
    '{"value":1,"value":1.0}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"\\u0061":2}',
  ])('is rejected for duplicate keys with different values: %s', (text) => {
    expect(messageOfInvalid(text)).toMatch(/Duplicate key/);
  });

  it('is accepted when duplicate keys have equal values', () => {
    expect(parseJson('{"a":[1.10],"a":[1.10]}')).toEqual(parseJson('{"a":[1.10]}'));
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{} {}',
    'undefined',
    '"\n"',
    '"\\x41"',
    '"\\ud8"',
    '"abc',
    '// x\n1',
    '<html>',
  ])('is rejected when it is malformed: %j', (text) => {
    messageOfInvalid(text);
  });
});

describe('hostile JSON', () => {
  it('is rejected when it is nested deeper than 100 levels, before the stack overflows', () => {
    expect(messageOfInvalid('['.repeat(100_000))).toMatch(/nested deeper/);
    expect(messageOfInvalid(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`)).toMatch(/nested deeper/);
    expect(parseJson('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array);
  });

  it('may have brackets inside strings, which do not count as nesting', () => {
    const text = '['.repeat(500);
    expect(parseJson(`["${text}\\"${text}\\\\",{}]`)).toEqual([`${text}"${text}\\`, {}]);
  });

  it('with a __proto__ key gets an ordinary property and changes no prototype', () => {
    const value = parseJson('{"__proto__":{"admin":true}}') as Record<string, unknown>;
    expect(value['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(printJson(value)).toBe('{"__proto__":{"admin":true}}');
  });

  it('with a lone surrogate is printed with an escape, because UTF-8 cannot encode a lone surrogate', () => {
    expect(parseJson('"\\ud800"')).toBe('\ud800');
    expect(printJson({ '\udfff': 'a\ud800b' })).toBe('{"\\udfff":"a\\ud800b"}');
    expect(printJson('😀')).toBe('"😀"');
  });

  it('of some MB is parsed in a time that grows with its length alone', () => {
    const work = (size: number) => expect(parseJson(`[${'{"a":"b","n":1.10},'.repeat(size)}0]`)).toHaveLength(size + 1);
    expect(growth(25_000, work)).toBeLessThan(9);
  });
});

describe('printJson', () => {
  it('prints a bigint as a number, and undefined as null', () => {
    expect(printJson({ wei: 10n ** 18n, none: undefined, list: [undefined] })).toBe(
      '{"wei":1000000000000000000,"list":[null]}',
    );
    expect(printJson(undefined)).toBe('null');
  });

  it('prints the same value with and without indentation', () => {
    const value = { a: [1, { b: 'c' }], d: exactNumber('1.10') };
    expect(printJson(value, 2).split('\n')).toHaveLength(9);
    expect(parseJson(printJson(value, 2))).toEqual(parseJson(printJson(value)));
  });

  it.each([
    ['\u001b[2J', '"\\u001b[2J"'],
    ['a\rb', '"a\\rb"'],
    ['\u009b31m', '"\\u009b31m"'],
    ['\u202egnp.exe', '"\\u202egnp.exe"'],
    ['pay\u200bee', '"pay\\u200bee"'],
    ['\ufeff', '"\\ufeff"'],
    ['\u2028', '"\\u2028"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['##[error]x', '"\\u0023#[error]x"'],
    ['##vso[task]x', '"\\u0023#vso[task]x"'],
  ])('escapes %j, which a terminal or a CI runner would obey', (text, printed) => {
    expect(printJson(text)).toBe(printed);
    expect(JSON.parse(printed)).toBe(text);
    expect(printJson({ [text]: 1 })).toBe(`{${printed}:1}`);
  });

  it('starts no line with a CI workflow command', () => {
    const lines = printJson({ '::error': ['::warning::x', '\n::set-output::y'] }, 2).split('\n');
    for (const line of lines) expect(line.trimStart()).not.toMatch(/^::/);
  });
});

describe('briefly, for a remote value in a message', () => {
  it('shortens a long text and throws for no value', () => {
    expect(briefly('paused')).toBe('paused');
    expect(briefly('a'.repeat(301))).toBe(`${'a'.repeat(300)}…`);
    expect(briefly('abc', 2)).toBe('ab…');
    expect(briefly(parseJson('{"toString":1,"valueOf":2}'))).toBe('{"toString":1,"valueOf":2}');
    expect(briefly(parseJson('1000000000000000001'))).toBe('1000000000000000001');
    expect(briefly(undefined)).toBe('null');
  });
});
