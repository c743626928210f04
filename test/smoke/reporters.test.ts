import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/smoke/report.ts';
import {
  githubReport,
  githubSummary,
  junitReport,
  type Look,
  stepLine,
  tapReport,
  terminalEnd,
} from '../../src/smoke/reporters.ts';
import { EVERY_KIND } from '../support/smoke-report.ts';

const LOOK: Look = { pass: 'ok', fail: 'NO', note: '~', dim: (text) => text };

const BAD = ['bad', 'cut', 'kept-bad'];

/** The part of a report about one flow. */
const partOf = (report: string, start: string, end: string): string =>
  report.slice(report.indexOf(start)).split(end)[0] ?? '';

const only = (name: string): RunReport => ({
  ...EVERY_KIND,
  flows: EVERY_KIND.flows.filter((flow) => flow.name === name),
});

describe('every flow that did not pass shows a failure', () => {
  it.each(EVERY_KIND.flows.map(({ name }) => name))('%s', (name) => {
    const isBad = BAD.includes(name);
    const suite = partOf(junitReport(EVERY_KIND), `<testsuite name="${name}"`, '</testsuite>');
    expect([suite.includes('<failure '), suite.includes('failures="1"')]).toEqual([isBad, isBad]);
    const subtest = partOf(tapReport(EVERY_KIND), `# Subtest: ${name}\n`, '\n# Subtest');
    expect([/^ +not ok/m.test(subtest), /^not ok/m.test(subtest)]).toEqual([isBad, isBad]);
    expect(new RegExp(`^::error title=${name}(?:%3A|::)`, 'm').test(githubReport(EVERY_KIND))).toBe(isBad);
    expect(new RegExp(`^NO ${name}: (?:failed|interrupted)`, 'm').test(terminalEnd(EVERY_KIND, LOOK))).toBe(isBad);
  });
});

const KEPT_LATE = { name: 'kept-late', summary: '', status: 'skipped', kept: true, ms: 0, steps: [] } as const;

describe('a report of a smoke test', () => {
  it('shows the steps that were not reached', () => {
    const junit = junitReport(EVERY_KIND);
    expect(junit).toContain('<testcase name="never" classname="bad" time="0.000"><skipped>not reached</skipped>');
    expect(junit).toContain('<testsuite name="bad" tests="3" failures="1" errors="0" skipped="1"');
    expect(tapReport(EVERY_KIND)).toContain('ok 3 - never # SKIP not reached\n');
  });

  it('shows a step that an action of the flow handled', () => {
    expect(tapReport(EVERY_KIND)).toMatch(/ {4}ok 1 - handled: .*\(handled\)\n {6}---\n {6}status: handled\n/);
    expect(junitReport(EVERY_KIND)).toContain('<system-out>handled by the flow\nexpected: e\nactual:   a &lt;&amp;<');
    const [handled] = only('bad').flows[0]?.steps ?? [];
    expect(handled && stepLine('bad', handled, LOOK)).toBe('~ bad  handled  404 products_listed  5 ms, handled');
  });

  it('shows what an earlier part of a run ended', () => {
    const [execute] = only('resumed').flows[0]?.steps ?? [];
    expect(execute && stepLine('resumed', execute, LOOK)).toBe('ok resumed  execute  settled  5 ms');
    const end = terminalEnd(EVERY_KIND, LOOK);
    expect(end).toContain('ok kept-good: passed, kept from the earlier run\n');
    expect(end).toContain('NO kept-bad: failed, kept from the earlier run\n');
    expect(junitReport(EVERY_KIND)).toContain('actual failed in an earlier part of this run');
    expect(tapReport(EVERY_KIND)).toContain('ok 1 - kept-good # SKIP kept from the earlier run');
  });

  it.each([['waiting', EVERY_KIND, 'the run was interrupted']])('shows why a flow was skipped', (name, report, why) => {
    expect(tapReport(report)).toMatch(new RegExp(`^ok \\d - ${name} # SKIP ${why}`, 'm'));
    expect(junitReport(report)).toContain(`<testcase name="${name}" classname="${name}" time="0.000"><skipped>${why}`);
    expect(terminalEnd(report, LOOK)).toContain(`~ ${name}: skipped, ${why}`);
    expect(githubSummary(report)).toMatch(new RegExp(`\\| ${name} \\| skipped \\|.*\\| ${why}`));
  });

  it('shows a flow that a resume leaves to the next run as one that did not pass', () => {
    const report = { ...EVERY_KIND, flows: [KEPT_LATE] };
    const why = 'the earlier run did not start it: run the command again';
    expect(tapReport(report)).toMatch(/^not ok 1 - kept-late$/m);
    for (const text of [tapReport(report), junitReport(report), terminalEnd(report, LOOK)]) expect(text).toContain(why);
    expect(junitReport(report)).toContain('failures="1"');
  });

  it('counts one as one', () => {
    expect(terminalEnd(only('good'), LOOK)).toBe('ok good: passed, 1 step, 0.005 s\n1 of 1 flow passed (run run-1)\n');
    expect(githubReport(only('good'))).toBe('1 of 1 flow passed\n');
  });

  it('indents a body that is wider than the terminal, also one that was cut', () => {
    const whole = terminalEnd(only('bad'), LOOK);
    expect(whole).toContain('    < {"message":"a, b: {c} \\"d\\" word');
    const rows = terminalEnd(only('bad'), { ...LOOK, columns: 80 }).split('\n');
    const body = rows.filter((row) => row.startsWith('    < '));
    expect(body[1]).toMatch(/^ {4}< {3}"message": "a, b: \{c\} \\"d\\" word /);
    expect(body.slice(2, 7)).toEqual(
      ['  "data": {', '    "list": [', '      1,', '      {}', '    ],'].map((row) => `    < ${row}`),
    );
    expect([body.length, body.at(-1)]).toEqual([21, '    < …']);
  });
});
