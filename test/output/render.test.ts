import { describe, expect, it } from 'vitest';
import { exactNumber } from '../../src/core/json.ts';
import { wrap } from '../../src/core/screen.ts';
import { palette } from '../../src/output/colour.ts';
import { renderFor } from '../../src/output/render.ts';
import { render } from '../support/render.ts';

const style = (columns: number, unicode = true) => ({ columns, unicode, colour: palette(false) });

const ROWS = [
  { id: 'a', amount: exactNumber('1.10'), receivers: ['x', 'y'], note: null, nested: { deep: { er: true } } },
  { id: 'b', amount: 2, receivers: [], note: 'a\tb\nc', other: [{ z: 1 }, { z: 2 }] },
];

describe('output in a pipe', () => {
  it('a list is printed with a line for each entry and a column for each field of any entry', () => {
    expect(render(ROWS, undefined)).toBe('a\t1.10\tx, y\t\ttrue\t\t\nb\t2\t\ta\\u{9}b\\nc\t\t1\t2\n');
  });

  it('an object is printed with a line for each field, and no value is shortened', () => {
    const long = 'x'.repeat(5000);
    expect(render({ a: { b: long }, c: false }, undefined)).toBe(`a.b\t${long}\nc\tfalse\n`);
  });
});

describe('output on a terminal', () => {
  it.each([200, 80])('of %i columns: a list is a table under a header, and no line is wider', (columns) => {
    const lines = render(ROWS, style(columns)).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it.each([40, 20])('of %i columns: a wider list is printed as records, and no value is shortened', (columns) => {
    const text = render(ROWS, style(columns));
    expect(text).not.toContain('…');
    for (const line of text.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });

  const IDS = [{ id: 'x'.repeat(25), note: 'some words that can be cut', url: `http://${'y'.repeat(30)}` }];

  it('prose in a table is shortened before an id or an address', () => {
    const text = render(IDS, style(75));
    expect(text).toContain('x'.repeat(25));
    expect(text).toContain(`http://${'y'.repeat(30)}`);
    expect(text).toContain('…');
  });

  it('a table that is too wide shows only the brief columns; a command without brief columns prints records', () => {
    expect(render(IDS, style(60), ['id', 'note']).split('\n')[0]).toMatch(/^id +note$/);
    expect(render(IDS, style(60)).split('\n')).toHaveLength(4);
  });

  const ORDERS = [{ created: '2026', amount_from: '25', id: 'x'.repeat(25), currency_symbol: 'BRL', state: 'on' }];

  it.each([
    [80, 'id state amount_from currency_symbol created', []],
    [70, 'id state amount_from currency_symbol', ['created']],
    [45, 'id state amount_from', ['currency_symbol', 'created']],
  ])(
    'of %i columns: a table has the columns %s with whole headers, and names the hidden columns',
    (columns, header, hidden) => {
      const brief = ['id', 'state', 'amount_from', 'currency_symbol'];
      const rendered = renderFor(style(columns), ORDERS, brief);
      expect(rendered.text.split('\n')[0]?.split(/ +/).toSorted()).toEqual(header.split(' ').toSorted());
      expect(rendered.hidden).toEqual(hidden);
    },
  );

  it('a shortened cell ends in an ellipsis, or in three dots without Unicode', () => {
    const row = [{ name: 'n', text: 'y '.repeat(100) }];
    expect(render(row, style(40))).toMatch(/y ?…/);
    expect(render(row, style(40, false))).toMatch(/y ?\.\.\./);
  });

  it.each([80, 40])(
    'of %i columns: a record wraps sentences, and keeps a hash or a signed transaction on one line for copying',
    (columns) => {
      const hash = `0x${'ab'.repeat(32)}`;
      const signed = `0x${'0123456789'.repeat(50)}`;
      const message = 'a sentence that is longer than a line of any terminal of these widths, by some words';
      const text = render(
        { id: 'pay_1', from_currency_symbol: 'USDT', tid_hash: hash, signed_transaction: signed, message },
        style(columns),
      );
      const lines = text.trimEnd().split('\n');
      const copied = lines.filter((line) => [hash, signed].includes(line.trim()));
      expect(copied).toHaveLength(2);
      for (const line of lines) if (!copied.includes(line)) expect(line.length).toBeLessThanOrEqual(columns);
      expect(lines.map((line) => line.trim()).join(' ')).toContain(message);
    },
  );

  it.each([
    [40, 4],
    [30, 1],
    [29, 0],
    [20, 0],
  ])('of %i columns: an id of 29 characters is indented by %i columns', (columns, indent) => {
    const id = `pay_${'7'.repeat(25)}`;
    expect(render({ id_of_the_payment: id }, style(columns)).split('\n')[1]).toBe(' '.repeat(indent) + id);
  });

  it('an empty list is printed as nothing', () => {
    expect(render([], style(80))).toBe('');
  });
});

it('wraps sentences at spaces and keeps a word that is longer than the line whole', () => {
  expect(wrap('one two three', 7, '  ')).toBe('one two\n  three');
  expect(wrap('  one two three', 9, '    ')).toBe('  one two\n    three');
  expect(wrap(`see ${'0'.repeat(66)} there`, 20)).toBe(`see\n${'0'.repeat(66)}\nthere`);
});
