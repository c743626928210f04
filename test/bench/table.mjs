/** A ratio with two decimals, or a value with its unit and one decimal below 10. */
const formatted = (value, unit) => {
  if (value === undefined) return '';
  if (unit === undefined) return value.toFixed(2);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};

/** The cell of one Node: the ratio, and in brackets its two values. */
const cell = ({ value, unit, own, other }) => {
  const sides = [own, other].filter(Boolean).join(' : ');
  const main = formatted(value, unit);
  return main && sides ? `${main} (${sides})` : main || sides;
};

const limit = ({ budget, minimum, unit }) => {
  if (budget === undefined && minimum === undefined) return '';
  return [budget ?? `at least ${minimum}`, unit].filter(Boolean).join(' ');
};

/** Compares the printed value, so that a reader sees why a budget is met. */
const isMet = ({ value, unit, budget, minimum }) => {
  const printed = Number.parseFloat(formatted(value, unit));
  return minimum === undefined ? printed <= budget : printed >= minimum;
};

/** Whether a row meets its budget, and the versions of Node on which it does not. */
const verdict = (rows, versions) => {
  if (limit(rows[0]) === '') return '';
  const missed = versions.filter((_, at) => !isMet(rows[at]));
  if (missed.length === 0) return 'yes';
  return missed.length === versions.length
    ? '**no**'
    : `**not on ${missed.map((version) => version.split('.')[0]).join(', ')}**`;
};

/** A table with a column for each version of Node. All versions have the same rows in the same order. */
export const tableOf = (measured) => {
  const versions = measured.map(({ version }) => version);
  const cells = [
    ['measured', 'against', ...versions.map((version) => `Node ${version}`), 'budget', 'met'],
    ...measured[0].rows.map((row, at) => {
      const rows = measured.map(({ rows: all }) => all[at]);
      return [row.label, row.against ?? '', ...rows.map(cell), limit(row), verdict(rows, versions)];
    }),
  ];
  const widths = cells[0].map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row) => `| ${row.map((text, at) => text.padEnd(widths[at])).join(' | ')} |`;
  const [head, ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
};

/** Replaces the text between the markers of a part. */
export const withSection = (text, part, section) => {
  const [start, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no markers ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${section}\n\n${text.slice(to)}`;
};
