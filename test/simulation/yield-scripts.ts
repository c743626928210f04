import { HOME, SOLANA_ADDRESS, SOLANA_NODE_URL } from './home.ts';
import type { Actor, YieldTask } from './plan.ts';
import { fieldIn, follow, namedBy, type Script, scriptsOf, type Work, withOptions } from './scripts.ts';
import { PROGRAM, VAULTS } from './solana-accounts.ts';

const ALLOWED = ['--allow-program', PROGRAM.toBase58(), '--allow-recipient', VAULTS.provider_a.address];

const NODE = ['--rpc-url', SOLANA_NODE_URL];

const UNASKED = ['--yes', '--json'];

const PASSWORD = ['--password-file', `${HOME}/password`];

/** Resumes what is open of the yield operations, with a node. */
export const YIELD_RESUME: readonly string[] = [
  ...['yield', 'resume', '--all', ...UNASKED, ...PASSWORD, ...NODE, ...ALLOWED],
];

const taskOf = ({ task }: Work): YieldTask => task as YieldTask;

const OTHER = { provider_a: 'provider_b', provider_b: 'provider_a' } as const;

/** The provider that a rebalance takes from. */
export const sourceOf = ({ receiver }: Pick<YieldTask, 'receiver'>): string => OTHER[receiver as keyof typeof OTHER];

/** What is done, in the options of the command. */
const statedIn = ({ kind, receiver, amount }: YieldTask): readonly string[] => {
  const providers =
    kind === 'rebalance'
      ? ['--provider-out', sourceOf({ receiver }), '--provider-in', receiver]
      : ['--provider', receiver];
  return ['--chain-name', 'solana', '--asset', 'USDC', '--amount', amount, ...providers];
};

/** Without a terminal all but the withdrawal of plain transfers needs a node. */
const isNodeLeftOut = ({ actor, task }: Work): boolean =>
  !actor.hasNode && (actor.script === 'terminal' || (task.kind === 'withdraw' && task.receiver === 'provider_a'));

const nodeOf = (work: Work): readonly string[] => (isNodeLeftOut(work) ? [] : NODE);

const beginningOf = (work: Work, intent: string | undefined): readonly string[] => [
  ...['yield', work.task.kind, ...statedIn(taskOf(work)), '--key', 'saver', '--broadcast'],
  ...[...PASSWORD, ...nodeOf(work), ...ALLOWED, ...namedBy(intent)],
];

const argsOf = (work: Work, intent = work.task.intent): readonly string[] => [...beginningOf(work, intent), ...UNASKED];

const isSigning = ([, verb = '']: readonly string[]): boolean =>
  ['deposit', 'withdraw', 'rebalance', 'resume', 'broadcast'].includes(verb);

const passwordOf = ([, verb]: readonly string[]): readonly string[] => (verb === 'broadcast' ? [] : PASSWORD);

const nextArgs = (words: readonly string[], work: Work): readonly string[] => {
  if (!isSigning(words)) return [...words, '--json'];
  return withOptions(words, [...UNASKED, ...passwordOf(words), ...nodeOf(work), ...ALLOWED]);
};

const BASE64 = /"(?:transaction|signed_transaction)": "([A-Za-z0-9+/=]+)"/;

/** Builds, signs and broadcasts by three commands. */
const runSteps: Script = async (shell, work) => {
  const task = taskOf(work);
  const stated = statedIn(task);
  const built = await shell.run(['yield', task.kind, ...stated, '--key', 'saver', '--json']);
  const transaction = BASE64.exec(built.said.stdout)?.[1];
  // A rebalance of two transactions is no text.
  if (built.code !== 0 || transaction === undefined) return;
  const file = `${HOME}/unsigned-${work.actor.task}`;
  shell.save(file, transaction);
  const kind = ['--kind', task.kind, ...stated, '--wallet', SOLANA_ADDRESS];
  const sign = ['yield', 'sign', '--transaction', file, ...kind, '--key', 'saver', ...PASSWORD, ...NODE, ...ALLOWED];
  const signed = await shell.run([...sign, '--json']);
  const bytes = fieldIn(signed.said.stdout, 'signed_transaction');
  if (signed.code !== 0 || bytes === undefined) return;
  const broadcast = ['yield', 'broadcast', '--op-signed', bytes, ...kind, ...UNASKED, ...nodeOf(work), ...ALLOWED];
  await follow(shell, await shell.run(broadcast), (words) => shell.run(nextArgs(words, work)));
};

/** What the scripts of payments do, for yield operations. */
export const YIELD_SCRIPTS: Readonly<Record<Actor['script'], Script>> = {
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
