import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newSeenIds } from '../../src/bulk/seen-ids.ts';
import { COLUMNS, readText } from './read-rows.ts';

type Fields = Readonly<Record<string, string>>;

const NAMES = [...COLUMNS.keys()];
const MANY = NAMES.filter((name) => COLUMNS.get(name)?.many);

const value = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }).filter((text) => /[^\s;]/.test(text));
const fields: fc.Arbitrary<Fields> = fc.dictionary(fc.constantFrom(...NAMES), value, { noNullPrototype: true });
const rows = fc.uniqueArray(fields, { minLength: 1, maxLength: 8, selector: (row) => JSON.stringify(row) });

/** A way to write the same rows: order of rows and columns, line end, quotes, names. */
const layout = fc.record({
  columns: fc.shuffledSubarray(['id', ...NAMES], { minLength: NAMES.length + 1 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  isQuoted: fc.boolean(),
  isReversed: fc.boolean(),
  hyphen: fc.constantFrom('-', '_'),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

const csvOf = (all: readonly Fields[], { columns, lineEnd, isQuoted, isReversed, hyphen }: Layout): string => {
  const cell = (text: string) => (isQuoted || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = all.map((row, at) =>
    columns.map((name) => cell(name === 'id' ? `id-${at}` : (row[name] ?? ''))).join(','),
  );
  const header = columns.map((name) => name.replaceAll('_', hyphen)).join(',');
  return [header, ...(isReversed ? lines.toReversed() : lines), ''].join(lineEnd);
};

const digestsOf = async (text: string, name?: string) => {
  const { all } = await readText(text, name);
  return new Map(all.map((row) => (row.kind === 'row' ? [row.id, row.digest] : ['problem', row.message])));
};

it('a digest depends on the id and the values of a row, and on nothing of how the file is written', async () => {
  await fc.assert(
    fc.asyncProperty(rows, layout, layout, async (all, one, other) => {
      const digests = await digestsOf(csvOf(all, one));
      expect(digests.size).toBe(all.length);
      expect(await digestsOf(csvOf(all, other))).toEqual(digests);
      const objects = all.map((row, at) => ({ id: `id-${at}`, ...row }));
      const ndjson = objects.map((row) => JSON.stringify(row)).join('\n');
      expect(await digestsOf(ndjson, 'rows.ndjson')).toEqual(digests);
      expect([...digests.values()].every((digest) => /^[0-9a-f]{32}$/.test(digest))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('two rows that differ in a value, a field or an id have different digests', async () => {
  const differing = fc.uniqueArray(fields, {
    minLength: 2,
    maxLength: 8,
    // A list differs by its values, not by its separators.
    selector: (row) =>
      JSON.stringify(
        NAMES.map((name) => (MANY.includes(name) ? row[name]?.split(/[\s;]+/).filter(Boolean) : row[name])),
      ),
  });
  await fc.assert(
    fc.asyncProperty(differing, async (all) => {
      const texts = all.map((row) => JSON.stringify({ id: 'same', ...row }));
      const digests = await Promise.all(texts.map(async (text) => (await digestsOf(text, 'one.ndjson')).get('same')));
      expect(new Set(digests).size).toBe(all.length);
    }),
    { numRuns: 60 },
  );
  const ids = await digestsOf('id\na\nb\n');
  expect(ids.get('a')).not.toBe(ids.get('b'));
});

it('the digest of a row is always the same: results of an earlier run have it', async () => {
  const { rows } = await readText('id,amount_from,split\npay-1,10.50,0xabc=70 0xdef=30\n');
  expect(rows[0]?.digest).toMatchInlineSnapshot(`"75589340d3bd427ab2e756344d57f89d"`);
});

it('seen ids find the first row of each of 200,000 ids', () => {
  const seen = newSeenIds();
  const firsts = new Set(Array.from({ length: 200_000 }, (_, at) => seen(`id-${at + 1}`, at + 1)));
  expect([...firsts]).toEqual([undefined]);
  for (let row = 1; row <= 200_000; row += 997) expect(seen(`id-${row}`, 1_000_000 + row)).toBe(row);
});
