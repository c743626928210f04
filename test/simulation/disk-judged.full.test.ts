import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertStrace } from '../support/strace.ts';
import type { Action } from './decisions.ts';
import { inEvents } from './disk.ts';
import {
  bodyOf,
  type Comparison,
  fileNamesIn,
  filesWith,
  openComparison,
  operationsIn,
  type RealHome,
  SIGNING,
} from './judge.ts';
import type { CommandEnd, LifeResult, Script } from './judged.ts';

/*
 * Compares the simulated disk with the kernel. strace makes one call of the real program fail, or kills the program at that
 * call. A decision does the same in the simulator. The command and the next command must end in the same way in both.
 */

const RUN = ['pay', 'run', '--body', 'HOME/payment.json', '--key', 'payer', ...SIGNING];
const RESUME = ['pay', 'resume', '--all', ...SIGNING];
const FILES = filesWith({ 'payment.json': bodyOf('10.5', '0x1111111111111111111111111111111111111111') });

const JOURNAL = 'HOME/state/journal';
const LOG = `${JOURNAL}/ID.ndjson`;

/**
 * A fault at a call of `pay run`, and the next command; or a kill at that call, and a fault of the next `pay resume`.
 * Writes fail only in a resume, because strace needs their path, which has an id that a run creates.
 */
type Point = {
  readonly on: string;
  readonly action: Action;
  readonly next?: readonly string[];
  readonly resumed?: { readonly on: string; readonly action: Action };
};

const killedAt = (on: string, resumedOn: string, action: Action): Point => ({
  ...{ on, action: 'kill before', resumed: { on: resumedOn, action } },
});

const POINTS: readonly Point[] = [
  { on: 'read HOME/keys/payer.json#3', action: 'EIO', next: RUN },
  { on: 'mkdir HOME/state', action: 'ENOSPC', next: RUN },
  { on: `sync ${JOURNAL}/wish-NAME.claim.tmp`, action: 'EIO', next: RUN },
  { on: `link ${JOURNAL}/wish-NAME.claim`, action: 'ENOSPC', next: RUN },
  { on: `sync folder ${JOURNAL}`, action: 'EIO', next: RESUME },
  { on: `remove ${JOURNAL}/wish-NAME.claim.tmp`, action: 'EIO', next: RUN },
  { on: `rename ${JOURNAL}/ID.inputs`, action: 'EIO', next: RUN },
  { on: `sync ${LOG} begun`, action: 'kill before', next: RESUME },
  { on: `sync ${LOG} registered`, action: 'EIO', next: RUN },
  { on: 'link HOME/state/turns/NAME.claim', action: 'kill before', next: RESUME },
  { on: `sync ${LOG} created`, action: 'EIO', next: RESUME },
  { on: `sync ${LOG} signed`, action: 'EIO', next: RESUME },
  { on: `sync ${LOG} executing`, action: 'kill before', next: RUN },
  { on: `sync ${LOG} executed`, action: 'EIO', next: RUN },
  { on: 'remove HOME/state/turns/NAME.claim', action: 'EIO', next: RUN },
  { on: `remove ${LOG}.claim`, action: 'kill before', next: RUN },
  killedAt(`sync ${LOG} registered`, `write ${LOG} creating`, 'ENOSPC'),
  killedAt(`sync ${LOG} created`, `write ${LOG} signed`, 'kill before'),
  killedAt(`sync ${LOG} signed`, `open ${LOG}#2`, 'EIO'),
  killedAt(`sync ${LOG} executing`, `write ${LOG} executed`, 'ENOSPC'),
];

/** The system calls of an event, with their names on each processor. */
const CALLS: Readonly<Record<string, string>> = {
  'sync folder': 'fsync',
  sync: 'fsync',
  link: '?link,linkat',
  rename: '?rename,renameat,renameat2',
  remove: '?unlink,unlinkat',
  mkdir: '?mkdir,mkdirat',
  open: 'openat',
  read: 'openat',
  write: 'write',
};

const EVENT = new RegExp(`^(\\w+): (${Object.keys(CALLS).join('|')}) (\\S+?)(?=#| |$)(.*)$`);

/** The parts of an event. All temporary files get the same name. */
const partsOf = (event: string) => {
  const [, process = '', kind = '', path = '', more = ''] = EVENT.exec(event) ?? [];
  return { process, kind, path: path.replace(/P\d+-\d+\.tmp$/, 'tmp'), more };
};

/** These calls are counted by path, because other threads also open, read and write files. */
const isFoundByPath = (kind: string): boolean => ['open', 'read', 'write'].includes(kind);

/** An event of the simulator, and how often its system call was made until then. */
const findEvent = ({ events }: LifeResult, process: string, on: string) => {
  const at = events.findIndex((event) => {
    const { process: own, kind, path, more } = partsOf(event);
    return own === process && `${kind} ${path}${more}` === on;
  });
  const event = events[at] ?? '';
  expect(event, `the simulator has no event ${on}`).not.toBe('');
  const { kind, path } = partsOf(event);
  const before = events.slice(0, at + 1).map(partsOf);
  const same = before.filter((other) => other.process === process && CALLS[other.kind] === CALLS[kind]);
  const counted = isFoundByPath(kind) ? same.filter((other) => other.path === path) : same;
  return { event, kind, path, nth: counted.length };
};

type FoundEvent = ReturnType<typeof findEvent> & { readonly action: Action };

let comparison: Comparison;
let learned: readonly [complete: LifeResult, ...killed: LifeResult[]];

beforeAll(async () => {
  assertStrace('faults of the real disk');
  comparison = await openComparison();
  learned = await learnEvents();
});

afterAll(() => comparison.end());

const pathOf = async ({ home }: RealHome, path: string): Promise<string> => {
  if (!path.includes('ID')) return path.replace('HOME', home);
  const folder = join(home, 'state', 'journal');
  return join(folder, (await readdir(folder)).find((name) => name.endsWith('.ndjson')) ?? '');
};

const strace = (home: RealHome, ...words: readonly string[]): readonly string[] => [
  ...['strace', '-f', '-qq', '-o', join(home.above, 'trace'), ...words],
];

const traceOf = ({ above }: RealHome): Promise<string> => readFile(join(above, 'trace'), 'utf8');

/** Runs a command in which strace makes one system call fail. */
const runWith = async (home: RealHome, args: readonly string[], found: FoundEvent): Promise<CommandEnd> => {
  const { kind, path, nth, action } = found;
  const isKill = action === 'kill before';
  const call = CALLS[kind] ?? '';
  const under = strace(
    home,
    ...(isFoundByPath(kind) ? ['-P', await pathOf(home, path)] : []),
    // strace sends no signal where seccomp filters the calls.
    ...(isKill ? [] : ['--seccomp-bpf']),
    ...['-e', `trace=${call}`],
    ...['-e', `inject=${call}:${isKill ? 'signal=SIGKILL' : `error=${action}`}:when=${nth}`],
  );
  const end = await home.runUnder(under, args);
  expect(await traceOf(home), found.event).toMatch(isKill ? /killed by SIGKILL/ : /INJECTED/);
  return end;
};

/** What must be equal: the exit code, the failure code, the steps in the journal, and the files. */
const comparableOf = ({ code, stdout, journal, files }: CommandEnd) => ({
  ...{ code, error: /"code": "(\w+)"/.exec(stdout)?.[1] },
  ...{ operations: operationsIn(journal), files: fileNamesIn(files) },
});

const scriptOf = (commands: Script['commands'], faults: readonly FoundEvent[]): Script => ({
  ...{ files: FILES, commands, decisions: faults.map(({ event, action }) => ({ on: event, action, size: 0 })) },
});

/** Runs a payment without faults, and each killed payment with its resume, to get their events. */
const learnEvents = async (): Promise<readonly [complete: LifeResult, ...killed: LifeResult[]]> => {
  const killed = POINTS.filter(({ resumed }) => resumed).map(({ on, action }): Script => {
    return { files: FILES, commands: [RUN, RESUME], decisions: [{ on: `P1: ${on}`, action, size: 0 }] };
  });
  return (await comparison.simulate([scriptOf([RUN], []), ...killed])) as [LifeResult, ...LifeResult[]];
};

/** The commands and faults of each point. */
const plansOf = ([complete, ...killed]: readonly [LifeResult, ...LifeResult[]]) => {
  const resumes = killed.values();
  return POINTS.map(({ on, action, next = RUN, resumed }) => {
    const first: FoundEvent = { ...findEvent(complete, 'P1', on), action };
    if (!resumed) return { commands: [RUN, next], faults: [first] };
    const second = { ...findEvent(resumes.next().value as LifeResult, 'P2', resumed.on), action: resumed.action };
    return { commands: [RUN, RESUME, RESUME], faults: [first, second] };
  });
};

it('a command with a disk fault or a kill at one call ends as in the simulator, and the next command too', async () => {
  const plans = plansOf(learned);
  const simulated = await comparison.simulate(plans.map(({ commands, faults }) => scriptOf(commands, faults)));
  const codes = new Set<unknown>();
  for (const [at, { commands, faults }] of plans.entries()) {
    const name = faults.map(({ event, action }) => `${event}: ${action}`).join('; ');
    const { ended, unused } = simulated[at] as LifeResult;
    expect(unused, name).toEqual([]);
    const home = await comparison.newHome(FILES);
    const real: CommandEnd[] = [];
    for (const [index, args] of commands.entries()) {
      const fault = faults[index];
      real.push(await (fault ? runWith(home, args, fault) : home.run(args)));
    }
    expect(ended.map(comparableOf), name).toEqual(real.map(comparableOf));
    for (const end of real) codes.add(comparableOf(end).error ?? end.code);
    await home.remove();
  }
  // A kill, a success, and failures before and after the payment was sent.
  expect([...codes].map(String).toSorted()).toEqual([
    ...['0', 'journal_unwritable', 'null', 'outcome_unknown', 'unreadable_file'],
  ]);
}, 200_000);

/** The calls in a trace that change names or write files, with their names in the simulator. */
const eventsIn = (trace: string): readonly string[] => {
  const written = new Map<string, string>();
  return trace.split('\n').flatMap((line): readonly string[] => {
    const [, call = '', args = ''] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
    const paths = [...args.matchAll(/"(\/[^"]*)"|^\d+<(\/[^>]*)>/g)].map(([, named, open]) => named ?? open ?? '');
    const [path = ''] = paths;
    const more = (step: string | undefined): string => (step ? ` ${step}` : '');
    switch (call.replace(/at2?$/, '')) {
      case 'open':
        if (args.includes('O_WRONLY')) written.set(path, '');
        return args.includes('O_WRONLY') ? [`open ${path}`] : [];
      case 'write':
        written.set(path, /\\"step\\":\\"(\w+)/.exec(args)?.[1] ?? '');
        return [`write ${path}${more(written.get(path))}`];
      case 'fsync':
        return [written.has(path) ? `sync ${path}${more(written.get(path))}` : `sync folder ${path}`];
      case 'mkdir':
        return [`mkdir ${path}`];
      case 'unlink':
        return [`remove ${path}`];
      case 'link':
      case 'rename':
        return [`${call.replace(/at2?$/, '')} ${paths[1]}`];
      default:
        return [];
    }
  });
};

it('a payment makes the same disk calls in the same order on the real disk and on the simulated disk', async () => {
  const [{ events }] = learned;
  const home = await comparison.newHome(FILES);
  const calls = [...new Set(Object.values(CALLS))].join(',');
  expect((await home.runUnder(strace(home, '-y', '-s', '400', '-e', `trace=${calls}`), RUN)).code).toBe(0);
  const trace = (await traceOf(home))
    .replaceAll(home.home, '/home/ops/.bursar')
    .replaceAll(home.above, '/home/ops')
    .replaceAll(`<${dirname(home.above)}>`, '</home>');
  const real = eventsIn(trace)
    .filter((event) => event.includes(' /home'))
    .map((event) => event.split(' ').map(inEvents).join(' ').replace('/home/ops/.bursar', 'HOME'));
  const own = events.flatMap((event) => {
    const { kind, path, more } = partsOf(event);
    return kind === '' || kind === 'read' ? [] : [`${kind} ${path}${more.replace(/#\d+$/, '')}`];
  });
  expect(real).toEqual(own);
  expect(own.length).toBeGreaterThan(70);
  await home.remove();
});
