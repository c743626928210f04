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

describe('in a pipe', () => {
  it('a list is a line for each entry, a column for each field of any entry', () => {
    expect(render(ROWS, undefined)).toBe('a\t1.10\tx, y\t\ttrue\t\t\nb\t2\t\ta\\u{9}b\\nc\t\t1\t2\n');
  });

  it('an object is a line for each field, and nothing is cut', () => {
    const long = 'x'.repeat(5000);
    expect(render({ a: { b: long }, c: false }, undefined)).toBe(`a.b\t${long}\nc\tfalse\n`);
  });
});

describe('on a terminal', () => {
  it.each([200, 80])('of %i columns a list is a table under a header, and no line is wider', (columns) => {
    const lines = render(ROWS, style(columns)).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it.each([40, 20])(
    'of %i columns a list too wide for it shows each entry as a record, with nothing cut',
    (columns) => {
      const text = render(ROWS, style(columns));
      expect(text).not.toContain('…');
      for (const line of text.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    },
  );

  const IDS = [{ id: 'x'.repeat(25), note: 'some words that can be cut', url: `http://${'y'.repeat(30)}` }];

  it('prose is cut before an id or an address loses a character', () => {
    const text = render(IDS, style(75));
    expect(text).toContain('x'.repeat(25));
    expect(text).toContain(`http://${'y'.repeat(30)}`);
    expect(text).toContain('…');
  });

  it('too narrow for all columns it shows the brief ones; those who give none get records', () => {
    expect(render(IDS, style(60), ['id', 'note']).split('\n')[0]).toMatch(/^id +note$/);
    expect(render(IDS, style(60)).split('\n')).toHaveLength(4);
  });

  const ORDERS = [{ created: '2026', amount_from: '25', id: 'x'.repeat(25), currency_symbol: 'BRL', state: 'on' }];

  it.each([
    [80, 'id state amount_from currency_symbol created', []],
    [70, 'id state amount_from currency_symbol', ['created']],
    [45, 'id state amount_from', ['currency_symbol', 'created']],
  ])('of %i columns it has %s, no header cut, and names what it leaves out', (columns, header, hidden) => {
    const brief = ['id', 'state', 'amount_from', 'currency_symbol'];
    const rendered = renderFor(style(columns), ORDERS, brief);
    expect(rendered.text.split('\n')[0]?.split(/ +/).toSorted()).toEqual(header.split(' ').toSorted());
    expect(rendered.hidden).toEqual(hidden);
  });

  it('a cell that does not fit ends in an ellipsis, of dots where the locale has no other', () => {
    const row = [{ name: 'n', text: 'y '.repeat(100) }];
    expect(render(row, style(40))).toMatch(/y ?…/);
    expect(render(row, style(40, false))).toMatch(/y ?\.\.\./);
  });

  it.each([80, 40])(
    'of %i columns a record has a hash or a signed transaction on one line, to be copied, and breaks sentences alone',
    (columns) => {
      const hash = `0x${'ab'.repeat(32)}`;
      const signed = `0x${'0123456789'.repeat(50)}`;
      const says = 'a sentence that is longer than a line of any terminal of these widths, by some words';
      const text = render(
        { id: 'pay_1', from_currency_symbol: 'USDT', tid_hash: hash, signed_transaction: signed, says },
        style(columns),
      );
      const lines = text.trimEnd().split('\n');
      const copied = lines.filter((line) => [hash, signed].includes(line.trim()));
      expect(copied).toHaveLength(2);
      for (const line of lines) if (!copied.includes(line)) expect(line.length).toBeLessThanOrEqual(columns);
      expect(lines.map((line) => line.trim()).join(' ')).toContain(says);
    },
  );

  it.each([
    [40, 4],
    [30, 1],
    [29, 0],
    [20, 0],
  ])('of %i columns an id of 29 is %i columns from the edge: no line is wider that need not be', (columns, indent) => {
    const id = `pay_${'7'.repeat(25)}`;
    expect(render({ id_of_the_payment: id }, style(columns)).split('\n')[1]).toBe(' '.repeat(indent) + id);
  });

  it('an empty list prints nothing', () => {
    expect(render([], style(80))).toBe('');
  });
});

it('sentences are wrapped at spaces, and a word longer than the line stays whole', () => {
  expect(wrap('one two three', 7, '  ')).toBe('one two\n  three');
  expect(wrap('  one two three', 9, '    ')).toBe('  one two\n    three');
  expect(wrap(`see ${'0'.repeat(66)} there`, 20)).toBe(`see\n${'0'.repeat(66)}\nthere`);
});
