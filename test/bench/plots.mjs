const WIDTH = 860;
const FONT = 'font-family="system-ui, sans-serif"';

/** Colours for light and dark pages. The background is part of the picture, so that text is readable on any page. */
const STYLE = `<style>
  .back { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .grid { stroke: #d1d9e0 } .limit { stroke: #cf222e }
  .a { fill: #0969da } .b { fill: #8250df } .a-line { stroke: #0969da } .b-line { stroke: #8250df }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .grid { stroke: #3d444d } .limit { stroke: #ff7b72 }
    .a { fill: #58a6ff } .b { fill: #bc8cff } .a-line { stroke: #58a6ff } .b-line { stroke: #bc8cff }
  }
</style>`;

/** Each Node has a colour, in the order of the table. */
const COLOURS = ['a', 'b'];

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x, y, content, { anchor = 'start', size = 13, className = 'text' } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" class="${className}" ${FONT}>${escaped(content)}</text>`;
const line = (x1, y1, x2, y2, className, more = '') =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${className}" ${more}/>`;

const picture = (height, title, parts) =>
  `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    STYLE,
    `<rect class="back" width="${WIDTH}" height="${height}"/>`,
    text(16, 28, title, { size: 16 }),
    ...parts,
    '</svg>',
  ].join('\n')}\n`;

const round = (value) => Math.round(value * 10) / 10;

/** A step of 1, 2 or 5 times a power of ten that divides an axis into at most eight parts. */
const stepFor = (max) => {
  const power = 10 ** Math.floor(Math.log10(max / 8));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= 8);
};
const ticksTo = (max, isCount = false) => {
  const step = isCount ? Math.max(1, stepFor(max)) : stepFor(max);
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, at) => round(at * step));
};

const legend = (entries, y) =>
  entries.map(
    ({ label, mark }, at) => `${mark(16 + at * 200, y)}${text(46 + at * 200, y + 4, label, { className: 'faint' })}`,
  );

/** Where a value is printed: after its bar, or after the mark of the budget if the mark is near. */
const labelAt = (ratio, budget = 0) => (budget > ratio && budget < ratio + 0.5 ? budget : ratio);

const BAR = { left: 290, right: 60, top: 78, height: 13, gap: 12 };

/**
 * The start of each command as a multiple of `node -e 0`: a bar for each Node, and a mark at the budget. Bars of peers are
 * pale.
 */
export const startUpPlot = (measured) => {
  const count = measured[0].bars.length;
  const group = measured.length * BAR.height + BAR.gap;
  const bottom = BAR.top + count * group;
  const all = measured.flatMap(({ bars }) => bars.flatMap(({ ratio, budget }) => [ratio, budget ?? 0]));
  const ticks = ticksTo(Math.max(...all));
  const width = WIDTH - BAR.left - BAR.right;
  const x = (value) => round(BAR.left + (value / ticks.at(-1)) * width);
  const axis = ticks.flatMap((tick) => [
    line(x(tick), BAR.top - 8, x(tick), bottom, 'grid'),
    text(x(tick), bottom + 18, tick, { anchor: 'middle', className: 'faint' }),
  ]);
  const groups = measured[0].bars.flatMap(({ name, budget, isPeer }, row) => {
    const top = BAR.top + row * group;
    const middle = top + (measured.length * BAR.height) / 2;
    const bars = measured.flatMap(({ bars }, at) => {
      const y = top + at * BAR.height;
      const { ratio } = bars[row];
      return [
        `<rect class="${COLOURS[at]}" x="${x(0)}" y="${y}" width="${round(x(ratio) - x(0))}" height="${BAR.height - 1}"${isPeer ? ' opacity="0.4"' : ''}/>`,
        text(x(labelAt(ratio, budget)) + 5, y + 10, ratio.toFixed(2), { size: 11, className: 'faint' }),
      ];
    });
    const limit = budget
      ? [line(x(budget), top - 3, x(budget), top + measured.length * BAR.height + 2, 'limit', 'stroke-width="2.5"')]
      : [];
    return [
      text(BAR.left - 10, middle + 4, name, { anchor: 'end', className: isPeer ? 'faint' : 'text' }),
      ...bars,
      ...limit,
    ];
  });
  const key = legend(
    [
      ...measured.map(({ version }, at) => ({
        label: `Node ${version}`,
        mark: (left, y) => `<rect class="${COLOURS[at]}" x="${left}" y="${y - 6}" width="22" height="12"/>`,
      })),
      { label: 'budget', mark: (left, y) => line(left + 11, y - 8, left + 11, y + 8, 'limit', 'stroke-width="2.5"') },
      {
        label: 'pale: a native program of others',
        mark: (left, y) => `<rect class="a" x="${left}" y="${y - 6}" width="22" height="12" opacity="0.4"/>`,
      },
    ],
    52,
  );
  const unit = text(BAR.left + width / 2, bottom + 38, 'time of a run, as a multiple of node -e 0 of the same Node', {
    anchor: 'middle',
    className: 'faint',
  });
  return picture(bottom + 52, 'Start-up by command: median of 15 paired runs', [...key, ...axis, ...groups, unit]);
};

const AREA = { left: 70, right: 30, top: 78, bottom: 390 };

/**
 * Values against counts: a line for each Node and each of `series`. `points` is the measured field with the points, `x` the
 * field of a point with the count. A series is `{ field, dash }`.
 */
const linePlot = (measured, { points: of, x: count, series, title, xLabel, yLabel }) => {
  const all = measured.flatMap((result) => result[of]);
  const xs = ticksTo(Math.max(...all.map((point) => point[count])), true);
  const ys = ticksTo(Math.max(...all.flatMap((point) => series.map(({ field }) => point[field]))));
  const x = (value) => round(AREA.left + (value / xs.at(-1)) * (WIDTH - AREA.left - AREA.right));
  const y = (value) => round(AREA.bottom - (value / ys.at(-1)) * (AREA.bottom - AREA.top));
  const axes = [
    ...xs.map((tick) => text(x(tick), AREA.bottom + 20, tick, { anchor: 'middle', className: 'faint' })),
    ...ys.flatMap((tick) => [
      line(AREA.left, y(tick), WIDTH - AREA.right, y(tick), 'grid'),
      text(AREA.left - 8, y(tick) + 4, tick, { anchor: 'end', className: 'faint' }),
    ]),
    text((AREA.left + WIDTH - AREA.right) / 2, AREA.bottom + 42, xLabel, { anchor: 'middle', className: 'faint' }),
    `<g transform="rotate(-90 20 ${(AREA.top + AREA.bottom) / 2})">${text(20, (AREA.top + AREA.bottom) / 2, yLabel, { anchor: 'middle', className: 'faint' })}</g>`,
  ];
  const lines = measured.flatMap((result, at) =>
    series.map(({ field, dash }) => {
      const places = result[of].map((point) => `${x(point[count])},${y(point[field])}`).join(' ');
      return `<polyline class="${COLOURS[at]}-line" points="${places}" fill="none" stroke-width="2" ${dash}/>`;
    }),
  );
  const key = legend(
    measured.flatMap(({ version }, at) =>
      series.map(({ field, dash }) => ({
        label: series.length > 1 ? `Node ${version}, ${field}` : `Node ${version}`,
        mark: (left, top) => line(left, top, left + 24, top, `${COLOURS[at]}-line`, `stroke-width="2" ${dash}`),
      })),
    ),
    52,
  );
  return picture(AREA.bottom + 56, title, [...key, ...axes, ...lines]);
};

/** The milliseconds of a payment against the payments before it: median and 99th percentile of each window. */
export const costPlot = (measured) =>
  linePlot(measured, {
    points: 'windows',
    x: 'payments',
    series: [
      { field: 'median', dash: '' },
      { field: 'p99', dash: 'stroke-dasharray="6 4"' },
    ],
    title: 'Cost of a payment against payments so far, 16 clients',
    xLabel: 'payments so far',
    yLabel: 'time of a payment, ms',
  });

/** The processor time of a row of a bulk run against the ended payments of its journal. */
export const rowCostPlot = (measured) =>
  linePlot(measured, {
    points: 'rowCosts',
    x: 'rows',
    series: [{ field: 'cost', dash: '' }],
    title: 'Cost of a row against rows so far, 8 keys',
    xLabel: 'rows so far',
    yLabel: 'processor time of a row, ms',
  });

/** The rows a second that workers pay from a queue, against the number of workers. */
export const workersPlot = (measured) =>
  linePlot(measured, {
    points: 'workerRates',
    x: 'workers',
    series: [
      { field: 'measured', dash: '' },
      { field: 'ideal', dash: 'stroke-dasharray="6 4"' },
    ],
    title: 'Rows a second against workers, 200 ms and 4 calls at a time each',
    xLabel: 'workers',
    yLabel: 'rows a second',
  });
