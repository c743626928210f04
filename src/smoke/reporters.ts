import { printJson } from '../core/json.ts';
import { escapeText } from '../core/text.ts';
import { type FlowReport, type RunReport, type StepReport, worstOf } from './report.ts';

/** The formats of reports. `terminal` and `ndjson` also show the progress. */
export const REPORTERS = ['terminal', 'tap', 'junit', 'github', 'ndjson'] as const;

export type ReporterName = (typeof REPORTERS)[number];

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const isBad = ({ status }: StepReport): boolean => status === 'failed' || status === 'in_doubt';

/** All steps of a flow, with those of its cleanup. */
export const stepsOf = ({ steps, cleanup = [] }: FlowReport): readonly StepReport[] => [...steps, ...cleanup];

/** What was expected and what was there, then the request and its answer. */
const reasonLines = ({ expected, actual, hint, next, lines = [], status }: StepReport): readonly string[] => [
  ...(expected === undefined ? [] : [`expected: ${expected}`]),
  ...(actual === undefined ? [] : [`actual:   ${actual}`]),
  ...(status === 'in_doubt' ? ['Money may have moved. Run the same smoke test again: it resumes this run.'] : []),
  ...(hint === undefined ? [] : [`hint:     ${hint}`]),
  ...(next === undefined ? [] : [`next:     ${next}`]),
  ...lines,
];

const yamlText = (text: string): string => JSON.stringify(escapeText(text));

/** A report in TAP 14: a subtest for each flow, with the reason of each failed step. */
export const tapReport = ({ flows }: RunReport): string => {
  const lines = ['TAP version 14', `1..${flows.length}`];
  for (const [at, flow] of flows.entries()) {
    const all = stepsOf(flow);
    lines.push(`# Subtest: ${flow.name}`, `    1..${all.length}`);
    for (const [index, step] of all.entries()) {
      lines.push(`    ${isBad(step) ? 'not ok' : 'ok'} ${index + 1} - ${step.id}: ${step.operation}`);
      if (isBad(step)) {
        const details = reasonLines(step).map((line) => `        - ${yamlText(line)}`);
        lines.push('      ---', `      status: ${step.status}`, '      reason:', ...details, '      ...');
      }
    }
    const skip = flow.status === 'skipped' ? ` # SKIP ${escapeText(flow.reason ?? '')}` : '';
    const isOk = flow.status === 'passed' || flow.status === 'skipped';
    lines.push(`${isOk ? 'ok' : 'not ok'} ${at + 1} - ${flow.name}${skip}`);
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

const testCase = (flow: FlowReport, step: StepReport): readonly string[] => {
  const head = `    <testcase name="${xml(step.id)}" classname="${xml(flow.name)}" time="${seconds(step.ms)}"`;
  if (!isBad(step)) return [`${head}/>`];
  const message = step.expected === undefined ? step.status : `expected ${step.expected}, actual ${step.actual}`;
  return [
    `${head}>`,
    `      <failure message="${xml(message)}" type="${step.status}">${xml(reasonLines(step).join('\n'))}</failure>`,
    '    </testcase>',
  ];
};

/** A report in the form of JUnit, as Jenkins' schema junit-10.xsd describes it. */
export const junitReport = ({ flows, run, ms }: RunReport): string => {
  const failuresIn = (all: readonly StepReport[]) => all.filter(isBad).length;
  const everyStep = flows.flatMap(stepsOf);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Smoke test ${xml(run)}" tests="${everyStep.length}" failures="${failuresIn(everyStep)}" errors="0" time="${seconds(ms)}">`,
  ];
  for (const flow of flows) {
    const steps = stepsOf(flow);
    const isSkipped = flow.status === 'skipped';
    lines.push(
      `  <testsuite name="${xml(flow.name)}" tests="${isSkipped ? 1 : steps.length}" failures="${failuresIn(steps)}" errors="0" skipped="${isSkipped ? 1 : 0}" time="${seconds(flow.ms)}">`,
      ...steps.flatMap((step) => testCase(flow, step)),
      ...(isSkipped
        ? [`    <testcase name="${xml(flow.name)}" classname="${xml(flow.name)}" time="0"><skipped/></testcase>`]
        : []),
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

/** Annotations for GitHub Actions: an error for each failed step. */
export const githubReport = ({ flows }: RunReport): string => {
  const lines = flows.flatMap((flow) =>
    stepsOf(flow)
      .filter(isBad)
      .map(
        (step) =>
          `::error title=${command(`${flow.name}: ${step.id}`, true)}::${command(reasonLines(step).join('\n'))}`,
      ),
  );
  const passed = flows.filter(({ status }) => status === 'passed').length;
  return `${[...lines, `${passed} of ${flows.length} flows passed`].join('\n')}\n`;
};

const cell = (text: string): string =>
  escapeText(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('`', "'");

/** The summary of a job of GitHub Actions, in Markdown. */
export const githubSummary = ({ run, profile, kind, flows }: RunReport): string => {
  const rows = flows.map((flow) => {
    const bad = stepsOf(flow).find(isBad);
    const why =
      bad === undefined
        ? ''
        : `${bad.id}: expected \`${cell(bad.expected ?? '')}\`, actual \`${cell(bad.actual ?? '')}\``;
    return `| ${cell(flow.name)} | ${flow.status} | ${stepsOf(flow).length} | ${seconds(flow.ms)} s | ${why} |`;
  });
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

/** The lines of a report that a reader sees: a line for each step, then the reasons of failures. */
export type Look = { readonly pass: string; readonly fail: string; readonly dim: (text: string) => string };

/** A line for a step that ended. */
export const stepLine = (flow: string, step: StepReport, { pass, fail, dim }: Look): string => {
  const sign = isBad(step) ? fail : pass;
  const tries = step.attempts > 1 ? `, ${step.attempts} attempts` : '';
  const answer = step.http === undefined ? 'no answer' : `${step.http} ${step.code ?? ''}`.trim();
  const handled = step.status === 'handled' ? ', handled' : '';
  return `${sign} ${flow}  ${step.id}  ${escapeText(answer)}${dim(`  ${step.ms} ms${tries}${handled}`)}`;
};

/** The end of a report for a reader: the reasons of failures, and a line for each flow. */
export const terminalEnd = (report: RunReport, { pass, fail, dim }: Look): string => {
  const lines: string[] = [];
  for (const flow of report.flows)
    for (const step of stepsOf(flow).filter(isBad))
      lines.push(
        '',
        `${fail} ${flow.name}: ${step.id} (${escapeText(step.operation)})`,
        ...reasonLines(step).map((line) => `    ${escapeText(line)}`),
      );
  if (lines.length > 0) lines.push('');
  for (const flow of report.flows) {
    const sign = flow.status === 'passed' ? pass : fail;
    lines.push(
      `${sign} ${flow.name}: ${flow.status.replace('_', ' ')}${dim(`, ${stepsOf(flow).length} steps, ${seconds(flow.ms)} s`)}`,
    );
  }
  const passed = report.flows.filter(({ status }) => status === 'passed').length;
  return `${[...lines, `${passed} of ${report.flows.length} flows passed (run ${report.run})`].join('\n')}\n`;
};

/** One line of NDJSON. */
export const ndjsonLine = (document: unknown): string => `${printJson(document)}\n`;
