import { HOME, NODE_URL } from './home.ts';
import type { Run } from './machine.ts';
import { type Actor, pathOf, signing, type Task, type TaskScript } from './plan.ts';

/** Answers a question at a terminal. */
export type Answers = (question: string) => boolean;

/** The actions of a script. */
export type Shell = {
  /** Runs a command line. The result has no code if the process was killed. */
  readonly run: (args: readonly string[], answers?: Answers) => Promise<Run>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Adds a file to the home. */
  readonly save: (path: string, text: string) => void;
  /** Whether the user declines a question. */
  readonly declines: (question: string) => boolean;
};

export type Work = {
  readonly actor: Actor;
  readonly task: Task;
  /** Whether no other actor has this task. */
  readonly isAlone: boolean;
};

export type Script = (shell: Shell, work: Work) => Promise<void>;

const PATIENCE_MS = 30_000;

const DAY_MS = 24 * 60 * 60_000;

const CARD = [
  ...[
    '--card-token',
    'tok_approved',
    '--payer-ip',
    '203.0.113.7',
    '--session-id',
    's',
    '--payer-document',
    '52998224725',
  ],
  ...['--payer-document-type', 'CPF', '--statement-descriptor', 'SHOP', '--address-country', 'BR'],
  ...['--address-state', 'SP', '--address-city', 'Santos', '--address-neighborhood', 'Centro'],
  ...['--address-street', 'Rua A', '--address-number', '1', '--address-zipcode', '01001000'],
];

export const intentOption = (intent: string | undefined): readonly string[] =>
  intent === undefined ? [] : ['--intent', intent];

export const nodeOf = ({ hasNode }: Pick<Actor, 'hasNode'>): readonly string[] =>
  hasNode ? ['--rpc-url', NODE_URL] : [];

const promptingOptions = (actor: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['--password-file', `${HOME}/password`],
  ...nodeOf(actor),
];

/** The command line of a payment without the options that sign. */
const beginningOf = ({ actor, task }: Work): readonly string[] => [
  ...['pay', 'run', '--body', pathOf('payment', actor.task)],
  ...(task.kind === 'crypto' ? ['--key', 'payer'] : []),
  ...(task.kind === 'card' ? CARD : []),
];

const payArgs = (work: Work, intent = work.task.intent): readonly string[] => [
  ...beginningOf(work),
  ...(work.task.kind === 'crypto' ? signing(work.actor) : ['--yes', '--json']),
  ...intentOption(intent),
];

export const resumeArgs = (actor: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['pay', 'resume', '--all', ...signing(actor)],
];

export const cardResumeArgs = (id: string): readonly string[] => ['pay', 'resume', id, ...CARD];

/** Runs the first command, and up to two times the second command while the result is a failure. */
const runWithRetries = async (shell: Shell, first: readonly string[], then: readonly string[]): Promise<void> => {
  let { code } = await shell.run(first);
  for (let attempt = 2; attempt <= 3 && code !== 0; attempt += 1) {
    await shell.pause(PATIENCE_MS);
    ({ code } = await shell.run(then));
  }
};

export const fieldIn = (text: string, name: string): string | undefined =>
  new RegExp(`"${name}": "((?:[^"\\\\]|\\\\.)*)"`).exec(text)?.[1];

/** The arguments of the next command that a failure prints. */
const nextIn = ({ output }: Run): readonly string[] | undefined => {
  const line = fieldIn(output.stdout, 'next') ?? /^next: (bursar .*)$/m.exec(output.stderr)?.[1];
  // An actor with a node adds its own --rpc-url; an actor without a node omits the option.
  const words = line
    ?.replace(/ --rpc-url \\?"\$RPC_URL\\?"/, '')
    .split(' ')
    .slice(1);
  return ['pay', 'yield'].includes(words?.[0] ?? '') && !words?.some((word) => /["'<>\\]/.test(word))
    ? words
    : undefined;
};

/** Runs the printed next commands, at most three. */
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

/** Registers a payment and creates its transaction, each by its own command. Returns the payment id. */
const create = async (shell: Shell, task: number): Promise<string | undefined> => {
  const registered = await shell.run(['pay', 'register', '--body', pathOf('order', task), '--json']);
  const id = fieldIn(registered.output.stdout, 'payment_id');
  if (registered.code !== 0 || id === undefined) return undefined;
  const command = ['pay', 'transaction', id, '--body', pathOf('transaction', task), '--json'];
  const isCreated = (await shell.run(command)).code === 0 || (await shell.run(command)).code === 0;
  return isCreated ? id : undefined;
};

/** Runs the steps of a payment one by one, each by its own command. */
const runSteps: Script = async (shell, { actor }) => {
  const id = await create(shell, actor.task);
  if (id === undefined) return;
  const execute = ['pay', 'execute', id, '--body', pathOf('payment', actor.task), '--key', 'payer', ...signing(actor)];
  const executed = await shell.run(execute);
  if (executed.code !== 0) await follow(shell, executed, (words) => shell.run(nextArgs(words, actor)));
  else await shell.run(['pay', 'status', id, '--wait', '--json']);
  await shell.run(['pay', 'status', 'pay_of_nobody', '--json']);
};

/** Signs in one command and sends in another, as with an offline key; then reads the stored operation. */
const runOffline: Script = async (shell, { actor, isAlone }) => {
  const id = await create(shell, actor.task);
  if (id === undefined) return;
  const statement = ['--body', pathOf('payment', actor.task)];
  const signed = await shell.run(['pay', 'sign', id, ...statement, '--key', 'payer', ...signing(actor)]);
  const bytes = fieldIn(signed.output.stdout, 'signed_transaction');
  if (bytes === undefined) return;
  const sending = ['--signed-transaction', bytes, '--yes', '--json', ...nodeOf(actor)];
  const execute = ['pay', 'execute', id, ...statement, ...sending];
  const executed = await shell.run(execute);
  if (executed.code !== 0) await follow(shell, executed, (words) => shell.run(nextArgs(words, actor)));
  const listed = await shell.run(['pay', 'list', '--json']);
  const operation = fieldIn(listed.output.stdout, 'movement');
  if (operation === undefined) return;
  const shown = await shell.run(['pay', 'show', operation, '--json']);
  // After a clock was set back, the newest operation may belong to another payment.
  const isOwn = fieldIn(shown.output.stdout, 'payment_id') === id;
  const isOver = isOwn && fieldIn(shown.output.stdout, 'state') === 'success';
  // To forget a payment that may still land allows a second one. For equal bytes, one record is the proof for the other.
  if (isOver && isAlone) await shell.run(['pay', 'forget', operation, '--json', '--yes']);
};

const nextArgs = (words: readonly string[], actor: Actor): readonly string[] =>
  withOptions(words, isSigningCommand(words) ? signing(actor) : ['--json']);

/** The command lines of one kind of task, for the scripts that all kinds share. */
type CommandLines = {
  /** Makes the task without a question. */
  readonly run: (work: Work, intent?: string) => readonly string[];
  /** Makes the task with questions for the user. */
  readonly ask: (work: Work) => readonly string[];
  readonly resume: (work: Work) => readonly string[];
  readonly list: readonly string[];
  /** Completes a printed command for a script. */
  readonly next: (words: readonly string[], work: Work) => readonly string[];
  /** Completes a printed command for a user at a terminal. */
  readonly askNext: (words: readonly string[], work: Work) => readonly string[];
};

/** The scripts that run a complete task. */
export const scriptsOf = ({ run, ask, resume, list, next, askNext }: CommandLines) => {
  const scripts: Readonly<Record<Exclude<TaskScript, 'steps' | 'offline'>, Script>> = {
    /** Repeats the command. */
    again: (shell, work) => runWithRetries(shell, run(work), run(work)),
    /** Resumes open operations. */
    resume: (shell, work) => runWithRetries(shell, run(work), resume(work)),
    leave: async (shell, work) => void (await shell.run(run(work))),
    /** Runs the command that a failure names. */
    next: async (shell, work) => follow(shell, await shell.run(run(work)), (words) => shell.run(next(words, work))),
    /** A user at a terminal, who answers questions and runs the printed next commands. */
    terminal: async (shell, work) => {
      const answers: Answers = (question) => !shell.declines(question);
      const first = await shell.run(ask(work), answers);
      await shell.run(list, answers);
      await follow(shell, first, (words) => shell.run(askNext(words, work), answers));
    },
    copy: async (shell, work) => {
      for (let time = 1; time <= 2; time += 1) {
        await shell.run(resume(work));
        await shell.pause(PATIENCE_MS);
      }
    },
    /** On three days at the same time: resumes open operations, then makes the task of the day. */
    cron: async (shell, work) => {
      for (let day = 1; day <= 3; day += 1) {
        await shell.run(resume(work));
        const { intent } = work.task;
        await shell.run(run(work, intent === undefined ? undefined : `${intent}-day-${day}`));
        await shell.pause(DAY_MS + 60_000);
      }
    },
  };
  return scripts;
};

export const SCRIPTS: Readonly<Record<TaskScript, Script>> = {
  ...scriptsOf({
    run: payArgs,
    ask: (work) => [
      ...beginningOf(work),
      ...(work.task.kind === 'crypto' ? promptingOptions(work.actor) : []),
      ...intentOption(work.task.intent),
    ],
    resume: ({ actor }) => resumeArgs(actor),
    list: ['pay', 'list'],
    next: (words, { actor }) => nextArgs(words, actor),
    askNext: (words, { actor }) => withOptions(words, isSigningCommand(words) ? promptingOptions(actor) : []),
  }),
  steps: runSteps,
  offline: runOffline,
};
