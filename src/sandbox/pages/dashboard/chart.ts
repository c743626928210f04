import { latestStatuses } from '../../ledger/latest.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Html, html, time } from '../html.ts';
import { tableOf } from './table.ts';

/** The chart shows this number of the newest payments. */
const MAX_PAYMENTS = 1000;
const COLUMNS = 24;
const [WIDTH, HEIGHT, GAP] = [720, 160, 4];

/** The states in the order of their bars, from bottom to top. */
const STATES = ['success', 'received', 'processing', 'retry', 'registered', 'error'];

/** The payments created in one span of time, counted by their current state. `from` is milliseconds since 1970. */
type Span = { readonly from: number; readonly counts: Readonly<Record<string, number>>; readonly total: number };

type ChartPayment = { readonly created_at: string; readonly status: string };

const countsOf = (payments: readonly ChartPayment[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status } of payments) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Divides the time from the first to the last payment into spans of equal length. */
const spansOf = (payments: readonly ChartPayment[]): readonly Span[] => {
  const times = payments.map(({ created_at }) => Date.parse(created_at));
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const length = Math.max(1, (last - first + 1) / COLUMNS);
  const groups = Array.from({ length: COLUMNS }, (): ChartPayment[] => []);
  payments.forEach((payment, at) => {
    groups[Math.floor(((times[at] ?? first) - first) / length)]?.push(payment);
  });
  return groups.map((group, at) => ({ from: first + at * length, counts: countsOf(group), total: group.length }));
};

const round = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

/** The bars of one column, one for each state, on top of each other. */
const columnOf = ({ counts }: Span, at: number, tallest: number): readonly Html[] => {
  const width = WIDTH / COLUMNS;
  let below = 0;
  return STATES.flatMap((state) => {
    const count = counts[state] ?? 0;
    if (count === 0) return [];
    const height = (count / tallest) * HEIGHT;
    below += height;
    return [
      html`<rect class="bar ${state}" x="${round(at * width + GAP / 2)}" y="${round(HEIGHT - below)}" width="${round(width - GAP)}" height="${round(height)}"/>`,
    ];
  });
};

const numbersOf = (spans: readonly Span[], states: readonly string[]): Html =>
  tableOf(
    'Payments by state',
    [
      { name: 'From', kind: 'whole', show: ({ from }) => time(new Date(from).toISOString()) },
      ...states.map((state) => ({ name: state, show: ({ counts }: Span) => counts[state] ?? 0 })),
    ],
    spans.filter(({ total }) => total > 0).toReversed(),
    '',
  );

/** The chart of payments by state over time, with a legend and a table of its numbers; `undefined` without payments. */
export const paymentChart = async (ledger: Ledger): Promise<Html | undefined> => {
  const payments = await latestStatuses(ledger, MAX_PAYMENTS);
  const [first, last] = [payments[0], payments.at(-1)];
  if (!first || !last) return undefined;
  const spans = spansOf(payments);
  const totals = countsOf(payments);
  const states = STATES.filter((state) => totals[state] !== undefined);
  const tallest = Math.max(...spans.map(({ total }) => total));
  return html`<section class="card" id="chart" data-live tabindex="-1" aria-labelledby="chart-name">
<h2 id="chart-name">Payments by state over time</h2>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${spans.map((span, at) => columnOf(span, at, tallest))}</svg>
<p class="quiet small">From ${time(first.created_at)} to ${time(last.created_at)} UTC, at most ${tallest} in a column.</p>
<ul class="legend">${states.map((state) => html`<li><span class="swatch ${state}"></span>${state} ${totals[state]}</li>`)}</ul>
<details id="chart-numbers"><summary>Numbers</summary>${numbersOf(spans, states)}</details>
</section>`;
};
