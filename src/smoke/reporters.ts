import { printJson } from '../core/json.ts';
import { escapeText, widthOf } from '../core/text.ts';
import {
  type Case,
  casesOf,
  counted,
  endedBadly,
  type FlowReport,
  isBad,
  KEPT,
  type RunReport,
  type StepReport,
  stepsOf,
  whySkipped,
  worstOf,
} from './report.ts';

/** The formats of reports. `terminal` and `ndjson` also show the progress. */
export const REPORTERS = ['terminal', 'tap', 'junit', 'github', 'ndjson'] as const;

export type ReporterName = (typeof REPORTERS)[number];

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** How many flows of a run passed, for the last line of a report. */
const passedOf = ({ flows }: RunReport): string => {
  const passed = flows.filter(({ status }) => status === 'passed').length;
  return `${passed} of ${counted(flows.length, 'flow')} passed`;
};

/** What was expected and what was there, and what to do. */
const factLines = ({ expected, actual, hint, next, status }: Case): readonly string[] => [
  ...(expected === undefined ? [] : [`expected: ${expected}`]),
  ...(actual === undefined ? [] : [`actual:   ${actual}`]),
  ...(status === 'in_doubt' ? ['Money may have moved. Run the same smoke test again: it resumes this run.'] : []),
  ...(hint === undefined ? [] : [`hint:     ${hint}`]),
  ...(next === undefined ? [] : [`next:     ${next}`]),
];

/** The facts, then the request and its answer. */
const reasonLines = (one: Case): readonly string[] => [...factLines(one), ...(one.lines ?? [])];

const yamlText = (text: string): string => JSON.stringify(escapeText(text));

const tapLines = (one: Case, at: number): readonly string[] => {
  const title = `${isBad(one) ? 'not ok' : 'ok'} ${at + 1} - ${one.id}${one.operation && `: ${one.operation}`}`;
  if (one.status === 'passed') return [title];
  if (one.status === 'skipped') return [`${title} # SKIP ${one.actual}`];
  const details = reasonLines(one).map((line) => `    - ${yamlText(line)}`);
  const handled = one.status === 'handled' ? ' (handled)' : '';
  return [title + handled, '  ---', `  status: ${one.status}`, '  reason:', ...details, '  ...'];
};

/** A report in TAP 14: a subtest for each flow, with the reason of each step that did not pass. */
export const tapReport = (run: RunReport): string => {
  const { flows } = run;
  const lines = ['TAP version 14', `1..${flows.length}`];
  for (const [at, flow] of flows.entries()) {
    const cases = casesOf(flow);
    const inner = [`1..${cases.length}`, ...cases.flatMap(tapLines)];
    const skip = flow.status === 'skipped' && !endedBadly(flow) ? ` # SKIP ${escapeText(whySkipped(flow))}` : '';
    lines.push(`# Subtest: ${flow.name}`, ...inner.map((line) => `    ${line}`));
    lines.push(`${endedBadly(flow) ? 'not ok' : 'ok'} ${at + 1} - ${flow.name}${skip}`);
  }
  return `${lines.join('\n')}\n`;
};

/** Characters that XML 1.0 does not have: control characters and lone surrogates. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const xml = (text: string): string =>
  text
    .replaceAll(NOT_XML, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const testCase = (flow: FlowReport, one: Case): readonly string[] => {
  const head = `    <testcase name="${xml(one.id)}" classname="${xml(flow.name)}" time="${seconds(one.ms)}"`;
  if (one.status === 'passed') return [`${head}/>`];
  if (one.status === 'skipped') return [`${head}><skipped>${xml(one.actual ?? '')}</skipped></testcase>`];
  const reason = xml(reasonLines(one).join('\n'));
  const message = one.expected === undefined ? one.status : `expected ${one.expected}, actual ${one.actual}`;
  const body = isBad(one)
    ? `<failure message="${xml(message)}" type="${one.status}">${reason}</failure>`
    : `<system-out>handled by the flow\n${reason}</system-out>`;
  return [`${head}>`, `      ${body}`, '    </testcase>'];
};

/** A report in the form of JUnit, as Jenkins' schema junit-10.xsd describes it. */
export const junitReport = (report: RunReport): string => {
  const { flows, run, ms } = report;
  const countsOf = (cases: readonly Case[]) =>
    `tests="${cases.length}" failures="${cases.filter(isBad).length}" errors="0"`;
  const all = flows.flatMap((flow) => casesOf(flow));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Smoke test ${xml(run)}" ${countsOf(all)} time="${seconds(ms)}">`,
  ];
  for (const flow of flows) {
    const cases = casesOf(flow);
    const skipped = cases.filter(({ status }) => status === 'skipped').length;
    lines.push(
      `  <testsuite name="${xml(flow.name)}" ${countsOf(cases)} skipped="${skipped}" time="${seconds(flow.ms)}">`,
      ...cases.flatMap((one) => testCase(flow, one)),
      '  </testsuite>',
    );
  }
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
};

/** The escapes of a value in a command of GitHub Actions; `isName`: in a property. */
const command = (text: string, isName = false): string => {
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return isName ? escaped.replaceAll(':', '%3A').replaceAll(',', '%2C') : escaped;
};

/** Annotations for GitHub Actions: an error for each failed step, and for a flow that ended badly without one. */
export const githubReport = (run: RunReport): string => {
  const lines = run.flows.flatMap((flow) =>
    casesOf(flow)
      .filter(isBad)
      .map((one) => {
        const title = one.id === flow.name ? flow.name : `${flow.name}: ${one.id}`;
        return `::error title=${command(title, true)}::${command(reasonLines(one).join('\n'))}`;
      }),
  );
  return `${[...lines, passedOf(run)].join('\n')}\n`;
};

const cell = (text: string): string =>
  escapeText(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('`', "'");

/** The summary of a job of GitHub Actions, in Markdown. */
export const githubSummary = (report: RunReport): string => {
  const { run, profile, kind, flows } = report;
  const whyOf = (flow: FlowReport): string => {
    if (flow.status === 'skipped') return whySkipped(flow);
    const bad = casesOf(flow).find(isBad);
    if (bad === undefined) return flow.kept === true ? KEPT : '';
    return `${bad.id}: expected \`${cell(bad.expected ?? '')}\`, actual \`${cell(bad.actual ?? '')}\``;
  };
  const rows = flows.map(
    (flow) =>
      `| ${cell(flow.name)} | ${flow.status} | ${stepsOf(flow).length} | ${seconds(flow.ms)} s | ${whyOf(flow)} |`,
  );
  const head = ['| flow | status | steps | time | first failure |', '| --- | --- | --- | --- | --- |'];
  return [
    `### Smoke test: ${worstOf(flows.map(({ status }) => status))}`,
    '',
    `Run ${run}, profile ${cell(profile)} (${kind})`,
    '',
    ...head,
    ...rows,
    '',
    '',
  ].join('\n');
};

/** How a reader sees a report: the signs of its lines, and the width of the terminal, if it is shown on one. */
export type Look = {
  readonly pass: string;
  readonly fail: string;
  /** The sign of a step that was handled, and of a flow that was skipped. */
  readonly note: string;
  readonly dim: (text: string) => string;
  readonly columns?: number | undefined;
};

const answerOf = ({ http, code, status }: StepReport): string => {
  if (http !== undefined) return `${http} ${code ?? ''}`.trim();
  return status === 'passed' ? 'settled' : 'no answer';
};

/** A line for a step that ended. */
export const stepLine = (flow: string, step: StepReport, { pass, fail, note, dim }: Look): string => {
  const isHandled = step.status === 'handled';
  const sign = isBad(step) ? fail : isHandled ? note : pass;
  const tries = step.attempts > 1 ? `, ${step.attempts} attempts` : '';
  return `${sign} ${flow}  ${step.id}  ${escapeText(answerOf(step))}${dim(`  ${step.ms} ms${tries}${isHandled ? ', handled' : ''}`)}`;
};

const MAX_ROWS = 20;

/** Indents JSON, also if its end was cut. Brackets and commas in strings stay as they are. */
const indented = (json: string): readonly string[] => {
  let depth = 0;
  const row = (): string => `\n${'  '.repeat(depth)}`;
  const text = json.replace(/"(?:[^"\\]|\\.)*"?|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === ':') return ': ';
    if (token === ',') return `,${row()}`;
    depth += token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0;
    if (token === '{' || token === '[') return token + row();
    return token === '}' || token === ']' ? row() + token : token;
  });
  const rows = text.split('\n');
  return rows.length > MAX_ROWS ? [...rows.slice(0, MAX_ROWS), '…'] : rows;
};

/** A line of a request or an answer. A body that is wider than the terminal takes a row for each of its fields. */
const wireRows = (line: string, columns = Number.POSITIVE_INFINITY): readonly string[] => {
  const [, start = '', body] = /^([<>] )([{[].*)$/.exec(line) ?? [];
  const isWide = widthOf(line) + INDENT.length > columns;
  return body !== undefined && isWide ? indented(body).map((row) => start + row) : [line];
};

const INDENT = '    ';

/** The end of a report for a reader: the reasons of failures, and a line for each flow. */
export const terminalEnd = (report: RunReport, { pass, fail, note, dim, columns }: Look): string => {
  const lines: string[] = [];
  for (const flow of report.flows)
    for (const step of stepsOf(flow).filter(isBad))
      lines.push(
        '',
        `${fail} ${flow.name}: ${step.id} (${escapeText(step.operation)})`,
        ...factLines(step).map((line) => INDENT + escapeText(line)),
        ...(step.lines ?? []).flatMap((line) => wireRows(escapeText(line), columns)).map((row) => INDENT + row),
      );
  if (lines.length > 0) lines.push('');
  for (const flow of report.flows) {
    const facts = [counted(stepsOf(flow).length, 'step'), `${seconds(flow.ms)} s`];
    const isSkipped = flow.status === 'skipped';
    const shown = isSkipped ? [whySkipped(flow)] : flow.kept === true ? [KEPT] : facts;
    const sign = endedBadly(flow) ? fail : isSkipped ? note : pass;
    lines.push(`${sign} ${flow.name}: ${flow.status.replace('_', ' ')}${dim(`, ${shown.join(', ')}`)}`);
  }
  return `${[...lines, `${passedOf(report)} (run ${report.run})`].join('\n')}\n`;
};

/** One line of NDJSON. */
export const ndjsonLine = (document: unknown): string => `${printJson(document)}\n`;
