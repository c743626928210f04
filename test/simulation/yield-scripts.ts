import { HOME, SOLANA_ADDRESS, SOLANA_NODE_URL } from './home.ts';
import type { TaskScript, YieldTask } from './plan.ts';
import { fieldIn, follow, intentOption, type Script, scriptsOf, type Work, withOptions } from './scripts.ts';
import { PROGRAM, VAULTS } from './solana-accounts.ts';

const ALLOWED = ['--allow-program', PROGRAM.toBase58(), '--allow-recipient', VAULTS.provider_a.address];

const NODE = ['--rpc-url', SOLANA_NODE_URL];

const WITHOUT_QUESTIONS = ['--yes', '--json'];

const PASSWORD = ['--password-file', `${HOME}/password`];

/** Resumes all open yield operations, with a node. */
export const YIELD_RESUME: readonly string[] = [
  ...['yield', 'resume', '--all', ...WITHOUT_QUESTIONS, ...PASSWORD, ...NODE, ...ALLOWED],
];

const taskOf = ({ task }: Work): YieldTask => task as YieldTask;

const OTHER = { provider_a: 'provider_b', provider_b: 'provider_a' } as const;

/** The provider that a rebalance takes from. */
export const sourceOf = ({ receiver }: Pick<YieldTask, 'receiver'>): string => OTHER[receiver as keyof typeof OTHER];

/** The options of a command that state the operation. */
const statementOptions = ({ kind, receiver, amount }: YieldTask): readonly string[] => {
  const providers =
    kind === 'rebalance'
      ? ['--provider-out', sourceOf({ receiver }), '--provider-in', receiver]
      : ['--provider', receiver];
  return ['--chain-name', 'solana', '--asset', 'USDC', '--amount', amount, ...providers];
};

/** Without a terminal only a withdrawal by plain transfers needs no node. */
const isNodeLeftOut = ({ actor, task }: Work): boolean =>
  !actor.hasNode && (actor.script === 'terminal' || (task.kind === 'withdraw' && task.receiver === 'provider_a'));

const nodeOf = (work: Work): readonly string[] => (isNodeLeftOut(work) ? [] : NODE);

const beginningOf = (work: Work, intent: string | undefined): readonly string[] => [
  ...['yield', work.task.kind, ...statementOptions(taskOf(work)), '--key', 'saver', '--broadcast'],
  ...[...PASSWORD, ...nodeOf(work), ...ALLOWED, ...intentOption(intent)],
];

const argsOf = (work: Work, intent = work.task.intent): readonly string[] => [
  ...beginningOf(work, intent),
  ...WITHOUT_QUESTIONS,
];

const isSigning = ([, verb = '']: readonly string[]): boolean =>
  ['deposit', 'withdraw', 'rebalance', 'resume', 'broadcast'].includes(verb);

const passwordOf = ([, verb]: readonly string[]): readonly string[] => (verb === 'broadcast' ? [] : PASSWORD);

const nextArgs = (words: readonly string[], work: Work): readonly string[] => {
  if (!isSigning(words)) return [...words, '--json'];
  return withOptions(words, [...WITHOUT_QUESTIONS, ...passwordOf(words), ...nodeOf(work), ...ALLOWED]);
};

const BASE64 = /"(?:transaction|signed_transaction)": "([A-Za-z0-9+/=]+)"/;

/** Builds, signs and broadcasts by three commands. */
const runSteps: Script = async (shell, work) => {
  const task = taskOf(work);
  const statement = statementOptions(task);
  const built = await shell.run(['yield', task.kind, ...statement, '--key', 'saver', '--json']);
  const transaction = BASE64.exec(built.output.stdout)?.[1];
  // The two transactions of a rebalance have another JSON form, which this script does not send.
  if (built.code !== 0 || transaction === undefined) return;
  const file = `${HOME}/unsigned-${work.actor.task}`;
  shell.save(file, transaction);
  const kind = ['--kind', task.kind, ...statement, '--wallet', SOLANA_ADDRESS];
  const sign = ['yield', 'sign', '--transaction', file, ...kind, '--key', 'saver', ...PASSWORD, ...NODE, ...ALLOWED];
  const signed = await shell.run([...sign, '--json']);
  const bytes = fieldIn(signed.output.stdout, 'signed_transaction');
  if (signed.code !== 0 || bytes === undefined) return;
  const broadcast = [
    'yield',
    'broadcast',
    '--op-signed',
    bytes,
    ...kind,
    ...WITHOUT_QUESTIONS,
    ...nodeOf(work),
    ...ALLOWED,
  ];
  await follow(shell, await shell.run(broadcast), (words) => shell.run(nextArgs(words, work)));
};

/** The scripts of payments, for yield operations. */
export const YIELD_SCRIPTS: Readonly<Record<TaskScript, Script>> = {
  ...scriptsOf({
    run: argsOf,
    ask: (work) => beginningOf(work, work.task.intent),
    resume: () => YIELD_RESUME,
    list: ['yield', 'list'],
    next: nextArgs,
    askNext: (words, work) => {
      const options = isSigning(words) ? [...passwordOf(words), ...nodeOf(work), ...ALLOWED] : [];
      return withOptions(words, options);
    },
  }),
  steps: runSteps,
  offline: runSteps,
};
