import { expect, it } from 'vitest';

/** The bench runs on each Node without a build, so its modules are JavaScript without types. */
const load = (file: string) => import(new URL(file, import.meta.url).href);

const row = (value: number, more: object = {}) => ({
  label: 'a',
  against: 'b',
  own: '1 ms',
  other: '2 ms',
  value,
  ...more,
});
const verdictOf = async (...rows: readonly object[]) => {
  const { tableOf } = await load('table.mjs');
  const table: string = tableOf(rows.map((measured, at) => ({ version: `${20 + 4 * at}.1.0`, rows: [measured] })));
  return table.split('\n').at(-1)?.split('|').at(-2)?.trim();
};

it.each<[string, string, readonly object[]]>([
  ['a budget that both versions of Node meet', 'yes', [row(1, { budget: 1.1 }), row(1.1, { budget: 1.1 })]],
  ['a value that meets its budget only after rounding', 'yes', [row(1.104, { budget: 1.1 }), row(1, { budget: 1.1 })]],
  ['a budget that one version misses', '**not on 24**', [row(1, { budget: 1.1 }), row(1.2, { budget: 1.1 })]],
  ['a minimum that both versions miss', '**no**', [row(7, { minimum: 8 }), row(7.9, { minimum: 8 })]],
  ['a size above its budget', '**no**', [row(151, { budget: 150, unit: 'MB' }), row(160, { budget: 150, unit: 'MB' })]],
  ['a row for comparison', '', [row(3), row(4)]],
])('the table shows %s as "%s"', async (_, verdict, rows) => {
  expect(await verdictOf(...rows)).toBe(verdict);
});

it('withSection replaces only the section of its part, and throws if the part has no markers', async () => {
  const { withSection } = await load('table.mjs');
  const readme = 'one\n<!-- pay -->\nold\n<!-- /pay -->\ntwo\n<!-- warm -->\nkept\n<!-- /warm -->\n';
  const changed = withSection(readme, 'pay', 'new');
  expect(changed).toBe(readme.replace('\nold\n', '\n\nnew\n\n'));
  expect(withSection(changed, 'pay', 'new')).toBe(changed);
  expect(() => withSection(readme, 'flat', 'new')).toThrow('no markers <!-- flat -->');
});

it('each plot has a line or a bar for each version of Node, and escapes names', async () => {
  const { costPlot, rowCostPlot, startUpPlot } = await load('plots.mjs');
  const windows = [1000, 2000].map((payments) => ({ payments, median: 80, p99: 150 }));
  const bars = [
    { name: 'bursar --help', ratio: 1.5, budget: 1.6 },
    { name: 'stripe <x>', ratio: 3.5, isPeer: true },
  ];
  const rowCosts = [500, 50_000].map((rows) => ({ rows, cost: 20 }));
  const measured = ['20.1.0', '24.1.0'].map((version) => ({ version, windows, bars, rowCosts }));
  expect(costPlot(measured).match(/<polyline /g)).toHaveLength(4);
  expect(rowCostPlot(measured).match(/<polyline /g)).toHaveLength(2);
  const bar: string = startUpPlot(measured);
  expect(bar.match(/<rect class="[ab]" x="290"/g)).toHaveLength(4);
  expect(bar).toContain('stripe &lt;x>');
  expect(bar).not.toContain('NaN');
});
