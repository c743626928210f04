import { GENESIS_MS } from './evm-chain.ts';
import type { Machine } from './machine.ts';
import { isYield, type Plan, type YieldTask } from './plan.ts';
import { unitsOf } from './service.ts';
import type { SolanaChain, SolanaEffect } from './solana-chain.ts';
import { type Leg, readSolana, type SolanaSent } from './solana-runtime.ts';
import { sourceOf } from './yield-scripts.ts';

const ENDS = /"step":"(?:settled|set_aside|ended|dead)"/;

/** Older bytes than the first are over for every final block; of older ones than the second a node may have no memory. */
const OVER_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;
const REMEMBERED_MS = 5.9 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

type Given = {
  readonly plan: Plan;
  readonly now: () => number;
  readonly chain: SolanaChain;
  readonly problem: (text: string) => void;
  /** What was over when the same was begun once more, by its hash. */
  readonly over: ReadonlySet<string>;
  /** The number of names of a task, and how often a user allowed another of it. */
  readonly namesOf: (task: number) => number;
  readonly allowedBeside: (task: number) => number;
};

/** What left a wallet, by the clock of the machine that sent it. */
type Spent = { readonly machine: Machine | undefined; readonly at: number; readonly units: bigint };

/** The sum of the day that ends with each of these. Turns take minutes, so an hour is left out. */
export const sumsOfDays = (all: readonly Spent[]): readonly bigint[] =>
  all.map((last) =>
    all
      .filter(({ machine, at }) => machine === last.machine && at <= last.at && last.at - at < DAY_MS - HOUR_MS)
      .reduce((total, { units }) => total + units, 0n),
  );

/** Signed bytes that left a machine. */
type Sent = { readonly bytes: SolanaSent; readonly machine: Machine; readonly at: number };

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

/** Base64 in a broadcast, or in a transaction for a node. */
const SENT = /"op_signed":\s*(\[[^\]]*\]|"[^"]*")|"sendTransaction","params":\s*\["([^"]*)"/;

/** The signed bytes in a request. */
export const bytesIn = (body: string): readonly string[] => {
  const [, signed = '', forNode] = SENT.exec(body) ?? [];
  return forNode === undefined ? [...signed.matchAll(/"([A-Za-z0-9+/=]+)"/g)].map(([, text = '']) => text) : [forNode];
};

/** Whether a request builds an operation. */
export const isBuild = (url: string): boolean => BUILDS.test(new URL(url).pathname);

/** Watches the yield operations of a life, for the promises of `invariants.ts`. */
export const newYieldWatch = ({ plan, now, chain, problem, over, namesOf, allowedBeside }: Given) => {
  const sent = new Map<string, Sent>();
  /** What each process has sent, by its name. */
  const senders = new Map<string, readonly SolanaSent[]>();
  /** Tasks that a command said were done. */
  const claimed = new Set<number>();

  // On a live chain nothing shows whose program or account it is, and the user allowed those of both providers.
  const isProviderKnown = plan.mode !== 'hostile';
  /** No check sees that an undecoded rebalance moves less than stated: the wallet gains and loses nothing by it. */
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

  /** What bytes would do, by the accounts of now: their parts of tasks. */
  const partsOf = (bytes: SolanaSent): readonly string[] => chain.legsOf(bytes).map((leg) => keyOf(taskOf(leg), leg));

  /** 3: nothing is sent that was not reviewed, written and synced first. */
  const checkSynced = (machine: Machine, { raw, hash }: SolanaSent): void => {
    if (!machine.hasSynced(raw, '"step":"reviewed"', '"step":"broadcasting"', hash))
      problem(`3: ${hash} was sent before its review, its bytes and its sending were synced`);
  };

  /** 2: no second live transaction of an operation, unless the first can never land. */
  const checkAlone = (one: SolanaSent): void => {
    const parts = partsOf(one);
    for (const { bytes: other } of sent.values()) {
      const shared = partsOf(other).filter((part) => parts.includes(part));
      const task = Number.parseInt(shared[0] ?? '-1', 10);
      // What users broadcast themselves is an operation of its own.
      const operations = namesOf(task) + (relayed.get(task)?.size ?? 0);
      if (shared.length === 0 || isBlind || allowedBeside(task) > 0 || operations > 1) continue;
      // What has landed is counted by the first promise.
      const isOver = chain.hasLanded(other.hash) || over.has(other.hash) || chain.isDead(other);
      if (!isOver) problem(`2: ${one.hash} was sent while ${other.hash} of the same operation could still land`);
    }
  };

  const onBytes = (machine: Machine, raw: string): void => {
    const bytes = readSolana(raw);
    checkSynced(machine, bytes);
    if (!sent.has(bytes.hash)) checkAlone(bytes);
    // What is sent again counts towards the day in which that happens.
    sent.set(bytes.hash, { bytes, machine, at: machine.now() });
  };

  /** 5: what was deposited in a day is within the policy of the key. */
  const checkDays = (): void => {
    const most = plan.mostPerDay;
    if (most === undefined || isBlind) return;
    const deposits = chain.effects().flatMap((effect) => {
      const of = sent.get(effect.hash);
      return of && plan.tasks[taskOf(effect)]?.kind === 'deposit' ? [{ ...of, units: effect.units }] : [];
    });
    for (const sum of sumsOfDays(deposits)) {
      if (sum > unitsOf(most)) problem(`5: ${sum} units were deposited in a day, and the policy allows ${most} USDC`);
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

  /** Operations whose bytes may have been sent, and that have no end. */
  const undecided = ({ operations }: Machine) =>
    operations().flatMap(([path, text]) => {
      const [, sentAt] = [...text.matchAll(/"at":"([^"]+)"[^\n]*"step":"broadcasting"/g)].at(-1) ?? [];
      const after = text.slice(text.lastIndexOf('"step":"broadcasting"'));
      return sentAt === undefined || ENDS.test(after) ? [] : [{ path, sentAt: Date.parse(sentAt) }];
    });
  const decidable = new Set<string>();

  /** Signed bytes that users broadcast themselves, by their task. */
  const relayed = new Map<number, Set<string>>();
  /** How many of them are beside what other commands do of the same task. */
  const relayedBeside = (task: number): number => {
    const isAlone = plan.actors.filter((actor) => actor.task === task).length === 1;
    return Math.max(0, (relayed.get(task)?.size ?? 0) - (isAlone ? 1 : 0));
  };

  let seen = 0;
  let isBlind = false;
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
    /** An earlier command may have believed a hostile service, without a node: its outcome is printed as it is recorded. */
    isOwnOutcome: (process: string): boolean => plan.mode !== 'hostile' || senders.has(process),
    /** Whether a process has sent bytes that have landed or can land, and its output does not name them. */
    hasUnsaid: (process: string, stdout: string): boolean =>
      (senders.get(process) ?? []).some((bytes) => !chain.isDead(bytes) && !stdout.includes(bytes.hash)),
    /** Whether an output, or a question that a user confirmed, reports the last transaction of an operation that has this one. */
    isReported: ({ operations }: Machine, hash: string, output: string): boolean => {
      const texts = [output, ...confirmed].join('\n');
      const reported = [...texts.matchAll(/has\s+landed\s+after\s+all:\s+(\w+)/g)].map(([, each = '']) => each);
      return operations().some(([, text]) => text.includes(hash) && reported.some((each) => text.includes(each)));
    },
    /** 1: no effect that nobody stated, and at most one of each part of an operation. */
    onStep: (): void => {
      if (isBlind || chain.landedCount() === seen) return;
      seen = chain.landedCount();
      for (const [key, effects] of legs()) {
        const [hashes, task] = [effects.map(({ hash }) => hash), Number.parseInt(key, 10)];
        if (task < 0) problem(`1: ${hashes[0]} does what nobody stated`);
        const repeats = namesOf(task) || 1 + hashes.filter((hash) => over.has(hash)).length;
        const allowed = repeats + allowedBeside(task) + relayedBeside(task);
        if (hashes.length > allowed) problem(`1: yield operation ${task} was done ${hashes.length} times`);
      }
    },
    onStart: (args: readonly string[], task: number | undefined): void => {
      if (args[1] !== 'broadcast' || task === undefined) return;
      relayed.set(task, (relayed.get(task) ?? new Set()).add(args[args.indexOf('--op-signed') + 1] ?? ''));
    },
    /** Without a node a user may confirm what no check shows. What a hostile service makes of that is no broken promise. */
    onYes: (question: string): void => {
      confirmed.push(question);
      isBlind ||= plan.mode === 'hostile' && question.includes('Some checks need your confirmation');
    },
    onClaim: (task: number): void => void claimed.add(task),
    /** 4: what a command printed as done is on the chain. */
    onLifeEnd: (rows: readonly Readonly<Record<string, unknown>>[]): void => {
      checkDays();
      const all = legs();
      // A user who confirmed doubtful bytes of a hostile service gets what those bytes do.
      for (const task of isBlind ? [] : claimed) {
        const given = plan.tasks[task] as YieldTask;
        const isDone = legsOfTask(given).every((leg) => all.has(keyOf(task, leg)));
        if (!isDone) problem(`4: yield operation ${task} ended with 0, and it is not on the chain`);
      }
      for (const row of rows) {
        const hashes = row['status'] === 'landed' ? [row['transaction_hashes'] ?? []].flat() : [];
        for (const hash of hashes)
          if (!chain.hasLanded(String(hash)))
            problem(`4: ${String(hash)} is shown as landed, and it is not on the chain`);
      }
    },
    /** A last resume starts, without faults: it decides what is old enough for a node, and not too old. */
    onLastResume: (machine: Machine): void => {
      for (const { path, sentAt } of undecided(machine)) {
        const age = GENESIS_MS + now() - sentAt;
        if (age >= OVER_MS && age <= REMEMBERED_MS) decidable.add(path);
      }
    },
    /** Whether something is open that no resume could decide: only its user can, at a terminal. */
    isUndecidable: (machine: Machine): boolean => {
      const open = undecided(machine);
      return open.length > 0 && open.every(({ path }) => !decidable.has(path));
    },
  };
};
