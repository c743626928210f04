import { describe, expect, it } from 'vitest';
import { wantsLinks } from '../../src/core/screen.ts';
import { splitToWidth, toAscii, widthOf } from '../../src/core/text.ts';
import type { Output } from '../../src/io/io.ts';
import { palette } from '../../src/output/colour.ts';
import { relativeTime } from '../../src/output/terminal-text.ts';
import { render } from '../support/render.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const STYLE = { columns: 60, colour: palette(false), unicode: true, now: NOW };
const ASCII = /^[\n -~]*$/;

describe('a time on a terminal', () => {
  it.each([
    ['2026-11-21T11:59:58.123Z', 'just now'],
    ['2026-11-21T11:59:00Z', '1 minute ago'],
    ['2026-11-21T06:00:00-03:00', '3 hours ago'],
    ['2026-11-18T11:00:00Z', '3 days ago'],
    ['2024-11-01T11:00:00Z', '2 years ago'],
    ['2026-11-21T12:10:00Z', 'in 10 minutes'],
    ['2026-11-21', undefined],
    ['2026-99-21T12:10:00Z', undefined],
    ['at 2026-11-21T12:10:00Z', undefined],
  ])('%s is printed as %s', (text, words) => {
    expect(relativeTime(text, NOW)).toBe(words);
  });

  it('is relative in a list, ISO and relative in a record, and ISO in a pipe', () => {
    const row = { id: 'a', created_at: '2026-11-21T11:00:00Z' };
    expect(render([row], STYLE)).toBe('id  created_at\na   1 hour ago\n');
    expect(render(row, STYLE)).toContain('2026-11-21T11:00:00Z (1 hour ago)');
    expect(render([row], undefined)).toBe('a\t2026-11-21T11:00:00Z\n');
  });
});

describe('hyperlinks on a terminal', () => {
  const terminal: Output = {
    isTerminal: true,
    columns: 80,
    rows: 24,
    isClosed: () => false,
    writeBytes: async () => undefined,
    write: async () => undefined,
  };
  it.each([
    [{ TERM_PROGRAM: 'WezTerm' }, true],
    [{ VTE_VERSION: '7200' }, true],
    [{ VTE_VERSION: '5000' }, false],
    [{ TERM: 'xterm-kitty' }, true],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM: 'xterm-256color', FORCE_HYPERLINK: '1' }, true],
    [{ TERM_PROGRAM: 'WezTerm', FORCE_HYPERLINK: '0' }, false],
    [{ TERM_PROGRAM: 'WezTerm', NO_COLOR: '1' }, false],
    [{ TERM_PROGRAM: 'WezTerm', CI: '1' }, false],
    [{ TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/x' }, false],
    [{ TERM: 'dumb', FORCE_HYPERLINK: '1' }, false],
  ])('are written with %j: %s; never in a pipe', (env, expected) => {
    expect(wantsLinks(env, terminal, false)).toBe(expected);
    expect(wantsLinks(env, { ...terminal, isTerminal: false }, false)).toBe(false);
  });

  it('are written as one link to the whole address when the address is wider than the terminal', () => {
    const url = `https://pay.example/${'a'.repeat(100)}`;
    const rendered = render({ url, note: 'x' }, { ...STYLE, links: true });
    expect(rendered.split(`\u001b]8;;${url}\u001b\\${url}\u001b]8;;`)).toHaveLength(2);
    expect(render({ url }, STYLE)).not.toContain('\u001b');
  });

  it.each(['javascript:alert(1)', 'https://x\u001b]8;;https://evil', 'https://a b', 'see https://x'])(
    'are not written for %j',
    (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the character that must not be printed
      expect(render([{ text }], { ...STYLE, links: true })).not.toMatch(/\u001b/);
    },
  );
});

describe('the width of a terminal', () => {
  it('is not exceeded by wide characters; combining marks count as no column', () => {
    expect([widthOf('日本'), widthOf('e\u0301'), widthOf('🎉'), widthOf('abc')]).toEqual([4, 1, 2, 3]);
    const note = '日本語のとても長い名前 です '.repeat(5);
    for (const text of [render([{ id: 'order_1', note }], STYLE), render({ id: 'order_1', note }, STYLE)]) {
      for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(60);
    }
    expect(splitToWidth('日本語', 4).join('')).toBe('日本語');
  });
});

describe('a locale without Unicode', () => {
  it('gets only ASCII, and no line wider than the terminal', () => {
    const style = { ...STYLE, unicode: false };
    const text = render([{ name: 'José', note: 'a “long” note — '.repeat(8) }], style) + render({ a: 'ü…' }, style);
    expect(text).toMatch(ASCII);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });

  it.each([
    ['✓ fine → next…', 'ok fine -> next...'],
    ['é', '\\u{e9}'],
    ['🎉', '\\u{1f389}'],
  ])('prints %s as %s', (text, ascii) => {
    expect(toAscii(text)).toBe(ascii);
  });
});
