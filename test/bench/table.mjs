/** Ratios with two digits; small values with one. */
const shown = (value, unit) => {
  if (value === undefined) return '';
  if (unit === undefined) return value.toFixed(2);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};

/** What one Node measured: the ratio, and in brackets the two values that it is made of. */
const cell = ({ value, unit, own, other }) => {
  const sides = [own, other].filter(Boolean).join(' : ');
  const main = shown(value, unit);
  return main && sides ? `${main} (${sides})` : main || sides;
};

const limit = ({ budget, least, unit }) => {
  if (budget === undefined && least === undefined) return '';
  return [budget ?? `at least ${least}`, unit].filter(Boolean).join(' ');
};

/** The printed value is compared, so that a reader sees why a budget is met. */
const isMet = ({ value, unit, budget, least }) => {
  const printed = Number.parseFloat(shown(value, unit));
  return least === undefined ? printed <= budget : printed >= least;
};

/** Whether a row is within its budget on every Node, and where it is not. */
const verdict = (rows, versions) => {
  if (limit(rows[0]) === '') return '';
  const missed = versions.filter((_, at) => !isMet(rows[at]));
  if (missed.length === 0) return 'yes';
  return missed.length === versions.length
    ? '**no**'
    : `**not on ${missed.map((each) => each.split('.')[0]).join(', ')}**`;
};

/** A table of what each version of Node measured: the same rows in the same order. */
export const tableOf = (measured) => {
  const versions = measured.map(({ version }) => version);
  const cells = [
    ['measured', 'against', ...versions.map((version) => `Node ${version}`), 'budget', 'met'],
    ...measured[0].rows.map((row, at) => {
      const rows = measured.map(({ rows: all }) => all[at]);
      return [row.what, row.against ?? '', ...rows.map(cell), limit(row), verdict(rows, versions)];
    }),
  ];
  const widths = cells[0].map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row) => `| ${row.map((text, at) => text.padEnd(widths[at])).join(' | ')} |`;
  const [head, ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
};

/** Replaces what stands between the markers of a part. */
export const withSection = (text, part, section) => {
  const [start, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no markers ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${section}\n\n${text.slice(to)}`;
};
