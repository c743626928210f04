import { numbersFrom } from './decisions.ts';
import { HOME } from './home.ts';
import type { Actor, Plan, Task } from './plan.ts';

/** The names of the scripts of bulk payments. */
export const BULK = 'bulk';
export const BULK_BESIDE = 'bulk beside';

/** The name of the runs without faults at the end of a life. */
export const LAST_BULK = 'last bulk';

export type BulkScriptName = typeof BULK | typeof BULK_BESIDE;

/** One row of a bulk file: a task with the id of its row. A corrected row is another task with the same id. */
export type RowTask = Task & { readonly row: string };

export const isRow = (task: Task | undefined): task is RowTask => task?.row !== undefined;

/** A file of rows: its tasks in their order, and how it is written. */
type RowsFile = { readonly rows: readonly number[]; readonly form: 'csv' | 'crlf' | 'json' };

/** One run of the command: its file, the stated limits by token, and the pause before it. */
type BulkStep = { readonly file: number; readonly limits: Readonly<Record<string, string>>; readonly pauseMs: number };

/** The bulk runs of a life. */
export type BulkPlan = {
  readonly files: readonly RowsFile[];
  readonly keys: readonly string[];
  readonly doubtWaitS: number;
  readonly steps: readonly BulkStep[];
};

export const RESULTS_FILE = `${HOME}/results.txt`;

export const pathOfRows = (file: number | 'last'): string => `${HOME}/rows-${file}`;

const OF_CARD: Readonly<Record<string, string>> = {
  ...{ card_token: 'tok_approved', payer_ip: '203.0.113.7', session_id: 's', payer_document: '52998224725' },
  ...{ payer_document_type: 'CPF', statement_descriptor: 'SHOP', address_country: 'BR', address_state: 'SP' },
  ...{ address_city: 'Santos', address_neighborhood: 'Centro', address_street: 'Rua A', address_number: '1' },
  ...{ address_zipcode: '01001000', payer_name: 'Ana Souza', transaction_type: 'cardcrypto', allow: 'cardcrypto' },
};

const OF_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  crypto: { transaction_type: 'crypto', chain_name: 'polygon', payer_token_symbol: 'USDT', allow: 'crypto' },
  pix: { transaction_type: 'pixcrypto', payer_cpf: '52998224725', allow: 'pixcrypto' },
  card: OF_CARD,
};

const cellsOf = ({ row, kind, amount, receiver }: RowTask): Readonly<Record<string, string>> => ({
  ...{ id: row, amount_from: amount, from_currency_symbol: kind === 'crypto' ? 'USDT' : 'BRL' },
  ...{ to_currency_symbol: 'USDT', to_chain: 'polygon', split: `${receiver}=100`, payer_email: 'payer@example.com' },
  ...{ public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
  ...OF_KIND[kind],
});

/** The text of a file with rows. */
export const textOfRows = (tasks: readonly Task[], { rows, form }: RowsFile): string => {
  const cells = rows.map((at) => cellsOf(tasks[at] as RowTask));
  if (form === 'json') return cells.map((row) => `${JSON.stringify(row)}\n`).join('');
  const columns = [...new Set(cells.flatMap(Object.keys))];
  const lines = [columns, ...cells.map((row) => columns.map((name) => row[name] ?? ''))];
  return lines.map((line) => `${line.join(',')}${form === 'crlf' ? '\r\n' : '\n'}`).join('');
};

const centsOf = (amount: string): number => Math.round(Number(amount) * 100);

/** What some rows pay of a token, as --max-total counts it. A payment by Pix moves no money of the machine. */
const totalOf = (tasks: readonly Task[], rows: readonly number[], kind: 'crypto' | 'card'): number =>
  rows.reduce((sum, at) => sum + (tasks[at]?.kind === kind ? centsOf(tasks[at].amount) : 0), 0);

const limitsOf = (tasks: readonly Task[], rows: readonly number[], share: number): BulkStep['limits'] => {
  const [usdt, brl] = (['crypto', 'card'] as const).map((kind) => Math.floor(share * totalOf(tasks, rows, kind)));
  return { USDT: ((usdt ?? 0) / 100).toFixed(2), BRL: ((brl ?? 0) / 100).toFixed(2) };
};

/** The command line of one bulk run. */
export const bulkArgs = (
  { keys, doubtWaitS }: BulkPlan,
  { file, limits }: Pick<BulkStep, 'limits'> & { readonly file: number | 'last' },
  node: readonly string[],
): readonly string[] => [
  ...['pay', 'bulk', pathOfRows(file), '--yes', '--key', keys.join(','), '--password-file', `${HOME}/password`],
  ...Object.entries(limits).flatMap(([token, amount]) =>
    Number(amount) > 0 ? ['--max-total', `${amount}=${token}`] : [],
  ),
  ...['--results', RESULTS_FILE, '--doubt-wait', String(doubtWaitS), ...node],
];

const RECEIVERS = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'];

const ROW_KINDS = [...Array<'crypto'>(7).fill('crypto'), 'card', 'pix'] as const;

const FORMS = ['csv', 'crlf', 'json'] as const;

/** How often a life with bulk payments has a row of each kind, a correction and others beside, follows from its seed. */
export const bulkPlanFrom = (plan: Plan): Plan => {
  const next = numbersFrom(plan.seed ^ 0xb01c);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const machine = plan.machines[0] as string;
  const amountOf = (at: number): string => `${10 + at}.${String(10 + Math.floor(next() * 90))}`;
  const count = 2 + Math.floor(next() ** 1.5 * 4);
  const rows = Array.from({ length: count }, (_, at): RowTask => {
    const kind = pick(ROW_KINDS);
    return { machine, kind, amount: amountOf(at), receiver: pick(RECEIVERS), intent: undefined, row: `inv-${at + 1}` };
  });
  const corrected = next() < 0.3 ? Math.floor(next() * count) : undefined;
  const tasks: Task[] = [...rows];
  const first = rows.map((_, at) => at);
  if (corrected !== undefined) tasks.push({ ...(rows[corrected] as RowTask), amount: amountOf(count + 1) });
  const beside = next() < 0.35;
  if (beside)
    tasks.push({ machine, kind: 'crypto', amount: amountOf(count + 2), receiver: pick(RECEIVERS), intent: 'beside' });
  const variants: readonly ((list: readonly number[]) => readonly number[])[] = [
    (list) => list,
    (list) => list.toReversed(),
    (list) => list.filter((at) => at !== corrected && at !== count - 1),
    (list) => list.map((at) => (at === corrected ? count : at)),
  ];
  const files = variants.map((change, at): RowsFile => ({ rows: change(first), form: at === 0 ? 'csv' : pick(FORMS) }));
  const steps = Array.from({ length: 1 + Math.floor(next() * 3) }, (_, at): BulkStep => {
    const file = at === 0 ? 0 : ([0, 0, 1, 2, 3][Math.floor(next() * 5)] as number);
    const share = next() < 0.12 ? 0.5 + next() / 2 : 1;
    const limits = limitsOf(tasks, files[file]?.rows ?? [], share);
    return { file, limits, pauseMs: at === 0 ? 0 : pick([1_000, 30_000, 200_000]) };
  });
  const hasNode = next() < 0.6;
  const actors: Actor[] = [{ name: 'B', task: 0, startsAt: 0, hasNode, script: BULK }];
  const startsAt = Math.floor(next() * 20_000);
  if (beside) {
    const script = pick(['again', 'resume', 'next'] as const);
    actors.push({ name: 'P', task: tasks.length - 1, startsAt, hasNode: next() < 0.5, script });
  }
  if (next() < 0.25)
    actors.push({ name: 'R', task: 0, startsAt: startsAt + 10_000, hasNode: next() < 0.5, script: BULK_BESIDE });
  const keys = next() < 0.5 ? ['payer'] : ['payer', 'second'];
  const doubtWaitS = pick([0, 10, 120]);
  const { mostPerDay: _, copiedAt: __, ...rest } = plan;
  return {
    ...rest,
    machines: [machine],
    mostPerDay: undefined,
    tasks,
    actors,
    bulk: { files, keys, doubtWaitS, steps },
  };
};

/** The last file: each row with the content that its payment has, or with its first one. */
export const lastRows = ({ tasks }: Pick<Plan, 'tasks'>, isStarted: (task: RowTask) => boolean): readonly number[] => {
  const ids = [...new Set(tasks.filter(isRow).map(({ row }) => row))];
  return ids.map((id) => {
    const own = [...tasks.entries()].flatMap(([at, task]) => (isRow(task) && task.row === id ? [{ at, task }] : []));
    return (own.find(({ task }) => isStarted(task)) ?? own[0])?.at ?? 0;
  });
};
