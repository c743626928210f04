import { HOME, NODE_URL } from './home.ts';
import type { Run } from './machine.ts';
import { type Actor, pathOf, type ScriptName, signing, type Task } from './plan.ts';

/** Answers a question at a terminal. */
export type Answers = (question: string) => boolean;

/** What a script can do. */
export type Shell = {
  /** Runs a command line. Its end has no code if the process was killed. */
  readonly run: (args: readonly string[], answers?: Answers) => Promise<Run>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Puts a file into the home. */
  readonly save: (path: string, text: string) => void;
  /** Whether a person says no to a question. */
  readonly isNo: (question: string) => boolean;
};

export type Work = {
  readonly actor: Actor;
  readonly task: Task;
  /** Whether no other actor has this task. */
  readonly isAlone: boolean;
};

export type Script = (shell: Shell, work: Work) => Promise<void>;

const PATIENCE_MS = 30_000;

export const DAY_MS = 24 * 60 * 60_000;

const CARD = [
  ...['--card-token', 'tok_1', '--payer-ip', '203.0.113.7', '--session-id', 's', '--payer-document', '52998224725'],
  ...['--payer-document-type', 'CPF', '--statement-descriptor', 'SHOP', '--address-country', 'BR'],
  ...['--address-state', 'SP', '--address-city', 'Santos', '--address-neighborhood', 'Centro'],
  ...['--address-street', 'Rua A', '--address-number', '1', '--address-zipcode', '01001000'],
];

const asking = ({ hasNode }: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['--password-file', `${HOME}/password`],
  ...(hasNode ? ['--rpc-url', NODE_URL] : []),
];

/** The options of a payment without those that sign. */
const beginningOf = ({ actor, task }: Work): readonly string[] => [
  ...['pay', 'run', '--body', pathOf('payment', actor.task)],
  ...(task.kind === 'crypto' ? ['--key', 'payer'] : []),
  ...(task.kind === 'card' ? CARD : []),
];

const payArgs = (work: Work, intent = work.task.intent): readonly string[] => [
  ...beginningOf(work),
  ...(work.task.kind === 'crypto' ? signing(work.actor) : ['--yes', '--json']),
  ...(intent === undefined ? [] : ['--intent', intent]),
];

export const resumeArgs = (actor: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['pay', 'resume', '--all', ...signing(actor)],
];

export const cardResumeArgs = (id: string): readonly string[] => ['pay', 'resume', id, ...CARD];

/** Runs the first command; while it fails, the second. */
export const trying = async (shell: Shell, first: readonly string[], then: readonly string[]): Promise<void> => {
  let { code } = await shell.run(first);
  for (let attempt = 2; attempt <= 3 && code !== 0; attempt += 1) {
    await shell.pause(PATIENCE_MS);
    ({ code } = await shell.run(then));
  }
};

export const fieldIn = (text: string, name: string): string | undefined =>
  new RegExp(`"${name}": "((?:[^"\\\\]|\\\\.)*)"`).exec(text)?.[1];

/** The words of the command that a failure prints as the next one. */
const nextIn = ({ said }: Run): readonly string[] | undefined => {
  const line = fieldIn(said.stdout, 'next') ?? /^next: (bursar .*)$/m.exec(said.stderr)?.[1];
  const words = line?.split(' ').slice(1);
  return ['pay', 'yield'].includes(words?.[0] ?? '') && !words?.some((word) => /["'<>\\]/.test(word))
    ? words
    : undefined;
};

/** Follows the printed next commands, some times. */
export const follow = async (
  shell: Shell,
  first: Run,
  complete: (words: readonly string[]) => Promise<Run>,
): Promise<void> => {
  let run = first;
  for (let step = 1; step <= 3 && run.code !== 0; step += 1) {
    const words = nextIn(run);
    if (!words) return;
    await shell.pause(PATIENCE_MS);
    run = await complete(words);
  }
};

export const withOptions = (words: readonly string[], options: readonly string[]): readonly string[] => [
  ...words,
  ...options.filter((option, at) => !words.includes(option.startsWith('--') ? option : (options[at - 1] ?? ''))),
];

const isSigningCommand = ([, verb = '']: readonly string[]): boolean => ['run', 'resume', 'execute'].includes(verb);

/** Runs the steps of a payment one by one, each by its own command. */
const runSteps: Script = async (shell, { actor }) => {
  const registered = await shell.run(['pay', 'register', '--body', pathOf('order', actor.task), '--json']);
  const id = fieldIn(registered.said.stdout, 'payment_id');
  if (registered.code !== 0 || id === undefined) return;
  const create = ['pay', 'transaction', id, '--body', pathOf('transaction', actor.task), '--json'];
  const created = await shell.run(create);
  if (created.code !== 0 && (await shell.run(create)).code !== 0) return;
  const execute = ['pay', 'execute', id, '--body', pathOf('payment', actor.task), '--key', 'payer', ...signing(actor)];
  const executed = await shell.run(execute);
  if (executed.code !== 0) await follow(shell, executed, (words) => shell.run(nextArgs(words, actor)));
  else await shell.run(['pay', 'status', id, '--wait', '--json']);
  await shell.run(['pay', 'status', 'pay_of_nobody', '--json']);
};

/** Signs in one command and sends in another, as where the key is on a machine of its own; then looks at what is kept. */
const runOffline: Script = async (shell, { actor, isAlone }) => {
  const registered = await shell.run(['pay', 'register', '--body', pathOf('order', actor.task), '--json']);
  const id = fieldIn(registered.said.stdout, 'payment_id');
  if (registered.code !== 0 || id === undefined) return;
  const create = ['pay', 'transaction', id, '--body', pathOf('transaction', actor.task), '--json'];
  if ((await shell.run(create)).code !== 0) return;
  const stating = ['--body', pathOf('payment', actor.task)];
  const signed = await shell.run(['pay', 'sign', id, ...stating, '--key', 'payer', ...signing(actor)]);
  const bytes = fieldIn(signed.said.stdout, 'signed_transaction');
  if (bytes === undefined) return;
  const node = actor.hasNode ? ['--rpc-url', NODE_URL] : [];
  const execute = ['pay', 'execute', id, ...stating, '--signed-transaction', bytes, '--yes', '--json', ...node];
  const executed = await shell.run(execute);
  if (executed.code !== 0) await follow(shell, executed, (words) => shell.run(nextArgs(words, actor)));
  const listed = await shell.run(['pay', 'list', '--json']);
  const operation = fieldIn(listed.said.stdout, 'movement');
  if (operation === undefined) return;
  const shown = await shell.run(['pay', 'show', operation, '--json']);
  const isOver = fieldIn(shown.said.stdout, 'state') === 'success';
  // Who forgets what may still land, and pays again, pays twice. Of equal bytes, the record of one is the proof for another.
  if (isOver && isAlone) await shell.run(['pay', 'forget', operation, '--json', '--yes']);
};

const nextArgs = (words: readonly string[], actor: Actor): readonly string[] =>
  withOptions(words, isSigningCommand(words) ? signing(actor) : ['--json']);

export const SCRIPTS: Readonly<Record<ScriptName, Script>> = {
  /** Repeats the command. */
  again: (shell, work) => trying(shell, payArgs(work), payArgs(work)),
  /** Resumes what is open. */
  resume: (shell, work) => trying(shell, payArgs(work), resumeArgs(work.actor)),
  leave: async (shell, work) => void (await shell.run(payArgs(work))),
  /** Runs the command that a failure names. */
  next: async (shell, work) =>
    follow(shell, await shell.run(payArgs(work)), (words) => shell.run(nextArgs(words, work.actor))),
  steps: runSteps,
  offline: runOffline,
  /** A person, who answers questions and follows what is printed. */
  terminal: async (shell, work) => {
    const answers: Answers = (question) => !shell.isNo(question);
    const { task, actor } = work;
    const named = task.intent === undefined ? [] : ['--intent', task.intent];
    const options = task.kind === 'crypto' ? asking(actor) : [];
    const first = await shell.run([...beginningOf(work), ...options, ...named], answers);
    await shell.run(['pay', 'list'], answers);
    await follow(shell, first, (words) =>
      shell.run(withOptions(words, isSigningCommand(words) ? asking(actor) : []), answers),
    );
  },
  /** Three days in a row at the same time: what is open is resumed, then the payment of the day is made. */
  cron: async (shell, work) => {
    for (let day = 1; day <= 3; day += 1) {
      await shell.run(resumeArgs(work.actor));
      const intent = work.task.intent;
      await shell.run(payArgs(work, intent === undefined ? undefined : `${intent}-day-${day}`));
      await shell.pause(DAY_MS + 60_000);
    }
  },
};
