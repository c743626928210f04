import { GENESIS_MS } from './evm-chain.ts';
import type { Machine } from './machine.ts';
import { isYield, type Plan, type YieldTask } from './plan.ts';
import { unitsOf } from './service.ts';
import type { SolanaChain, SolanaEffect } from './solana-chain.ts';
import { type Leg, readSolana, type SolanaTransaction } from './solana-runtime.ts';
import { sourceOf } from './yield-scripts.ts';

/** Steps that end an operation, and steps that decide one transaction of it. */
const [ENDS, DECIDES] = [
  ['settled', 'set_aside', 'ended'],
  ['dead', 'landed'],
];

/** The age at which the blockhash of bytes has expired in each final block. */
const EXPIRED_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;
/** The age at which a node may have dropped the status of bytes. */
const NODE_HISTORY_MS = 5.9 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

type YieldWatchParts = {
  readonly plan: Plan;
  readonly now: () => number;
  readonly chain: SolanaChain;
  readonly problem: (text: string) => void;
  /** Hashes of operations that were over when the same operation was started again. */
  readonly over: ReadonlySet<string>;
  /** The number of idempotency keys of a task. */
  readonly keysOf: (task: number) => number;
  /** How often a user allowed another operation of a task. */
  readonly allowedBeside: (task: number) => number;
};

/** When signed bytes left: by the clock of their machine, and in truth. */
export type Departure = { readonly at: number; readonly trueAt: number };

/** An amount that left a wallet of a machine. */
type Spending = Departure & { readonly machine: Machine | undefined; readonly units: bigint };

/**
 * The sum of the day that ends at each amount, by the clock of the machine. That day is an hour short, because a command may
 * wait for minutes. A day that is over in truth is over: the clock may have been set back between a review and its sending.
 */
export const sumsOfDays = (all: readonly Spending[]): readonly bigint[] =>
  all.map((last) =>
    all
      .filter(({ machine, at }) => machine === last.machine && at <= last.at && last.at - at < DAY_MS - HOUR_MS)
      .filter(({ trueAt }) => last.trueAt - trueAt < DAY_MS)
      .reduce((total, { units }) => total + units, 0n),
  );

type RecordedStep = { readonly step: string; readonly hash: string; readonly at: string };

/** The steps of an operation's journal. A torn line is no step. */
const stepsIn = (text: string): readonly RecordedStep[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as RecordedStep];
    } catch {
      return [];
    }
  });

/** Signed bytes that left a machine. */
type SentBytes = Departure & { readonly bytes: SolanaTransaction; readonly machine: Machine };

/** The direction and the provider of each leg of a task. */
const legsOfTask = (task: YieldTask): readonly Pick<Leg, 'kind' | 'provider'>[] => {
  const [provider, source] = [task.receiver, sourceOf(task)] as [Leg['provider'], Leg['provider']];
  switch (task.kind) {
    case 'deposit':
    case 'withdraw':
      return [{ kind: task.kind, provider }];
    case 'rebalance':
      return [
        { kind: 'withdraw', provider: source },
        { kind: 'deposit', provider },
      ];
    default:
      return task.kind satisfies never;
  }
};

const BUILDS = /\/yield\/(?:deposit|withdraw|rebalance)$/;

/** Signed bytes in a broadcast, or in a `sendTransaction` call. */
const SENT = /"op_signed":\s*(\[[^\]]*\]|"[^"]*")|"sendTransaction","params":\s*\["([^"]*)"/;

/** The signed bytes in a request. */
export const bytesIn = (body: string): readonly string[] => {
  const [, signed = '', forNode] = SENT.exec(body) ?? [];
  return forNode === undefined ? [...signed.matchAll(/"([A-Za-z0-9+/=]+)"/g)].map(([, text = '']) => text) : [forNode];
};

/** Whether a request builds an operation. */
export const isBuild = (url: string): boolean => BUILDS.test(new URL(url).pathname);

/** Watches the yield operations of a life, for the promises of `invariants.ts`. */
export const newYieldWatch = ({ plan, now, chain, problem, over, keysOf, allowedBeside }: YieldWatchParts) => {
  const sent = new Map<string, SentBytes>();
  /** The transactions that each process sent, by the process name. */
  const senders = new Map<string, readonly SolanaTransaction[]>();
  /** Tasks that a command reported as done. */
  const reportedTasks = new Set<number>();

  // On a live chain nothing shows the owner of a program or account, and the user allowed both providers.
  const isProviderKnown = plan.mode !== 'hostile';
  /** No check can show that an undecoded rebalance moves less than stated, because the wallet's balance does not change. */
  const isAmountOf = ({ kind, amount }: YieldTask, { units }: Leg): boolean => {
    const mayBeLess = plan.mode === 'hostile' && kind === 'rebalance';
    return unitsOf(amount) === units || (mayBeLess && unitsOf(amount) / 2n === units);
  };
  const taskOf = (leg: Leg): number =>
    plan.tasks.findIndex(
      (task) =>
        isYield(task) &&
        isAmountOf(task, leg) &&
        legsOfTask(task).some(
          ({ kind, provider }) => kind === leg.kind && (!isProviderKnown || provider === leg.provider),
        ),
    );
  const keyOf = (task: number, { kind }: Pick<Leg, 'kind'>): string => `${task} ${kind}`;

  /** The parts of tasks that bytes would make. */
  const partsOf = (bytes: SolanaTransaction): readonly string[] =>
    chain.legsOf(bytes).map((leg) => keyOf(taskOf(leg), leg));

  /** 3: bytes are sent only after their review, their bytes and their sending are synced. */
  const checkSynced = (machine: Machine, { raw, hash }: SolanaTransaction): void => {
    if (!machine.hasSynced(raw, '"step":"reviewed"', '"step":"broadcasting"', hash))
      problem(`3: ${hash} was sent before its review, its bytes and its sending were synced`);
  };

  /** 2: an operation has no second transaction that can land, unless the first can never land. */
  const checkAlone = (next: SolanaTransaction): void => {
    const parts = partsOf(next);
    for (const { bytes: other } of sent.values()) {
      const shared = partsOf(other).filter((part) => parts.includes(part));
      const task = Number.parseInt(shared[0] ?? '-1', 10);
      // Bytes that users broadcast themselves are an operation of their own.
      const operations = keysOf(task) + (relayed.get(task)?.size ?? 0);
      if (shared.length === 0 || isUnchecked || allowedBeside(task) > 0 || operations > 1) continue;
      // Promise 1 counts a transaction that has landed.
      const isOver = chain.hasLanded(other.hash) || over.has(other.hash) || chain.isDead(other);
      if (!isOver) problem(`2: ${next.hash} was sent while ${other.hash} of the same operation could still land`);
    }
  };

  const onBytes = (machine: Machine, raw: string): void => {
    const bytes = readSolana(raw);
    checkSynced(machine, bytes);
    if (!sent.has(bytes.hash)) checkAlone(bytes);
    // Bytes that are sent again count towards the new day.
    const at = plan.leaseMs === undefined ? machine.now() : GENESIS_MS + now();
    sent.set(bytes.hash, { bytes, machine, at, trueAt: now() });
  };

  /** 5: the deposits of a day are within the policy of the key. */
  const checkDays = (): void => {
    const limit = plan.mostPerDay;
    if (limit === undefined || isUnchecked) return;
    const deposits = chain.effects().flatMap((effect) => {
      const entry = sent.get(effect.hash);
      return entry && plan.tasks[taskOf(effect)]?.kind === 'deposit' ? [{ ...entry, units: effect.units }] : [];
    });
    for (const sum of sumsOfDays(deposits)) {
      if (sum > unitsOf(limit)) problem(`5: ${sum} units were deposited in a day, and the policy allows ${limit} USDC`);
    }
  };

  const legs = (): ReadonlyMap<string, readonly SolanaEffect[]> => {
    const all = new Map<string, SolanaEffect[]>();
    for (const effect of chain.effects()) {
      const key = keyOf(taskOf(effect), effect);
      all.set(key, [...(all.get(key) ?? []), effect]);
    }
    return all;
  };

  /** Operations without an end, with a transaction that may have been sent and that nothing decides. */
  const undecided = ({ operations }: Machine) =>
    operations().flatMap(([path, text]) => {
      const open = new Map<string, number>();
      for (const { step, hash, at } of stepsIn(text)) {
        if (ENDS.includes(step)) open.clear();
        if (step === 'broadcasting') open.set(hash, Date.parse(at));
        if (DECIDES.includes(step)) open.delete(hash);
      }
      return open.size === 0 ? [] : [{ path, sentAt: Math.max(...open.values()) }];
    });
  const decidable = new Map<Machine, Set<string>>();

  /** Signed bytes that users broadcast themselves, by their task. */
  const relayed = new Map<number, Set<string>>();
  /** How many of them come in addition to other commands for the same task. */
  const relayedBeside = (task: number): number => {
    const isAlone = plan.actors.filter((actor) => actor.task === task).length === 1;
    return Math.max(0, (relayed.get(task)?.size ?? 0) - (isAlone ? 1 : 0));
  };

  let seen = 0;
  /** Whether the user confirmed bytes of a hostile service that no check can explain. */
  let isUnchecked = false;
  const confirmed: string[] = [];
  return {
    hashes: (): readonly string[] => [...sent.keys()],
    /** The task of a command line, by its amount or its file. */
    taskIn: (args: readonly string[]): number | undefined => {
      if (args[0] !== 'yield') return undefined;
      const file = /unsigned-(\d+)/.exec(args.join(' '))?.[1];
      const amount = args.includes('--amount') ? args[args.indexOf('--amount') + 1] : undefined;
      const found = file ? Number(file) : plan.tasks.findIndex((task) => isYield(task) && task.amount === amount);
      return found < 0 ? undefined : found;
    },
    onRequest: (machine: Machine, body: string, process: string): void => {
      for (const raw of bytesIn(body)) {
        onBytes(machine, raw);
        senders.set(process, [...(senders.get(process) ?? []), readSolana(raw)]);
      }
    },
    /** Whether the outcome comes from this process. A hostile service may have deceived an earlier command without a node. */
    isOwnOutcome: (process: string): boolean => plan.mode !== 'hostile' || senders.has(process),
    /** Whether a process sent bytes that have landed or can land, and its output does not name them. */
    hasUnreported: (process: string, stdout: string): boolean =>
      (senders.get(process) ?? []).some((bytes) => !chain.isDead(bytes) && !stdout.includes(bytes.hash)),
    /** Whether an output or a confirmed question reports as landed the operation that has this hash. */
    isReported: ({ operations }: Machine, hash: string, output: string): boolean => {
      const texts = [output, ...confirmed].join('\n');
      const reported = [...texts.matchAll(/has\s+landed\s+after\s+all:\s+(\w+)/g)].map(([, landed = '']) => landed);
      return operations().some(([, text]) => text.includes(hash) && reported.some((landed) => text.includes(landed)));
    },
    /** 1: each effect has a statement, and each part of an operation has at most one effect. */
    onStep: (): void => {
      if (isUnchecked || chain.landedCount() === seen) return;
      seen = chain.landedCount();
      for (const [key, effects] of legs()) {
        const [hashes, task] = [effects.map(({ hash }) => hash), Number.parseInt(key, 10)];
        if (task < 0) problem(`1: ${hashes[0]} has an effect without a statement`);
        const repeats = keysOf(task) || 1 + hashes.filter((hash) => over.has(hash)).length;
        const allowed = repeats + allowedBeside(task) + relayedBeside(task);
        if (hashes.length > allowed) problem(`1: yield operation ${task} was done ${hashes.length} times`);
      }
    },
    onStart: (args: readonly string[], task: number | undefined): void => {
      if (args[1] !== 'broadcast' || task === undefined) return;
      relayed.set(task, (relayed.get(task) ?? new Set()).add(args[args.indexOf('--op-signed') + 1] ?? ''));
    },
    /** Without a node a user may confirm bytes that no check can explain. Their effects break no promise. */
    onYes: (question: string): void => {
      confirmed.push(question);
      isUnchecked ||= plan.mode === 'hostile' && question.includes('Some checks need your confirmation');
    },
    onReportedDone: (task: number): void => void reportedTasks.add(task),
    /** 4: an operation that a command printed as done is on the chain. */
    onLifeEnd: (rows: readonly Readonly<Record<string, unknown>>[]): void => {
      checkDays();
      const all = legs();
      // Bytes that the user confirmed without a check may have any effect.
      for (const task of isUnchecked ? [] : reportedTasks) {
        const isDone = legsOfTask(plan.tasks[task] as YieldTask).every((leg) => all.has(keyOf(task, leg)));
        if (!isDone) problem(`4: yield operation ${task} ended with 0, and it is not on the chain`);
      }
      for (const row of rows) {
        const hashes = row['status'] === 'landed' ? [row['transaction_hashes'] ?? []].flat() : [];
        for (const hash of hashes)
          if (!chain.hasLanded(String(hash)))
            problem(`4: ${String(hash)} is shown as landed, and it is not on the chain`);
      }
    },
    /** A last resume starts, without faults. It can decide operations that are old enough for a node, and not too old. */
    onLastResume: (machine: Machine): void => {
      for (const { path, sentAt } of undecided(machine)) {
        const age = GENESIS_MS + now() - sentAt;
        if (age < EXPIRED_MS || age > NODE_HISTORY_MS) continue;
        // A copy of the home has operations of the same names, which only its own resumes decide.
        decidable.set(machine, (decidable.get(machine) ?? new Set()).add(path));
      }
    },
    /** Whether only operations are open that no resume could decide; the user can end them at a terminal. */
    isUndecidable: (machine: Machine): boolean => {
      const open = undecided(machine);
      return open.length > 0 && open.every(({ path }) => decidable.get(machine)?.has(path) !== true);
    },
  };
};
