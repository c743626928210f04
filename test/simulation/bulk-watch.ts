import { isPaymentIntent } from '../../src/journal/intents.ts';
import type { OperationState } from '../../src/journal/operation-state.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { isTerminal, mayHaveMoved, statusOf } from '../../src/journal/status.ts';
import { operationFrom } from '../../src/journal/wire.ts';
import { isRow, pathOfRows, RESULTS_FILE, type RowTask } from './bulk-plan.ts';
import type { Decision } from './decisions.ts';
import type { EvmChain, SignedTransaction } from './evm-chain.ts';
import type { CommandRun } from './invariants.ts';
import type { Machine } from './machine.ts';
import type { Plan, Task } from './plan.ts';
import { unitsOf } from './service.ts';

type BulkWatchParts = {
  readonly plan: Plan;
  readonly now: () => number;
  readonly chain: EvmChain;
  readonly problem: (text: string) => void;
  readonly decisions: () => readonly Decision[];
  /** The task of a transfer; -1 if it pays none. */
  readonly taskOfBytes: (bytes: SignedTransaction) => number;
  /** How often a user allowed another payment of a task. */
  readonly allowedBeside: (task: number) => number;
};

type Result = { readonly status: string; readonly payment_id: string | null };

/** What a bulk process has done: the operations in doubt at its start, and the tasks and hashes that it sent. */
type BulkProcess = {
  readonly command: CommandRun;
  readonly doubts: ReadonlySet<string>;
  /** The hashes that the journal had before. */
  readonly signed: ReadonlySet<string>;
  readonly tasks: Set<number>;
  readonly hashes: Set<string>;
};

export const isBulkRun = ({ args }: Pick<CommandRun, 'args'>): boolean => args[0] === 'pay' && args[1] === 'bulk';

const keyOf = ({ row }: Pick<RowTask, 'row'>): string => `bulk/${row}`;

const walletIn = ({ started: { intent } }: OperationState): string | undefined =>
  isPaymentIntent(intent) ? intent.payer.toLowerCase() : undefined;

const BEFORE_CREATION: readonly string[] = ['started', 'registering', 'registered'];

/** The states of the operations of a journal that rows have, newest last. */
export const rowStatesIn = (machine: Machine): readonly OperationState[] =>
  machine.operations().flatMap(([path, text]) => {
    const lines = text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1);
    if (!lines[0]?.includes('"bulk/')) return [];
    return [stateOf(operationFrom(path, path, { lines, isTorn: false }))];
  });

/** Whether a row has a payment that keeps its content: one that is open, or that moved or may have moved money. */
export const isKept = (state: OperationState): boolean =>
  !isTerminal(state) || mayHaveMoved(state) || statusOf(state) === 'success';

/** The last result of each row. Half a line is none. */
const resultsIn = ({ disk }: Machine): ReadonlyMap<string, Result> => {
  const node = disk.find(RESULTS_FILE);
  const text = node?.kind === 'file' ? node.bytes.toString() : '';
  const results = new Map<string, Result>();
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    try {
      const { id, ...result } = JSON.parse(line) as Result & { readonly id: string };
      if (id) results.set(id, result);
    } catch {
      // The rest of a line that a crash left.
    }
  }
  return results;
};

const limitIn = (args: readonly string[], token: string): bigint | undefined => {
  const found = args.find((arg) => arg.endsWith(`=${token}`));
  return found === undefined ? undefined : unitsOf(found.slice(0, -token.length - 1));
};

/** Watches the bulk payments of a life: the promises 1 to 5 for their rows, and promise 8, a row in doubt holds its wallet. */
export const newBulkWatch = ({ plan, now, chain, problem, decisions, taskOfBytes, allowedBeside }: BulkWatchParts) => {
  const isShared = plan.leaseMs !== undefined;
  /** Another command may change what the last result of a row shows. */
  const isBeside = plan.actors.length > 1;
  const processes = new Map<string, BulkProcess>();
  /** Signed bytes of rows by hash. */
  const sent = new Map<string, { readonly bytes: SignedTransaction; readonly task: RowTask; by: string }>();
  const tasksOf = (row: string): readonly number[] =>
    [...plan.tasks.entries()].flatMap(([at, task]) => (isRow(task) && task.row === row ? [at] : []));
  const ids = [...new Set(plan.tasks.filter(isRow).map(({ row }) => row))];
  const headHas = (hash: string): boolean =>
    chain.inPool(hash) !== undefined || chain.receiptAt(chain.headAt(now()), hash) !== undefined;

  /** The rows in the file of a run. The last file has all. */
  const rowsOf = ([, , path]: readonly string[]): readonly number[] =>
    plan.bulk?.files.find((_, at) => pathOfRows(at) === path)?.rows ?? [...plan.tasks.keys()];

  /** The operations in doubt of a wallet that a process knows: those from before its start, and those that it sent. */
  const doubtsOf = (process: BulkProcess, wallet: string): readonly OperationState[] =>
    rowStatesIn(process.command.machine).filter((state) => {
      const isOwn = state.signed.some(({ hash }) => process.hashes.has(hash));
      return walletIn(state) === wallet && (isOwn || process.doubts.has(state.id)) && statusOf(state) === 'in_doubt';
    });

  /** 8: while a row is in doubt, nothing is created or signed for its wallet, unless a node has its bytes. */
  const checkHeld = (process: BulkProcess, wallet: string, own: string | undefined, what: string): void => {
    const { args, name } = process.command;
    for (const { started, signed } of doubtsOf(process, wallet)) {
      const isKnown = args.includes('--rpc-url') && signed.some(({ hash }) => headHas(hash));
      if (started.intent_key !== own && !isKnown)
        problem(`8: ${name} ${what} for ${own} while ${started.intent_key} of the same wallet is in doubt`);
    }
  };

  /** 8: a row keeps its wallet while it has a payment that may go on. */
  const checkWallet = (machine: Machine, own: string | undefined, wallet: string): void => {
    for (const state of rowStatesIn(machine)) {
      const other = walletIn(state);
      const isCreated = !state.isContradicted && !BEFORE_CREATION.includes(state.stage);
      if (state.started.intent_key === own && other !== wallet && isKept(state) && isCreated)
        problem(`8: ${own} was created with ${other}, and is created with ${wallet}`);
    }
  };

  const onCreate = (machine: Machine, by: string, body: string): void => {
    const id = /"payment_id":"([^"]+)"/.exec(body)?.[1];
    const wallet = /"payer_wallet":"([^"]+)"/.exec(body)?.[1]?.toLowerCase();
    if (wallet === undefined) return;
    const own = rowStatesIn(machine).find((state) => state.payment_id === id && walletIn(state) === wallet);
    const key = own?.started.intent_key;
    if (key === undefined) return;
    checkWallet(machine, key, wallet);
    const process = processes.get(by);
    if (process) checkHeld(process, wallet, key, 'creates a transaction');
  };

  /** 2: no second transaction of a row leaves while the first can land, whatever their wallets and amounts are. */
  const checkAlone = (next: SignedTransaction, task: RowTask): void => {
    if (tasksOf(task.row).some((at) => allowedBeside(at) > 0)) return;
    for (const { bytes: other, task: before } of sent.values()) {
      const isSame = other.hash === next.hash || (other.from === next.from && other.nonce === next.nonce);
      if (before.row === task.row && !isSame && !chain.isDead(other, now()))
        problem(`2: ${next.hash} was sent while ${other.hash} of the same row could still land`);
    }
  };

  /** 5: what a run sends is within its --max-total. */
  const checkTotal = ({ command: { args, name }, tasks }: BulkProcess): void => {
    const limit = limitIn(args, 'USDT') ?? 0n;
    const inFile = [...tasks].map((at) => plan.tasks[at] as Task);
    const sum = inFile.reduce((total, { amount }) => total + unitsOf(amount), 0n);
    if (sum > limit) problem(`5: ${name} sent ${sum} units, and its --max-total is ${limit}`);
  };

  /** 4: the last line of a row agrees with its journal. */
  const checkResults = (machine: Machine, when: string, isKilled: boolean): void => {
    const states = rowStatesIn(machine);
    for (const [id, { status, payment_id: paid }] of resultsIn(machine)) {
      const ofRow = states.filter(({ started }) => started.intent_key === `bulk/${id}`);
      const own = (paid === null ? ofRow : states.filter(({ payment_id }) => payment_id === paid)).map(statusOf);
      const isPaid = status === 'paid' || status === 'skipped';
      // An end that the disk or the database refused does not change what was paid.
      const isOfEnd = decisions().some(
        ({ on, action }) => /state\/journal/.test(on) && (action === 'ENOSPC' || action === 'EIO'),
      );
      const fits = isOfEnd || isShared ? ['success', 'sent', 'payable'] : ['success'];
      if (isPaid && !own.some((each) => fits.includes(each)))
        problem(`4: the results of ${when} show ${id} as ${status}, and its journal as ${own.join(', ') || 'nothing'}`);
      if (!isBeside && !isKilled && ['failed', 'held'].includes(status) && own.includes('in_doubt'))
        problem(`4: the results of ${when} show ${id} as ${status}, and its journal as in doubt`);
    }
  };

  return {
    onStart: (command: CommandRun): void => {
      if (!isBulkRun(command)) return;
      const states = rowStatesIn(command.machine);
      const doubts = new Set(states.filter((state) => statusOf(state) === 'in_doubt').map(({ id }) => id));
      const signed = new Set(states.flatMap((state) => state.signed.map(({ hash }) => hash)));
      processes.set(command.name, { command, doubts, signed, tasks: new Set(), hashes: new Set() });
    },
    onRequest: (machine: Machine, by: string, url: string, body: string): void => {
      if (url.endsWith('/intents-create-transaction')) onCreate(machine, by, body);
    },
    /** Signed bytes leave a process. */
    onBytes: (by: string, bytes: SignedTransaction): void => {
      const at = taskOfBytes(bytes);
      const task = plan.tasks[at];
      if (!isRow(task)) return;
      const process = processes.get(by);
      const isNew = !sent.has(bytes.hash);
      if (isNew) checkAlone(bytes, task);
      if (process && isNew) checkHeld(process, bytes.from, keyOf(task), 'sends bytes');
      sent.set(bytes.hash, { bytes, task, by });
      if (process === undefined) return;
      process.hashes.add(bytes.hash);
      // Bytes of a row that the file does not have are sent again only to settle them.
      if (rowsOf(process.command.args).includes(at)) process.tasks.add(at);
      else if (!process.signed.has(bytes.hash))
        problem(`1: ${by} pays row ${task.row}, which its file does not have so`);
      checkTotal(process);
    },
    onEnd: ({ name, machine, ...command }: CommandRun, code: number | undefined): void => {
      const process = processes.get(name);
      if (process === undefined || !isBulkRun(command)) return;
      if ([2, 10].includes(code ?? -1) && process.hashes.size > 0)
        problem(`4: ${name} ended with ${code}, and it had sent signed bytes`);
      checkResults(machine, name, code === undefined);
    },
    /** 1: each id is paid at most once. `made` has the effects by task. */
    onStep: (made: ReadonlyMap<number, readonly string[]>): void => {
      for (const id of ids) {
        const own = tasksOf(id);
        const effects = own.flatMap((at) => made.get(at) ?? []);
        const allowed = 1 + Math.max(...own.map(allowedBeside));
        if (effects.length > allowed) problem(`1: row ${id} was paid ${effects.length} times`);
      }
    },
    /** 4: after repeats without faults each row is paid once, or its result says why not. */
    onLifeEnd: (machine: Machine, code: number | undefined, made: ReadonlySet<number>): void => {
      if (plan.mode !== 'hostile' && code !== 0 && code !== 13)
        problem(`4: without faults, pay bulk still ends with ${code}`);
      const results = resultsIn(machine);
      const isBelievable = plan.mode !== 'hostile' || plan.actors.every(({ hasNode }) => hasNode);
      for (const id of ids) {
        const status = results.get(id)?.status;
        const isCrypto = tasksOf(id).some((at) => plan.tasks[at]?.kind === 'crypto');
        const isMade = tasksOf(id).some((at) => made.has(at));
        if (status === undefined) problem(`4: after the last run row ${id} has no result`);
        // Without a node, the word of a hostile service is the only one.
        if (isCrypto && isBelievable && ['paid', 'skipped'].includes(status ?? '') && !isMade)
          problem(`4: row ${id} is ${status}, and it is not on the chain`);
        if (isCrypto && plan.mode !== 'hostile' && status === 'held' && !isMade)
          problem(`4: after the last run row ${id} is held without a fault`);
      }
      checkResults(machine, 'the last run', false);
    },
  };
};
