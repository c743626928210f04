import { printJson } from '../../src/core/json.ts';
import { type BulkPlan, type BulkScriptName, bulkPlanFrom, isRow } from './bulk-plan.ts';
import { numbersFrom } from './decisions.ts';
import { API_KEY, EVM_ADDRESS, HOME, NODE_URL, SERVICE_URL } from './home.ts';
import type { Mode } from './service.ts';

export const YIELD_KINDS = ['deposit', 'withdraw', 'rebalance'] as const;

export type YieldKind = (typeof YIELD_KINDS)[number];

/** A payment or yield operation that a user makes once. Its amount is unique in the life, so that an effect shows its task. */
export type Task = {
  readonly machine: string;
  readonly kind: 'crypto' | 'pix' | 'card' | YieldKind;
  readonly amount: string;
  /** The address of the receiver of a payment, or the provider of a yield operation (the target of a rebalance). */
  readonly receiver: string;
  readonly intent: string | undefined;
  /** The id of the row, for a payment that is a row of a bulk file. */
  readonly row?: string;
};

/** A user or a program that runs one script of `scripts.ts`. */
export type Actor = {
  readonly name: string;
  readonly task: number;
  readonly startsAt: number;
  readonly hasNode: boolean;
  readonly script: TaskScript | BulkScriptName;
  /** The machine that runs it, if that is not the machine of the task. */
  readonly machine?: string;
};

export const SCRIPT_NAMES = ['again', 'resume', 'leave', 'next', 'steps', 'offline', 'terminal', 'cron'] as const;

export type ScriptName = (typeof SCRIPT_NAMES)[number];

/** The script on a machine with a copied home: it resumes open operations. */
export const ON_COPY = 'copy';

/** A script that works on one task. */
export type TaskScript = ScriptName | typeof ON_COPY;

/** The machine that gets the copy. */
export const COPY = 'copy';

/** The start of a life. A plan and its decisions determine the whole life. */
export type Plan = {
  readonly mode: Mode;
  readonly seed: number;
  readonly machines: readonly string[];
  /** The daily limit in the policy of the key; undefined without a policy. */
  readonly mostPerDay: string | undefined;
  /** How many blocks the node lags behind the chain. */
  readonly lag: number;
  /** When the home of the only machine is copied to another one. */
  readonly copiedAt?: number | undefined;
  /** The factor by which writes and syncs are slower than usual, as on a network disk. */
  readonly slowness?: number;
  /** The machines share a journal in a database. Its leases end after this time. */
  readonly leaseMs?: number;
  /** The bulk runs of a life that has some. */
  readonly bulk?: BulkPlan;
  readonly tasks: readonly Task[];
  readonly actors: readonly Actor[];
};

export const ENV = { BURSAR_HOME: HOME, BURSAR_BASE_URL: SERVICE_URL, BURSAR_API_KEY: API_KEY, LANG: 'C.UTF-8' };

const PAYMENT = {
  executor_id: 'api_transaction',
  tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
  gateway_method: 'direct',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  on_ramp: false,
};

const METHODS = { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: false };

type Payment = Exclude<Task['kind'], YieldKind>;

/** A task that is a yield operation. */
export type YieldTask = Task & { readonly kind: YieldKind };

export const isYield = (task: Task): task is YieldTask => YIELD_KINDS.some((kind) => kind === task.kind);

/** The fields of the requests for each kind of payment. */
const REQUEST_FIELDS: Readonly<Record<Payment, { readonly allowed: object; readonly transaction: object }>> = {
  crypto: {
    allowed: { ...METHODS, crypto: true },
    transaction: {
      ...{ transaction_type: 'crypto', payer_email: 'payer@example.com' },
      ...{ chain_name: 'polygon', payer_token_symbol: 'USDT' },
    },
  },
  pix: {
    allowed: { ...METHODS, pixcrypto: true },
    transaction: { transaction_type: 'pixcrypto', payer_email: 'payer@example.com', payer_cpf: '52998224725' },
  },
  card: {
    allowed: { ...METHODS, cardcrypto: true },
    transaction: { transaction_type: 'cardcrypto', payer_email: 'payer@example.com', payer_name: 'Ana Souza' },
  },
};

/** The files of a task in the home: one for the payment, and one for each of its two requests. */
export const filesOf = (task: Task, at: number): readonly (readonly [path: string, text: string])[] => {
  if (isYield(task) || isRow(task)) return [];
  const { allowed, transaction } = REQUEST_FIELDS[task.kind as Payment];
  const order = {
    ...{ ...PAYMENT, payment_method_allowed: allowed, amount_from: task.amount },
    from_currency_symbol: task.kind === 'crypto' ? 'USDT' : 'BRL',
    split_payment_config: [{ receiver_wallet: task.receiver, receiver_percent: 100 }],
  };
  return [
    [pathOf('payment', at), printJson({ ...order, ...transaction })],
    [pathOf('order', at), printJson(order)],
    [pathOf('transaction', at), printJson({ ...transaction, payer_wallet: EVM_ADDRESS })],
  ];
};

export const pathOf = (file: 'payment' | 'order' | 'transaction', task: number): string =>
  `${HOME}/${file}-${task}.json`;

/** The options of a command that signs without a question. */
export const signing = ({ hasNode }: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['--yes', '--json', '--password-file', `${HOME}/password`],
  ...(hasNode ? ['--rpc-url', NODE_URL] : []),
];

const RECEIVERS = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'];

const KINDS = [...Array<'crypto'>(8).fill('crypto'), 'pix', 'card', ...YIELD_KINDS, ...YIELD_KINDS] as const;

const PROVIDERS = ['provider_a', 'provider_b'];

const CHARGED_KINDS: readonly string[] = ['pix', 'card'];

/** Scripts for payments by Pix or card, which have no step that signs. */
const CHARGE_SCRIPTS: readonly ScriptName[] = ['again', 'resume', 'leave', 'next', 'terminal', 'cron'];

/** Draws the plan of a life. */
export const planFrom = (seed: number): Plan => {
  const next = numbersFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const machines = next() < 0.2 ? ['alpha', 'beta'] : ['alpha'];
  const newTaskKind = () => {
    const [machine, kind] = [pick(machines), pick(KINDS)];
    return { machine, kind, receiver: pick(YIELD_KINDS.some((name) => name === kind) ? PROVIDERS : RECEIVERS) };
  };
  const tasks = Array.from(
    { length: 1 + Math.floor(next() ** 2 * 3) },
    (_, at): Task => ({
      ...newTaskKind(),
      amount: `${10 + at}.${String(10 + Math.floor(next() * 90))}`,
      intent: next() < 0.5 ? `order-${at}` : undefined,
    }),
  );
  const actors = tasks.flatMap((_, task): readonly Actor[] => {
    const actor = (name: string): Actor => ({
      ...{ name, task, startsAt: Math.floor(next() * 5_000), hasNode: next() < 0.5 },
      script: pick(CHARGED_KINDS.includes(tasks[task]?.kind ?? '') ? CHARGE_SCRIPTS : SCRIPT_NAMES),
    });
    const first = actor(`P${task}a`);
    if (next() >= 0.4) return [first];
    // Two actors that start at the same moment interleave in other ways.
    const isAtOnce = next() < 0.5;
    const second = actor(`P${task}b`);
    return [first, isAtOnce ? { ...second, startsAt: first.startsAt + Math.floor(next() * 30) } : second];
  });
  const plan = {
    ...{ mode: pick(['honest', 'faulty', 'hostile'] as const), seed, machines, tasks, actors },
    mostPerDay: next() < 0.2 ? `${20 + Math.floor(next() * 20)}` : undefined,
    lag: next() < 0.2 ? 1 + Math.floor(next() * 8) : 0,
    slowness: next() < 0.1 ? 250 : 1,
  };
  return machines.length === 1 && next() < 0.1 ? withCopy(plan, 1_000 + Math.floor(next() * 7_000)) : plan;
};

/**
 * Draws a random plan. Two of three plans have one task: they are faster, and most failures need no second task. In one of
 * four, and in each with `isShared`, the machines share their journal. One of four, and each with `isBulk`, has bulk payments.
 */
export const randomPlanFrom = (seed: number, isShared = seed % 4 === 1, isBulk = [5, 7].includes(seed % 8)): Plan => {
  const drawn = isBulk ? bulkPlanFrom(planFrom(seed)) : planFrom(seed);
  const plan = isShared ? withDatabase(drawn) : drawn;
  if (isBulk) return plan;
  if (seed % 3 === 0) return plan;
  return { ...plan, tasks: plan.tasks.slice(0, 1), actors: plan.actors.filter(({ task }) => task === 0) };
};

const LEASES_MS = [3_000, 10_000, 30_000, 60_000];

/** The plan with a journal that its machines share. Most actors of one task run on different machines. */
const withDatabase = (plan: Plan): Plan => {
  const next = numbersFrom(plan.seed ^ 0x5eed);
  const machines = next() < 0.8 ? ['alpha', 'beta'] : ['alpha'];
  const machineOf = (): string => machines[Math.floor(next() * machines.length)] as string;
  const [first = 'alpha', last = first] = machines;
  const tasks = plan.tasks.map((task, at): Task => {
    const intent = task.intent ?? (next() < 0.4 ? `order-${at}` : undefined);
    return { ...task, machine: first, intent };
  });
  const actors = plan.actors
    .filter(({ script }) => script !== ON_COPY)
    .map((actor): Actor => {
      const other = next() < 0.8 ? last : machineOf();
      return { ...actor, machine: actor.name.endsWith('b') ? other : machineOf() };
    });
  const leaseMs = LEASES_MS[Math.floor(next() * LEASES_MS.length)] as number;
  return { ...plan, machines, tasks, actors, leaseMs, copiedAt: undefined };
};

/** The plan with a copy of the home, on which all open operations are resumed. */
const withCopy = (plan: Plan, copiedAt: number): Plan => {
  const copied = plan.tasks.map((_, task): Actor => {
    const [hasNode, startsAt] = [true, copiedAt + 500 * (task + 1)];
    return { name: `C${task}a`, task, startsAt, hasNode, script: ON_COPY };
  });
  return { ...plan, copiedAt, actors: [...plan.actors, ...copied] };
};

/** The name of a script in the table of coverage, which has separate rows for yield operations. */
export const actorNameOf = (script: Actor['script'], task: Task): string =>
  isYield(task) ? `yield ${script}` : script;

/** A plan in which all actors follow one script, for tasks of one kind. */
export const planFor = (script: ScriptName, seed: number, kind?: Task['kind']): Plan => {
  const plan = planFrom(seed);
  // Only a payment in crypto has the scripts that sign in separate steps.
  const isCrypto = !CHARGE_SCRIPTS.includes(script) || seed % 3 > 0;
  const chosenKind = kind ?? (isCrypto ? 'crypto' : seed % 9 > 3 ? 'pix' : 'card');
  const tasks = plan.tasks.map((task): Task => {
    const isYieldKind = isYield({ ...task, kind: chosenKind });
    if (isYield(task) === isYieldKind) return { ...task, kind: chosenKind };
    return { ...task, receiver: (isYieldKind ? PROVIDERS : RECEIVERS)[seed % 2] as string, kind: chosenKind };
  });
  // Most lives have one task, because a second task seldom leads to another state.
  const maxTasks = seed % 4 === 0 ? 2 : 1;
  const chosen = plan.actors.filter(({ task }) => task < maxTasks).slice(0, 2);
  const actors = chosen.map((actor) => ({ ...actor, script, hasNode: seed % 4 > 0 }));
  const mode = seed % 2 === 0 ? 'hostile' : plan.mode;
  return {
    ...plan,
    mode,
    tasks: tasks.slice(0, maxTasks),
    actors,
    copiedAt: undefined,
    mostPerDay: seed % 5 === 0 ? '11' : undefined,
  };
};

/** The age of the service's blockhashes: confirmed or final. With a node that lags they are final, so that it has them. */
export const blockhashAgeOf = ({ seed, lag }: Pick<Plan, 'seed' | 'lag'>): number =>
  lag > 0 || seed % 2 === 0 ? 32 : 2;
