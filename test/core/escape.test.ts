import { describe, expect, it } from 'vitest';
import { escapeLines, escapeText } from '../../src/core/text.ts';
import { growth } from '../support/growth.ts';

/** Code points that control a terminal, are invisible, reorder text or are no characters: the ends of each range. */
const UNSAFE = [
  0x00, 0x07, 0x08, 0x09, 0x0b, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x034f, 0x061c, 0x115f, 0x180e,
  0x200b, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x3164, 0xfe0f,
  0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
];

describe('escapeText', () => {
  it.each(UNSAFE.map((code) => [code.toString(16), code] as const))('writes U+%s as an escape', (name, code) => {
    expect(escapeText(`a${String.fromCodePoint(code)}b`)).toBe(`a\\u{${name}}b`);
  });

  it.each(['plain', 'São Paulo', 'Привет', '日本語', 'مرحبا', '😀👍', 'a\\u{1b}', '100 %', 'a b\u00a0c', ''])(
    'does not change %j',
    (text) => {
      expect(escapeText(text)).toBe(text);
    },
  );

  it('escapes line breaks, so that the text stays on one line', () => {
    expect(escapeText('a\nb\r\nc\u2028d')).toBe('a\\nb\\u{d}\\nc\\u{2028}d');
  });

  it('escapes terminal control sequences', () => {
    expect(escapeText('\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007')).not.toMatch(/\p{Cc}/u);
    expect(escapeText('\u001b[1A\u001b[2Kpaid')).toBe('\\u{1b}[1A\\u{1b}[2Kpaid');
  });

  it.each(['::error::x', '  ::set-env name=A::b', '\u00a0::stop-commands::x', '::::x'])(
    'returns no CI workflow command for %j',
    (text) => {
      expect(escapeText(text).trimStart()).not.toMatch(/^::/);
    },
  );

  it.each(['x ##[error]y', '##vso[task.setvariable]y', '###[group]z'])(
    'returns no CI runner command for %j',
    (text) => {
      expect(escapeText(text)).not.toMatch(/##\w*\[/);
    },
  );

  it('does not change colons and number signs that form no CI command', () => {
    expect(escapeText('a::b: c ## d #1 [x]')).toBe('a::b: c ## d #1 [x]');
  });

  it('returns the same text from the fast path for ASCII as from the full path', () => {
    const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
    const texts = ascii.flatMap((one) => ascii.flatMap((two) => [one + two, `a${one}${two}[`, `${one}:${two}a[`]));
    // The appended é forces the full path, which does not change the é.
    for (const text of texts) expect(`${escapeText(text)}é`).toBe(escapeText(`${text}é`));
  });

  it('escapes a long text in a time that grows with its length alone', () => {
    const work = (size: number) => expect(escapeText('\u001b'.repeat(size) + '#'.repeat(size))).toHaveLength(7 * size);
    expect(growth(250_000, work)).toBeLessThan(9);
  });
});

describe('escapeLines', () => {
  it('keeps line breaks and escapes CI commands at the start of each line', () => {
    expect(escapeLines('one\n::error::two\n\u001bthree')).toBe('one\n\\u{3a}:error::two\n\\u{1b}three');
  });
});
