import { dirname, resolve, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Failure, isFailure, whyUnwritable } from '../../../core/failure.ts';
import { fitToStream } from '../../../core/screen.ts';
import { escapeText } from '../../../core/text.ts';
import type { Io } from '../../../io/io.ts';
import type { SmokeEvent } from '../../../smoke/call.ts';
import type { RunReport } from '../../../smoke/report.ts';
import {
  githubReport,
  githubSummary,
  junitReport,
  type Look,
  ndjsonLine,
  REPORTERS,
  type ReporterName,
  stepLine,
  tapReport,
  terminalEnd,
} from '../../../smoke/reporters.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArgs } from '../../command/options.ts';
import { mark } from '../../print/show-review.ts';

/** A reporter, and where it writes: a file, or standard output. */
type Reporter = { readonly name: ReporterName; readonly path: string | undefined };

/** The reporters of --reporter. Throws `invalid_input` for an unknown one, and for two that write to stdout. */
export const reportersFrom = (cli: CommandContext, given: ParsedArgs): readonly Reporter[] => {
  const reporters = stringArgs(given, 'reporter').map((text): Reporter => {
    const at = text.indexOf('=');
    const [word, path] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
    const name = REPORTERS.find((each) => each === word);
    if (name === undefined || path === '')
      throw new Failure(
        'invalid_input',
        `--reporter: "${text.slice(0, 40)}" is not one of ${REPORTERS.join(', ')}, each with =FILE if wanted`,
      );
    return { name, path: path === undefined ? undefined : resolve(cli.io.cwd, path) };
  });
  const toStdout = reporters.filter(({ path }) => path === undefined);
  if (cli.globals.json && toStdout.length > 0)
    throw new Failure('usage', '--json prints one document: give --reporter a file, such as junit=report.xml');
  if (toStdout.length > 1)
    throw new Failure(
      'usage',
      'only one reporter can write to standard output: give the others a file, such as tap=report.tap',
    );
  const paths = reporters.flatMap(({ path }) => path ?? []);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) throw new Failure('usage', `--reporter: two reporters write to ${twice}`);
  if (toStdout.length > 0 || cli.globals.json) return reporters;
  return [...reporters, { name: 'terminal', path: undefined }];
};

/** Without colour, because lines are wrapped before they are painted. */
const lookOf = (cli: CommandContext): Look => ({
  pass: signOf(cli, 'pass'),
  fail: signOf(cli, 'refuse'),
  note: '~',
  dim: (text) => text,
  columns: cli.io.stdout.columns,
});

const signOf = (cli: CommandContext, verdict: 'pass' | 'refuse'): string =>
  stripVTControlCharacters(mark(cli, verdict));

/** Wraps lines to the width of the terminal, and paints the signs at their beginnings. */
const forTerminal = (cli: CommandContext, text: string): string => {
  const fitted = fitToStream(text, cli.io.stdout).split('\n');
  const paint = (line: string, verdict: 'pass' | 'refuse') =>
    line.startsWith(signOf(cli, verdict)) ? line.replace(signOf(cli, verdict), mark(cli, verdict)) : line;
  return fitted.map((line) => paint(paint(line, 'pass'), 'refuse')).join('\n');
};

const PLAIN: Look = { pass: 'ok  ', fail: 'FAIL', note: 'note', dim: (text) => text };

const wholeReport = (name: ReporterName, report: RunReport, look: Look): string => {
  switch (name) {
    case 'tap':
      return tapReport(report);
    case 'junit':
      return junitReport(report);
    case 'github':
      return githubReport(report);
    case 'terminal':
      return terminalEnd(report, look);
    case 'ndjson':
      return ndjsonLine({
        event: 'run',
        ...report,
        flows: report.flows.map(({ name: flow, status }) => ({ name: flow, status })),
      });
    default:
      return name satisfies never;
  }
};

/** The line of a reporter that shows progress; `undefined` for the others. */
const progress = (name: ReporterName, event: SmokeEvent, look: Look): string | undefined => {
  if (name === 'terminal' && event.kind === 'step_ended') return `${stepLine(event.flow, event.step, look)}\n`;
  if (name !== 'ndjson') return undefined;
  if (event.kind === 'step_ended') return ndjsonLine({ event: 'step', flow: event.flow, ...event.step });
  if (event.kind !== 'flow_ended') return undefined;
  const { name: flow, status, ms } = event.flow;
  return ndjsonLine({ event: 'flow', flow, status, ms });
};

/**
 * A report replaces an earlier one. Throws `unwritable_file` for what is no file, such as a link or a device, and for a file
 * that the run reads. Throws it too for a folder that does not exist, or where bursar keeps its own files.
 */
const assertReplaceable = async ({ files, places }: Io, path: string, isRead: boolean): Promise<void> => {
  const refuse = (why: string) => new Failure('unwritable_file', `--reporter: ${path} ${why}`);
  if (isRead) throw refuse('is read by this command: a report would replace it');
  const isIn = (folder: string) => path.startsWith(`${resolve(folder)}${sep}`);
  const facts = await files.facts(path);
  // Reports may stand beside the settings of a folder that a CI job makes, and replace none of them.
  const isSetting =
    isIn(places.config) && (dirname(path) !== resolve(places.config) || (facts && /\.json$/.test(path)));
  if (isSetting || [places.state, places.cache, places.sandbox].some(isIn))
    throw refuse('is in a folder where bursar keeps its own files');
  if (facts !== undefined && !facts.isFile) throw refuse('exists, and is no ordinary file');
  if ((await files.facts(dirname(path))) === undefined) throw refuse('is in a folder that does not exist');
};

/** Shows the steps that run, under the last line of the report. Call the result for each event, around its print. */
const showRunning = ({ io }: CommandContext) => {
  const running = new Map<string, string>();
  let hide = (): void => undefined;
  let shown: Promise<void> = Promise.resolve();
  const label = (): string => {
    const [first, ...others] = [...running].map(([flow, step]) => `${flow}  ${escapeText(step)}`);
    return others.length === 0 ? `${first}` : `${first}, and ${others.length} more`;
  };
  return async (event: SmokeEvent | { readonly kind: 'run_ended' }, print: () => Promise<void>): Promise<void> => {
    hide();
    await shown;
    // Nothing is shown after an interrupt.
    if (event.kind === 'run_ended' || io.interrupted.aborted) running.clear();
    if (event.kind === 'step_started') running.set(event.flow, event.step);
    if (event.kind === 'step_ended') running.delete(event.flow);
    await print();
    if (running.size === 0) return;
    shown = io.spin(
      label,
      new Promise<void>((resolve) => {
        hide = resolve;
      }),
    );
  };
};

/** Writes the reports of a run while it goes on, and at its end. The files are made before the first call. */
export const openReports = async (cli: CommandContext, reporters: readonly Reporter[], read: readonly string[]) => {
  const { io } = cli;
  const isOnTerminal = io.stdout.isTerminal;
  const look = (path: string | undefined) => (path === undefined && isOnTerminal ? lookOf(cli) : PLAIN);
  const write = async ({ name, path }: Reporter, text: string): Promise<void> => {
    if (path === undefined) return io.stdout.write(name === 'terminal' && isOnTerminal ? forTerminal(cli, text) : text);
    try {
      await io.files.appendDurably(path, text);
    } catch (error) {
      throw new Failure('unwritable_file', `--reporter: ${path}: ${whyUnwritable(error)}`);
    }
  };
  for (const reporter of reporters) {
    if (reporter.path === undefined) continue;
    await assertReplaceable(io, reporter.path, read.includes(reporter.path));
    await io.files.remove(reporter.path);
    await write(reporter, '');
  }
  const around = showRunning(cli);
  // A report that cannot be written stops no flow: its money may be on its way.
  const broken = new Map<Reporter, Failure>();
  const attempt = async (reporter: Reporter, text: string): Promise<void> => {
    if (broken.has(reporter)) return;
    try {
      await write(reporter, text);
    } catch (error) {
      if (!isFailure(error)) throw error;
      broken.set(reporter, error);
    }
  };
  const report = async (event: SmokeEvent): Promise<void> => {
    for (const reporter of reporters) {
      const text = progress(reporter.name, event, look(reporter.path));
      if (text !== undefined) await attempt(reporter, text);
    }
  };
  // Flows run at the same time, and the events of one wait for those of another.
  let last: Promise<void> = Promise.resolve();
  return {
    on: (event: SmokeEvent): Promise<void> => {
      const work = last.catch(() => undefined).then(() => around(event, () => report(event)));
      last = work;
      return work;
    },
    /** Writes what only the end knows. Returns why a report is missing or not whole. */
    end: async (run: RunReport): Promise<Failure | undefined> => {
      await around({ kind: 'run_ended' }, async () => {
        for (const reporter of reporters) await attempt(reporter, wholeReport(reporter.name, run, look(reporter.path)));
      });
      const summary = io.env['GITHUB_STEP_SUMMARY'];
      const github = reporters.find(({ name }) => name === 'github');
      if (summary && github && (await io.files.facts(dirname(summary))))
        await attempt({ ...github, path: summary }, githubSummary(run));
      return [...broken.values()][0];
    },
  };
};
