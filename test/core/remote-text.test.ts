import { describe, expect, it } from 'vitest';
import { printJson } from '../../src/core/json.ts';
import { wrap } from '../../src/core/screen.ts';
import { inSentence, remoteRows, withoutMarks } from '../../src/core/text.ts';

const ADDRESS = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F';

describe('an id, symbol, number, time or address of the service stays in the sentence', () => {
  it.each(['USDT', 'polygon', 'pay_1', '10.50', '-3', '2026-11-21T08:00:00.000Z', ADDRESS])('%s', (value) => {
    expect(wrap(`It is ${inSentence(value)}, as asked.`, 80)).toBe(`It is ${value}, as asked.`);
  });
});

describe('any other text of the service', () => {
  it.each(['✓ fine', 'two words', 'ok', 'NO', 'x'.repeat(45), 'a?'])('is printed below the sentence: %s', (value) => {
    expect(wrap(`It is ${inSentence(value)}, as asked.`, 80, '  ')).toMatch(/^It is \(1\), as asked\.\n {2}\(1\) \| /);
  });

  it('is printed below, also an address, where the terminal is too narrow for the address', () => {
    expect(
      wrap(`It is ${inSentence(ADDRESS)}.`, 40, '  ')
        .split('\n')
        .every((row) => row.length <= 40),
    ).toBe(true);
  });

  it('is printed once for several references, and without a number when it is the whole sentence', () => {
    const one = inSentence('a b');
    expect(wrap(`${one} is not ${one} or ${inSentence('c d')}`, 80, '  ')).toBe(
      '(1) is not (1) or (2)\n  (1) | a b\n  (2) | c d',
    );
    expect(wrap(`error: ${one}`, 80, '  ')).toBe('error:\n  | a b');
  });

  it('stays in the sentence in a pipe and in JSON', () => {
    const text = `It is ${inSentence('✓ a\nb')}.`;
    expect(wrap(text, Number.MAX_SAFE_INTEGER)).toBe('It is ✓ a\\nb.');
    expect(JSON.parse(printJson({ text }))).toEqual({ text: 'It is ✓ a\nb.' });
    expect(withoutMarks(text)).toBe('It is ✓ a\nb.');
  });

  it('cannot end its own marks: a mark inside it becomes U+FFFD', () => {
    expect(wrap(`It is ${inSentence('a \ufdd1 ✓ b')}.`, 80, '  ')).toBe('It is (1).\n  (1) | a \ufffd ✓ b');
  });
});

describe('remoteRows, the rows for text of the service', () => {
  const rows = (text: string, columns = 20, unicode = true) => remoteRows(text, { columns, margin: '| ', unicode });

  it('shows repeated blanks as dots and escapes a mark of bursar at the start of a row', () => {
    expect(rows('a   b')).toEqual(['| a···b']);
    expect(rows('  ✓ b')).toEqual(['| ··\\u{2713} b']);
    expect(rows('a\u00a0\u3000b', 40)).toEqual(['| a\\u{a0}\\u{3000}b']);
    for (const mark of ['✓', '✗', '?', '|', '✔', '│']) expect(rows(`${mark} fine`)[0]).toMatch(/^\| \\u\{/);
    expect(rows('✓ fine', 20, false)).toEqual(['| \\u{6f}k fine']);
    expect(rows('okay')).toEqual(['| okay']);
  });

  it('breaks a long text into rows without losing characters, and escapes a mark at the start of a broken row', () => {
    const text = `${'a'.repeat(18)}✓ ${'漢'.repeat(20)}`;
    const printedRows = rows(text);
    expect(printedRows[1]).toMatch(/^\| \\u\{2713\}/);
    expect(printedRows.join('').replaceAll('| ', '').replaceAll('\\u{2713}', '✓')).toBe(text);
  });
});
