import { logs as readLogs } from '../../../contract/control/process.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { fitToStream } from '../../../core/screen.ts';
import { escapeText } from '../../../core/text.ts';
import type { Io } from '../../../io/io.ts';
import { renderTsv, selectFields } from '../../../output/render.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { SandboxCommand } from './control.ts';

const openReader = async ({ io }: CommandContext) =>
  (await import('../../../sandbox/request-log.ts')).openLogReader(io);

/** A running sandbox writes its log with a short delay. A call of the log makes it write at once. */
const settle = async ({ io }: CommandContext): Promise<void> => {
  const { control, findRunning } = await import('../../../sandbox/control-client.ts');
  const running = await findRunning(io);
  if (running) await control(io, running.address)(readLogs, { lines: 1 });
};

type LogEntry = Awaited<ReturnType<Awaited<ReturnType<typeof openReader>>['next']>>[number];

const USUAL_LINES = 50;
const LOOK_EVERY_MS = 250;

const linesFrom = (given: ParsedArgs): number => {
  const text = stringArg(given, 'lines') ?? String(USUAL_LINES);
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Failure('invalid_input', `--lines: "${text}" is not a number of entries`);
};

/** A terminal shows the time of day only, which leaves the line its width. */
const timeOf = ({ at }: LogEntry, isTerminal: boolean): string => (isTerminal ? at.slice(11, 19) : at);

const plain = (entry: LogEntry, stdout: Io['stdout']): string => {
  const at = timeOf(entry, stdout.isTerminal);
  if ('message' in entry) return `${`${at} ${entry.message.split('\n').map(escapeText).join('\n  ')}`.trimStart()}\n`;
  const { method, path, http, ms, status } = entry;
  return `${fitToStream(escapeText(`${at} ${method} ${path} ${http} ${status} ${ms}ms`), stdout)}\n`;
};

/** An entry has only the fields of its kind: the others are left empty. */
const chosen = (entry: LogEntry, fields: readonly string[], json: boolean): string => {
  const all = { method: '', path: '', http: '', ms: '', status: '', message: '', ...entry };
  const picked = selectFields(all, fields);
  return json ? `${printJson(picked)}\n` : renderTsv([picked]);
};

const textWith =
  ({ json, fields, jq }: CommandContext['globals'], stdout: Io['stdout']) =>
  async (entry: LogEntry): Promise<string> => {
    if (jq !== undefined) return (await import('../../../output/jq.ts')).queryLines(entry, jq);
    if (fields) return chosen(entry, fields, json);
    return json ? `${printJson(entry)}\n` : plain(entry, stdout);
  };

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const lines = linesFrom(given);
  const { io, globals } = cli;
  const reader = await openReader(cli);
  // The log of a sandbox that has ended can be read too.
  await settle(cli).catch(() => undefined);
  const print = async (entries: readonly LogEntry[]) => {
    const texts = await Promise.all(entries.map(textWith(globals, io.stdout)));
    if (texts.length > 0) await io.stdout.write(texts.join(''));
  };
  const all = await reader.next();
  await print(lines === 0 ? [] : all.slice(-lines));
  if (!boolArg(given, 'follow') && all.length === 0)
    await cli.printNote('There is no log yet: no sandbox has run here.');
  while (boolArg(given, 'follow') && !io.stdout.isClosed()) {
    await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
    await print(await reader.next());
  }
};

/** `sandbox logs`. */
export const logs: SandboxCommand = {
  words: ['sandbox', 'logs'],
  controls: [readLogs.id],
  summary: 'Show the requests to the sandbox and the messages of its process',
  about: [
    'Each request with time, method, path, HTTP status, status and duration; never keys, bodies or queries.',
    'It also works after the sandbox has ended, and starts none. With --json each entry is one line.',
  ],
  options: [
    { flag: '--follow', description: 'Print new entries until Ctrl-C' },
    { flag: '--lines', value: 'N', usual: `${USUAL_LINES}`, description: 'How many of the last entries' },
  ],
  fails: ['sandbox_unavailable'],
  examples: ['sandbox logs', 'sandbox logs --follow --json', 'sandbox logs --lines 5 --fields path,http,status'],
  run,
};
