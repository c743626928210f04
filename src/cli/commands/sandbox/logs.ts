import { logs as readLogs } from '../../../contract/control/process.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject, printJson } from '../../../core/json.ts';
import { fitToStream } from '../../../core/screen.ts';
import { escapeText } from '../../../core/text.ts';
import type { Io } from '../../../io/io.ts';
import { renderTsv, selectFields } from '../../../output/render.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { repeatStep } from '../../print/watch.ts';
import type { SandboxCommand } from './control.ts';

const requestLog = () => import('../../../sandbox/request-log.ts');

type RequestLog = Awaited<ReturnType<typeof requestLog>>;
type StoredEntry = Awaited<ReturnType<ReturnType<RequestLog['openLogReader']>['next']>>[number];

/** The parts of a request that only `--bodies` adds. */
type Bodies = Readonly<Partial<Record<'query' | 'request' | 'answer', unknown>>>;
type LogEntry = StoredEntry & Bodies;

/**
 * The log of the running sandbox; `undefined` if none answers. A call of the log makes the sandbox write its log at once.
 */
const callLog = async ({ io }: CommandContext, lines: number, bodies: boolean) => {
  const { control, findRunning } = await import('../../../sandbox/control-client.ts');
  const running = await findRunning(io).catch(() => undefined);
  if (!running) return undefined;
  return control(io, running.address)(readLogs, { lines, bodies }).catch(() => undefined);
};

/** More than a sandbox stores. */
const ALL_BODIES = 1000;

/** Adds the bodies to those requests whose bodies the running sandbox still has. */
const withBodies = async (cli: CommandContext, entries: readonly StoredEntry[]): Promise<readonly LogEntry[]> => {
  if (!entries.some((entry) => 'path' in entry)) return entries;
  const stored = ((await callLog(cli, ALL_BODIES, true))?.entries ?? []).filter(isJsonObject);
  const byId = new Map(stored.map((one) => [one['id'], one]));
  return entries.map((entry) => ({ ...entry, ...('id' in entry && byId.get(entry.id)) }));
};

const USUAL_LINES = 50;
const LOOK_EVERY_S = 0.25;

const linesFrom = (given: ParsedArgs): number => {
  const text = stringArg(given, 'lines') ?? String(USUAL_LINES);
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Failure('invalid_input', `--lines: "${text}" is not a number of entries`);
};

/**
 * A filter is about requests, so that with one the messages of the process are left out. The calls of bursar's own commands
 * and pages are left out too, unless --all or a path asks for them.
 */
const filterFrom = (given: ParsedArgs, { isOwnRequest, isShown }: RequestLog): ((entry: StoredEntry) => boolean) => {
  const [status, method, path] = ['status', 'method', 'path'].map((name) => stringArg(given, name));
  const hasOwn = boolArg(given, 'all') || path !== undefined;
  const hasFilter = [status, method, path].some((wanted) => wanted !== undefined);
  return (entry) => {
    if (!('path' in entry)) return !hasFilter;
    return (hasOwn || !isOwnRequest(entry)) && isShown({ status, method, path }, entry);
  };
};

/** A terminal shows the time of day only, which leaves the line its width. */
const timeOf = ({ at }: LogEntry, isTerminal: boolean): string => (isTerminal ? at.slice(11, 19) : at);

const BODY_MARKS = [
  ['query', '?'],
  ['request', '>'],
  ['answer', '<'],
] as const;

const bodyLines = (entry: LogEntry): string =>
  BODY_MARKS.flatMap(([name, mark]) => {
    const body = entry[name];
    if (body === undefined) return [];
    return [`  ${mark} ${escapeText(typeof body === 'string' ? body : printJson(body))}\n`];
  }).join('');

const plain = (entry: LogEntry, stdout: Io['stdout']): string => {
  const at = timeOf(entry, stdout.isTerminal);
  if ('message' in entry)
    return `${`${at} ${entry.message.replaceAll('\t', ' ').split('\n').map(escapeText).join('\n  ')}`.trimStart()}\n`;
  const { method, path, http, ms, status } = entry;
  const line = fitToStream(escapeText(`${at} ${method} ${path} ${http} ${status} ${ms}ms`), stdout);
  return `${line}\n${bodyLines(entry)}`;
};

const NO_FIELDS = { id: '', method: '', path: '', http: '', ms: '', status: '', message: '' };
const NO_BODIES = { query: '', request: '', answer: '' };

/** An entry has only the fields of its kind: the others are left empty. */
const chosen = (entry: LogEntry, fields: readonly string[], json: boolean): string => {
  const picked = selectFields({ ...NO_FIELDS, ...NO_BODIES, ...entry }, fields);
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
  const log = await requestLog();
  const isWanted = filterFrom(given, log);
  const reader = log.openLogReader(io);
  const hasBodies = boolArg(given, 'bodies');
  // The log of a sandbox that has ended can be read too.
  const running = await callLog(cli, 1, false);
  if (hasBodies && running === undefined)
    await cli.printNote('No sandbox runs. Only a running sandbox has bodies, in its memory.');
  const print = async (entries: readonly StoredEntry[]) => {
    const shown = hasBodies ? await withBodies(cli, entries) : entries;
    const texts = await Promise.all(shown.map(textWith(globals, io.stdout)));
    if (texts.length > 0) await io.stdout.write(texts.join(''));
  };
  const { offsetText } = await import('../../summaries/sandbox-summary.ts');
  const offset = offsetText(running?.offset_ms ?? 0);
  if (offset !== '') await cli.printNote(`The times are those of this machine. The sandbox's clock is ${offset}.`);
  const all = await reader.next();
  const wanted = all.filter(isWanted);
  await print(lines === 0 ? [] : wanted.slice(-lines));
  if (!boolArg(given, 'follow') && wanted.length === 0)
    await cli.printNote(
      all.length === 0 ? 'There is no log yet: no sandbox has run here.' : 'No entry of the log fits these options.',
    );
  if (!boolArg(given, 'follow')) return;
  const lookAgain = async () => {
    await print((await reader.next()).filter(isWanted));
    return 'next' as const;
  };
  await repeatStep(cli, given, String(LOOK_EVERY_S), lookAgain);
};

/** `sandbox logs`. */
export const logs: SandboxCommand = {
  words: ['sandbox', 'logs'],
  controls: [readLogs.id],
  summary: 'Show the requests to the sandbox and the messages of its process',
  about: [
    'Each request with time, method, path, HTTP status, status and duration. With --json each entry is one line.',
    'It also works after the sandbox has ended, and starts none.',
    'The times are those of this machine, also after sandbox clock moved the time of the sandbox.',
    "Calls of bursar's own commands and of the dashboard are left out: --all or --path shows them.",
    '--bodies adds query, request and answer, redacted as --debug redacts them. A running sandbox has those of its',
    'last 100 calls in memory; no file has them.',
  ],
  options: [
    {
      flag: '--status',
      value: 'STATUS',
      description: 'Only this status: 404, 4xx, or a status such as quote_ok',
      check: (text) =>
        /^(?:[1-5](?:\d\d|xx)|[a-z][a-z_]*)$/i.test(text) ? undefined : 'must be a status such as 404, 4xx or quote_ok',
      isOwnValue: true,
    },
    {
      flag: '--method',
      value: 'METHOD',
      choices: ['GET', 'POST', 'PATCH', 'DELETE'],
      description: 'Only this HTTP method',
    },
    { flag: '--path', value: 'PATH', description: 'Only paths that start so; with * the pattern of a whole path' },
    { flag: '--all', description: "Show the calls of bursar's own commands and of the dashboard too" },
    { flag: '--bodies', description: 'Add query, request and answer, redacted' },
    { flag: '--follow', description: 'Print new entries until Ctrl-C or the end of --timeout' },
    { flag: '--lines', value: 'N', usual: `${USUAL_LINES}`, description: 'How many of the last entries' },
  ],
  fails: ['sandbox_unavailable'],
  examples: [
    'sandbox logs',
    'sandbox logs --status 4xx --path /payment/ --bodies',
    'sandbox logs --follow --json',
    'sandbox logs --lines 5 --fields path,http,status',
  ],
  run,
};
