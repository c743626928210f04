import { messageOf } from '../../src/core/failure.ts';
import type { HttpRequest } from '../../src/io/http/http.ts';
import type { HeldLease, NewEntry, StoredEntry } from '../../src/journal/postgres/database.ts';
import type { JournalKey } from '../../src/journal/postgres/journal-key.ts';
import { openLines } from '../../src/journal/postgres/sealed.ts';
import { BULK, LAST_BULK } from './bulk-plan.ts';
import { SECRETS } from './home.ts';
import { type JournalServer, operationLease } from './journal-server.ts';
import type { Process } from './kernel.ts';

type OwnLease = { readonly epoch: number; sentAt: number };

/** A call that may be under way: it had these leases when it started, and ends before this time. */
type StartedCall = {
  readonly process: Process;
  readonly leases: ReadonlyMap<string, number>;
  readonly startedAt: number;
  endsAt: number;
};

type WatchParts = {
  readonly now: () => number;
  readonly problem: (text: string) => void;
  readonly server: JournalServer;
  readonly key: JournalKey;
  readonly leaseMs: number;
};

/** The step that must be the last of an operation when its process makes a call that changes something. */
const STEP_OF_CALL: readonly (readonly [path: RegExp, steps: readonly string[]])[] = [
  [/\/intents-create-order$/, ['registering']],
];

/** Watches the journal that machines share, for promise 7. */
export const newJournalWatch = ({ now, problem, server, key, leaseMs }: WatchParts) => {
  const held = new Map<Process, Map<string, OwnLease>>();
  /** The last lease of an intent that a process took, and did not release. */
  const intents = new Map<Process, HeldLease>();
  let calls: StartedCall[] = [];
  const heldBy = (process: Process): Map<string, OwnLease> => {
    const own = held.get(process) ?? new Map<string, OwnLease>();
    held.set(process, own);
    return own;
  };
  const opened = new Map<string, { readonly count: number; readonly text: string }>();
  const readLines = (id: string, entries: readonly StoredEntry[]): readonly string[] => {
    try {
      return openLines(key, { operation: id, where: id, entries });
    } catch (error) {
      problem(`7: ${messageOf(error)}`);
      return [];
    }
  };
  const operations = (): readonly (readonly [path: string, text: string])[] =>
    server.lines().map(([id, lines]) => {
      const known = opened.get(id);
      if (known?.count === lines.length) return [id, known.text];
      const text = readLines(id, lines)
        .map((line) => `${line}\n`)
        .join('');
      opened.set(id, { count: lines.length, text });
      return [id, text];
    });
  /** The operations that a process has claimed. */
  const textsOf = (process: Process): readonly string[] => {
    const subjects = heldBy(process);
    return operations().flatMap(([id, text]) => (subjects.has(operationLease(id)) ? [text] : []));
  };
  const isCurrent = (subject: string, epoch: number): boolean => server.leases.get(subject)?.epoch === epoch;

  /** No call starts with a lease that may be over. */
  const checkLeases = (process: Process): void => {
    for (const [subject, { epoch, sentAt }] of heldBy(process)) {
      if (!isCurrent(subject, epoch)) problem(`7: ${process.name} starts a call after it has lost ${subject}`);
      if (now() - sentAt >= leaseMs / 2)
        problem(
          `7: ${process.name} starts a call with ${subject}, which it renewed ${Math.round(now() - sentAt)} ms ago`,
        );
    }
  };
  /** A bulk run calls for some rows while others wait for their leases. */
  const isOfManyRows = ({ actor }: Process): boolean => actor === BULK || actor === LAST_BULK;
  /** No call starts before those of an earlier holder have certainly ended. */
  const checkWait = (process: Process): void => {
    if (isOfManyRows(process)) return;
    for (const [subject, { epoch }] of heldBy(process)) {
      const lease = server.leases.get(subject);
      if (lease?.epoch === epoch && lease.quietAt > server.statements.now())
        problem(`7: ${process.name} starts a call before the last one of the earlier holder of ${subject} has ended`);
    }
  };
  /** No call starts while one of an earlier holder is under way, which was stopped neither by a kill nor by a signal. */
  const checkQuiet = (process: Process): void => {
    if (isOfManyRows(process)) return;
    const subjects = heldBy(process);
    for (const { process: other, leases, startedAt, endsAt } of calls) {
      const isRunning = other !== process && other.state === 'running' && other.stoppedUntil < startedAt;
      // A call of a bulk run belongs to one of its rows, which may have another wallet than the lease that is free again.
      if (!isRunning || endsAt <= now() || isOfManyRows(other)) continue;
      for (const [subject, epoch] of leases)
        if ((subjects.get(subject)?.epoch ?? 0) > epoch)
          problem(`7: ${process.name} starts a call with ${subject} while one of ${other.name} is under way`);
    }
  };
  return {
    operations,
    onLease: (process: Process, { subject, epoch }: HeldLease, sentAt: number): void => {
      heldBy(process).set(subject, { epoch, sentAt });
      if (subject.startsWith('intent/')) intents.set(process, { subject, epoch });
    },
    onRenewal: (process: Process, renewed: readonly HeldLease[], sentAt: number): void => {
      for (const { subject, epoch } of renewed) {
        const lease = heldBy(process).get(subject);
        if (lease?.epoch === epoch) lease.sentAt = sentAt;
      }
    },
    onRelease: (process: Process, { subject }: HeldLease): void => {
      heldBy(process).delete(subject);
      if (intents.get(process)?.subject === subject) intents.delete(process);
    },
    onLifeEnd: (): void => {
      const texts = server.texts().join('\n');
      for (const [name, secret] of SECRETS) if (texts.includes(secret)) problem(`5: the database has ${name}`);
    },
    /** An entry is committed: its writer holds the operation, and all else that the entry names. */
    onCommit: (process: Process, { operation, epoch, seq, line, under }: NewEntry): void => {
      const intent = line.includes('"step":"begun"') ? intents.get(process) : undefined;
      const lines = server.lines().find(([id]) => id === operation)?.[1] ?? [];
      if (lines.some((line, at) => line.seq !== at + 1) || seq > lines.length)
        problem(`7: ${operation} has two entries in one place`);
      for (const lease of [{ subject: operationLease(operation), epoch }, ...under, ...(intent ? [intent] : [])])
        if (!isCurrent(lease.subject, lease.epoch)) problem(`7: a late owner of ${lease.subject} wrote an entry`);
      if (/"(?:signed_transaction|intent_key|asker)":"(?!sealed1\.)./.test(line))
        problem(`5: the database has an open field that must be sealed: ${line}`);
    },
    /** A process starts a call. Returns what is to be called at its end. */
    onCall: (process: Process, { url, timeoutMs }: HttpRequest): (() => void) => {
      checkLeases(process);
      checkWait(process);
      checkQuiet(process);
      const texts = textsOf(process);
      for (const [path, steps] of STEP_OF_CALL) {
        const isRecorded = texts.some((text) => steps.includes(/.*"step":"(\w+)"/s.exec(text)?.[1] ?? ''));
        if (path.test(url) && texts.length > 0 && !isRecorded)
          problem(`7: ${process.name} calls ${new URL(url).pathname} before its entry is committed`);
      }
      const leases = new Map([...heldBy(process)].map(([subject, { epoch }]) => [subject, epoch]));
      const call: StartedCall = { process, leases, startedAt: now(), endsAt: now() + timeoutMs };
      calls = [...calls.filter(({ endsAt }) => endsAt > now()), call];
      return () => {
        call.endsAt = now();
      };
    },
  };
};

export type JournalWatch = ReturnType<typeof newJournalWatch>;
