import { isRow } from './bulk-plan.ts';
import { newBulkWatch } from './bulk-watch.ts';
import type { Decision } from './decisions.ts';
import { type EvmChain, GENESIS_MS, readSent, type SignedTransaction } from './evm-chain.ts';
import { API_KEY, NODE_URL, PASSWORD, SECRETS, SOLANA_NODE_URL } from './home.ts';
import type { Delivery, Machine, Run } from './machine.ts';
import type { Plan } from './plan.ts';
import { type newService, unitsOf } from './service.ts';
import type { SolanaChain } from './solana-chain.ts';
import { type Departure, isBuild, newYieldWatch, sumsOfDays } from './yield-watch.ts';

type WatchParts = {
  readonly plan: Plan;
  readonly chain: EvmChain;
  readonly solana: SolanaChain;
  readonly service: Pick<ReturnType<typeof newService>, 'charged'>;
  readonly now: () => number;
  readonly decisions: () => readonly Decision[];
};

/** A command line: its process, its machine and its output. */
export type CommandRun = {
  readonly name: string;
  readonly machine: Machine;
  readonly args: readonly string[];
  readonly output: Run['output'];
};

/** The end of a command line; `code` is undefined for a killed process. */
export type ProcessEnd = { readonly name: string; readonly code: number | undefined };

type End = {
  readonly ended: readonly ProcessEnd[];
  readonly decisions: readonly Decision[];
  readonly lastResumes: readonly (number | undefined)[];
  /** The last exit codes of `yield resume --all`. */
  readonly lastYields: readonly (number | undefined)[];
  /** The machine of the bulk runs of a life, and the exit code of the last run. */
  readonly lastBulk: { readonly machine: Machine; readonly code: number | undefined } | undefined;
};

/** Money that moved. `id` is the hash of a transfer, or the payment id of a charge. */
type MoneyEffect = { readonly task: number; readonly id: string };

/** Exit codes that never occur without faults and without two equal payments. */
const ONLY_WITH_FAULTS = [1, 2, 10, 11, 12];

/** Exit codes of a command that sent no signed bytes. */
const NOTHING_SENT: readonly (number | undefined)[] = [2, 5, 6, 7, 10];

const HOUR_MS = 60 * 60_000;

/** After this time the same command makes another payment, unless the first is in doubt. */
const REPEAT_MS = 24 * HOUR_MS;

type Row = Readonly<Record<string, unknown>>;

const rowsIn = (stdout: string): readonly Row[] | undefined => {
  try {
    return [JSON.parse(stdout)].flat() as readonly Row[];
  } catch {
    // A table, or a process that was killed while it printed.
    return undefined;
  }
};

/** What a command prints as the status of a payment that was made. 1 is in the response of `yield broadcast`. */
const SUCCESSES: readonly unknown[] = ['success', 'payment_confirmed', 'landed', 1];

/** Whether the output of a command shows a payment as made. At a terminal a failure is not on stdout. */
const showsMade = (stdout: string, id: string): boolean => {
  if (!stdout.includes(id)) return false;
  const rows = rowsIn(stdout);
  if (rows) return rows.some((row) => SUCCESSES.includes(row['status']) && Object.values(row).flat().includes(id));
  return true;
};

/** Questions at which a yes of the user allows another payment. */
const ALLOWS_ANOTHER = /another|twice|again|all the same/i;

const paymentIn = (args: readonly string[]): number | undefined => {
  const [, task] = /(?:payment|order)-(\d+)\.json/.exec(args.join(' ')) ?? [];
  return task === undefined ? undefined : Number(task);
};

const optionIn = (args: readonly string[], name: string): string | undefined =>
  args.includes(name) ? args[args.indexOf(name) + 1] : undefined;

const wordsOf = (args: readonly string[]): string => args.slice(0, 2).join(' ');

/** Watches a life. `problems` lists each broken promise. */
export const newWatch = ({ plan, chain, solana, service, now, decisions }: WatchParts) => {
  const problems: string[] = [];
  const problem = (text: string): void => {
    if (!problems.includes(text)) problems.push(text);
  };
  const isShared = plan.leaseMs !== undefined;
  /** The clock that a journal follows: that of its machine, or that of the server that machines share. */
  const timeIn = (machine: Machine): number => (isShared ? GENESIS_MS + now() : machine.now());
  const taskOf = (to: string, units: bigint): number =>
    plan.tasks.findIndex(
      ({ kind, amount, receiver }) =>
        kind === 'crypto' && unitsOf(amount) === units && receiver.toLowerCase() === to.toLowerCase(),
    );
  /** Charges of a hostile service do not count: it has the card and can charge any amount. */
  const charged = () => (plan.mode === 'hostile' ? [] : service.charged());
  const moved = (): readonly MoneyEffect[] => [
    ...chain.effects().map(({ to, units, hash }) => ({ task: taskOf(to, units), id: hash })),
    ...charged().map(({ amount, id }) => ({ task: plan.tasks.findIndex((task) => task.amount === amount), id })),
  ];
  const started: CommandRun[] = [];
  /** Payments that a command reported as made. A replaced block may undo them for a while. */
  const reported = new Set<number>();
  /** The idempotency keys and executed payment ids of each task; how often a user allowed another payment. */
  const keys = new Map<number, Set<string>>();
  const withoutKey = new Set<number>();
  const allowedMore = new Map<number, number>();
  /** The processes that sent signed bytes. */
  const senders = new Set<string>();
  /** Signed bytes that left a machine, by their hash, with the time of the last sending. */
  const sent = new Map<string, Departure & { readonly bytes: SignedTransaction; readonly machine: Machine }>();
  /** Whether the journal shows a payment as accepted, and has no event of it for more than a day. */
  const isOldIn = (machine: Machine, operation: string, id: string): boolean => {
    if (!operation.includes(id) || !/"step":"(?:executed|created|landed)"/.test(operation)) return false;
    // A torn line is no event.
    const times = [...operation.matchAll(/"at":"([^"]+)".*\}$/gm)].map(([, at = '']) => Date.parse(at));
    return timeIn(machine) - (times.at(-1) ?? 0) > REPEAT_MS;
  };
  /** Whether an operation ended and `resume --all` ran, which records each end before it prints. */
  const isEndedByAll = (machine: Machine, operation: string, id: string): boolean =>
    operation.includes(id) &&
    /"step":"(?:ended|settled|set_aside)"/.test(operation) &&
    started.some((command) => (isShared || command.machine === machine) && command.args.includes('--all'));
  const isOver = (machine: Machine, id: string): boolean =>
    started.some(({ args, output }) => args[1] !== 'list' && showsMade(output.stdout, id)) ||
    started.some(({ output }) => yields.isReported(machine, id, output.stdout + output.stderr)) ||
    machine.operations().some(([, text]) => isOldIn(machine, text, id) || isEndedByAll(machine, text, id));
  /** Payments that were over when the next one was registered, because a power loss may remove their end from the journal. */
  const over = new Set<string>();
  const noteOver = (machine: Machine): void => {
    for (const id of [...sent.keys(), ...yields.hashes(), ...service.charged().map(({ id }) => id)])
      if (!over.has(id) && isOver(machine, id)) over.add(id);
  };

  /** 3: bytes are sent only after their review, their bytes and their sending are synced. */
  const checkSynced = (machine: Machine, { raw, hash }: SignedTransaction): void => {
    if (!machine.hasSynced(raw.slice(2), '"step":"reviewed"', '"step":"executing"', hash))
      problem(`3: ${hash} was sent before its review, its bytes and its sending were synced`);
  };

  /** Equal payments of two machines may have equal bytes, and neither journal has the other payment. */
  const isSharedByMachines = (): boolean => {
    if (isShared) return false;
    const machines = [...new Set(started.map(({ machine }) => machine))];
    const records = machines.map((machine) => machine.operations().map(([, text]) => text));
    const paymentsOf = (texts: readonly string[], hash: string) =>
      texts.flatMap((text) =>
        text.includes(hash) ? [...text.matchAll(/"payment_id":"([^"]+)"/g)].map(([, id]) => id) : [],
      );
    return [...sent.keys()].some((hash) => {
      const ids = records.map((texts) => paymentsOf(texts, hash)).filter(({ length }) => length > 0);
      return ids.length > 1 && new Set(ids.flat()).size > 1;
    });
  };

  /** 3: printed bytes are recorded too, because each reader of the output can send them. */
  const checkSigned = (machine: Machine, bytes: string): void => {
    if (!machine.hasSynced('"step":"reviewed"', '"step":"signed"', bytes))
      problem(`3: ${readSent(`0x${bytes}`).hash} was printed before its review and its bytes were synced`);
  };

  const allowedBeside = (task: number): number => allowedMore.get(task) ?? 0;
  const keysOf = (task: number): number => keys.get(task)?.size ?? 0;
  const yields = newYieldWatch({ plan, now, chain: solana, problem, over, keysOf, allowedBeside });
  const taskIn = (args: readonly string[]): number | undefined => yields.taskIn(args) ?? paymentIn(args);

  /** The task of a transfer, by the receiver and the amount in its data. */
  const taskOfBytes = ({ data }: SignedTransaction): number =>
    taskOf(`0x${data.slice(34, 74)}`, BigInt(`0x${data.slice(74)}`));

  const bulk = newBulkWatch({ plan, now, chain, problem, decisions, taskOfBytes, allowedBeside });

  const hasLanded = ({ hash }: SignedTransaction): boolean =>
    chain.receiptAt(chain.headAt(now()), hash)?.isGood === true;

  /** 2: a payment has no second transaction that can land, unless only one of the two can land. */
  const checkAlone = (next: SignedTransaction): void => {
    const task = taskOfBytes(next);
    // Each payment id and idempotency key is an operation of its own, and so is a command without a key.
    if (isRow(plan.tasks[task])) return;
    const operationsOfTask = (keys.get(task)?.size ?? 0) + (withoutKey.has(task) ? 1 : 0);
    if (allowedBeside(task) > 0 || operationsOfTask > 1) return;
    for (const { bytes: other } of sent.values()) {
      if (other.hash === next.hash || other.data !== next.data || other.from !== next.from) continue;
      // Promise 1 counts a payment that has landed or is over.
      if (other.nonce !== next.nonce && !hasLanded(other) && !over.has(other.hash) && !chain.isDead(other, now())) {
        problem(`2: ${next.hash} was sent while ${other.hash} of the same payment could still land`);
      }
    }
  };

  const onBytes = (machine: Machine, by: string, raw: string): void => {
    const bytes = readSent(raw);
    checkSynced(machine, bytes);
    bulk.onBytes(by, bytes);
    if (!sent.has(bytes.hash)) checkAlone(bytes);
    // Bytes that are sent again count towards the new day, unless they landed before.
    const left = hasLanded(bytes) ? sent.get(bytes.hash) : undefined;
    const { at, trueAt } = left ?? { at: timeIn(machine), trueAt: now() };
    sent.set(bytes.hash, { bytes, machine, at, trueAt });
  };

  /** 5: the amounts that leave a wallet in a day are within the policy of its key. */
  const checkDays = (): void => {
    const limit = plan.mostPerDay;
    if (limit === undefined) return;
    const effects = chain.effects().map(({ hash, units }) => {
      const { machine, at = 0, trueAt = 0 } = sent.get(hash) ?? {};
      return { machine: isShared ? undefined : machine, at, trueAt, units };
    });
    for (const sum of sumsOfDays(effects)) {
      if (sum > unitsOf(limit))
        problem(`5: ${sum} units left the wallet in a day, and its policy allows ${limit} USDT`);
    }
  };

  /** 4: a payment that a command printed as made is on the chain. With a hostile service this needs a node. */
  const checkReported = (): void => {
    const made = new Set(moved().map(({ task }) => task));
    const hashes = new Set(moved().map(({ id }) => id));
    for (const task of reported) {
      const isCharge = plan.mode === 'hostile' && plan.tasks[task]?.kind === 'card';
      if (!isCharge && !made.has(task))
        problem(`4: pay run of payment ${task} ended with 0, and it is not on the chain`);
    }
    for (const { args, output } of started) {
      if (!['run', 'resume'].includes(args[1] ?? '') || !isBelievable(args)) continue;
      for (const row of rowsIn(output.stdout) ?? []) {
        const hash = row['tid_hash'];
        // The hash of a Pix or card payment comes from the service only.
        const isCrypto = plan.tasks.some(
          ({ kind, amount }) => kind === 'crypto' && amount === (row['amount'] ?? row['amount_from']),
        );
        if (
          isCrypto &&
          row['status'] === 'success' &&
          typeof hash === 'string' &&
          hash.startsWith('0x') &&
          !hashes.has(hash)
        )
          problem(`4: ${wordsOf(args)} shows ${hash} as made, and it is not on the chain`);
      }
    }
  };
  const isBelievable = (args: readonly string[]): boolean => plan.mode !== 'hostile' || args.includes('--rpc-url');

  const checkSecrets = (where: string, bytes: Buffer | string, isAllowed: (secret: string) => boolean): void => {
    for (const [name, secret] of SECRETS) {
      if (bytes.includes(secret) && !isAllowed(secret)) problem(`5: ${where} has ${name}`);
    }
  };

  // A transaction that a step created has an old nonce after another command has sent one.
  const hasNoFaults = ({ decisions }: End): boolean =>
    decisions.length === 0 &&
    (plan.actors.length === 1 || plan.actors.every(({ script }) => script !== 'steps' && script !== 'offline')) &&
    plan.mostPerDay === undefined &&
    plan.copiedAt === undefined &&
    plan.bulk === undefined &&
    plan.machines.length === 1 &&
    new Set(plan.actors.map(({ task }) => task)).size === plan.actors.length;

  return {
    problems,
    problem,
    onRequest: (machine: Machine, { request, process }: Delivery): void => {
      const { url, headers, body = '' } = request;
      const bytes = /"signed_transaction":"(?:0x)?([0-9a-fA-F]+)"/.exec(body)?.[1];
      if (url.endsWith('/intents-create-order') || isBuild(url)) noteOver(machine);
      yields.onRequest(machine, body, process.name);
      bulk.onRequest(machine, process.name, url, body);
      if (bytes || /eth_sendRawTransaction/.test(body)) senders.add(process.name);
      if (bytes) onBytes(machine, process.name, `0x${bytes.toLowerCase()}`);
      if (/eth_sendRawTransaction/.test(body))
        onBytes(machine, process.name, /0x02[0-9a-fA-F]+/.exec(body)?.[0].toLowerCase() ?? '');
      const text = `${url}\n${JSON.stringify(headers)}\n${body}`;
      checkSecrets(
        `a request to ${new URL(url).host}`,
        text,
        (secret) => secret === API_KEY && !url.startsWith(NODE_URL) && !url.startsWith(SOLANA_NODE_URL),
      );
    },
    onLastResume: yields.onLastResume,
    onStart: (command: CommandRun): void => {
      started.push(command);
      bulk.onStart(command);
      const task = taskIn(command.args);
      yields.onStart(command.args, task);
      if (task === undefined) return;
      const isStep = ['pay execute', 'pay sign'].includes(wordsOf(command.args));
      // Without a key, each run of the command may be another payment.
      const key = isStep ? command.args[2] : optionIn(command.args, '--intent');
      const hasNoKey = key === undefined && (command.args[1] === 'run' || command.args.includes('--broadcast'));
      if (hasNoKey) withoutKey.add(task);
      if (key !== undefined) keys.set(task, (keys.get(task) ?? new Set()).add(key));
    },
    /**
     * A home is copied. Both machines may then make a payment that was not signed, or was certainly not sent, and a yield
     * operation that has not ended.
     */
    onCopy: (machine: Machine): void => {
      for (const [task, { amount, kind }] of plan.tasks.entries()) {
        const isSafe = (text: string): boolean =>
          kind === 'crypto'
            ? text.includes('"step":"executing"') && !text.includes('"unsent":true')
            : /"step":"(?:settled|set_aside|ended)"/.test(text);
        // A torn line is no event.
        const texts = machine.operations().map(([, text]) => text.slice(0, text.lastIndexOf('\n') + 1));
        const unsafe = texts.filter((text) => text.includes(`"amount":"${amount}"`) && !isSafe(text));
        allowedMore.set(task, allowedBeside(task) + unsafe.length);
      }
    },
    /** A command writes a journal step. */
    onJournal: ({ args, machine }: CommandRun, step: string): void => {
      // Bytes that a user broadcasts were built before; the operation starts with its first line.
      if (step === 'begun' && wordsOf(args) === 'yield broadcast') noteOver(machine);
    },
    /** The user confirmed a question. */
    onYes: ({ args }: CommandRun, question: string): void => {
      const task = taskIn(args);
      yields.onYes(question);
      if (!ALLOWS_ANOTHER.test(question)) return;
      for (const allowed of task === undefined ? plan.tasks.keys() : [task])
        allowedMore.set(allowed, allowedBeside(allowed) + 1);
    },
    /**
     * 1: each effect has a statement, and each payment has at most one effect. Without --intent, the same command with --yes
     * makes another payment when the earlier one is over, or was accepted a day ago.
     */
    onStep: (): void => {
      yields.onStep();
      const made = new Map<number, string[]>();
      for (const { task, id } of moved()) {
        if (task < 0) problem(`1: ${id} pays without a statement`);
        made.set(task, [...(made.get(task) ?? []), id]);
      }
      bulk.onStep(made);
      for (const [task, ids] of made) {
        if (isRow(plan.tasks[task])) continue;
        const repeats = withoutKey.has(task) ? 1 + ids.filter((id) => over.has(id)).length : 0;
        const allowed = (keys.get(task)?.size ?? 0) + repeats + allowedBeside(task);
        if (ids.length > allowed) problem(`1: payment ${task} was made ${ids.length} times`);
      }
    },
    /** 4 and 5: the output of a command is one document and has no secret. */
    onEnd: (command: CommandRun, code: number | undefined): void => {
      const { name, machine, args, output } = command;
      bulk.onEnd(command, code);
      const isReported = args.includes('--all') || output.stdout.includes('"live": true') || !args.includes('--json');
      if (
        NOTHING_SENT.includes(code) &&
        (senders.has(name) || yields.hasUnreported(name, output.stdout)) &&
        !isReported
      )
        problem(`4: ${wordsOf(args)} ended with ${code}, and it had sent signed bytes`);
      if (code === 1) problem(`4: ${wordsOf(args)} ended with a fault of bursar: ${output.stderr}${output.stdout}`);
      checkSecrets(`the output of ${wordsOf(args)}`, output.stdout + output.stderr, () => false);
      const [, signed] = /"signed_transaction": "(?:0x)?([0-9a-f]+)"/.exec(output.stdout) ?? [];
      if (code === 0 && wordsOf(args) === 'pay sign' && signed !== undefined) checkSigned(machine, signed);
      const isDocument =
        code === undefined || !args.includes('--json') || output.stdout === '' || rowsIn(output.stdout);
      if (!isDocument) problem(`4: ${wordsOf(args)} printed what is not one JSON document: ${output.stdout}`);
      const task = taskIn(args);
      const isPayment = wordsOf(args) === 'pay run' && plan.tasks[task ?? 0]?.kind !== 'pix';
      const isDone = code === 0 && args.includes('--broadcast') && args[0] === 'yield';
      if (isDone && task !== undefined && isBelievable(args) && yields.isOwnOutcome(name)) yields.onReportedDone(task);
      if (code === 0 && isPayment && task !== undefined && isBelievable(args)) reported.add(task);
    },
    onLifeEnd: (end: End): void => {
      checkReported();
      checkDays();
      if (end.lastBulk)
        bulk.onLifeEnd(end.lastBulk.machine, end.lastBulk.code, new Set(moved().map(({ task }) => task)));
      yields.onLifeEnd(
        started.flatMap(({ name, args, output }) =>
          args[0] === 'yield' && isBelievable(args) && yields.isOwnOutcome(name) ? (rowsIn(output.stdout) ?? []) : [],
        ),
      );
      const isOpen = started.some(({ machine }) => yields.isUndecidable(machine));
      for (const code of isOpen || plan.mode === 'hostile' ? [] : end.lastYields) {
        if (code !== 0) problem(`4: without faults, yield resume --all still ends with ${code}`);
      }
      for (const code of end.lastResumes) {
        if (plan.mode !== 'hostile' && code !== 0 && !isSharedByMachines())
          problem(`4: without faults, pay resume --all still ends with ${code}`);
      }
      for (const { name, code } of hasNoFaults(end) ? end.ended : []) {
        if (code === undefined || ONLY_WITH_FAULTS.includes(code))
          problem(`6: ${name} ended with ${code} without a fault`);
      }
      for (const { disk } of new Set(started.map(({ machine }) => machine))) {
        for (const [path, bytes] of disk.all())
          checkSecrets(path, bytes, (secret) => secret === PASSWORD && path.endsWith('/password'));
      }
    },
  };
};

export type Watch = ReturnType<typeof newWatch>;
