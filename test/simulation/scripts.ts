import { HOME, NODE_URL } from './home.ts';
import type { Run } from './machine.ts';
import { type Actor, pathOf, signing, type Task } from './plan.ts';

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

export const namedBy = (intent: string | undefined): readonly string[] =>
  intent === undefined ? [] : ['--intent', intent];

const nodeOf = ({ hasNode }: Pick<Actor, 'hasNode'>): readonly string[] => (hasNode ? ['--rpc-url', NODE_URL] : []);

const asking = (actor: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['--password-file', `${HOME}/password`],
  ...nodeOf(actor),
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
  ...namedBy(intent),
];

export const resumeArgs = (actor: Pick<Actor, 'hasNode'>): readonly string[] => [
  ...['pay', 'resume', '--all', ...signing(actor)],
];

export const cardResumeArgs = (id: string): readonly string[] => ['pay', 'resume', id, ...CARD];

/** Runs the first command; while it fails, the second. */
const trying = async (shell: Shell, first: readonly string[], then: readonly string[]): Promise<void> => {
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
  // Who has a node names it in each command; who has none leaves its place out.
  const words = line
    ?.replace(/ --rpc-url \\?"\$RPC_URL\\?"/, '')
    .split(' ')
    .slice(1);
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

/** Registers a payment and creates its transaction, each by its own command. Returns its id. */
const create = async (shell: Shell, task: number): Promise<string | undefined> => {
  const registered = await shell.run(['pay', 'register', '--body', pathOf('order', task), '--json']);
  const id = fieldIn(registered.said.stdout, 'payment_id');
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

/** Signs in one command and sends in another, as where the key is on a machine of its own; then looks at what is kept. */
const runOffline: Script = async (shell, { actor, isAlone }) => {
  const id = await create(shell, actor.task);
  if (id === undefined) return;
  const stating = ['--body', pathOf('payment', actor.task)];
  const signed = await shell.run(['pay', 'sign', id, ...stating, '--key', 'payer', ...signing(actor)]);
  const bytes = fieldIn(signed.said.stdout, 'signed_transaction');
  if (bytes === undefined) return;
  const sending = ['--signed-transaction', bytes, '--yes', '--json', ...nodeOf(actor)];
  const execute = ['pay', 'execute', id, ...stating, ...sending];
  const executed = await shell.run(execute);
  if (executed.code !== 0) await follow(shell, executed, (words) => shell.run(nextArgs(words, actor)));
  const listed = await shell.run(['pay', 'list', '--json']);
  const operation = fieldIn(listed.said.stdout, 'movement');
  if (operation === undefined) return;
  const shown = await shell.run(['pay', 'show', operation, '--json']);
  // Where the clock was set back, the newest is that of another payment.
  const isOwn = fieldIn(shown.said.stdout, 'payment_id') === id;
  const isOver = isOwn && fieldIn(shown.said.stdout, 'state') === 'success';
  // Who forgets what may still land, and pays again, pays twice. Of equal bytes, the record of one is the proof for another.
  if (isOver && isAlone) await shell.run(['pay', 'forget', operation, '--json', '--yes']);
};

const nextArgs = (words: readonly string[], actor: Actor): readonly string[] =>
  withOptions(words, isSigningCommand(words) ? signing(actor) : ['--json']);

/** The command lines of one kind of task, for the scripts that all kinds share. */
type Ways = {
  /** Does the task without a question. */
  readonly run: (work: Work, intent?: string) => readonly string[];
  /** Does the task, and leaves the questions to a person. */
  readonly ask: (work: Work) => readonly string[];
  readonly resume: (work: Work) => readonly string[];
  readonly list: readonly string[];
  /** Completes a printed command, without and with a person. */
  readonly next: (words: readonly string[], work: Work) => readonly string[];
  readonly askNext: (words: readonly string[], work: Work) => readonly string[];
};

/** The scripts that run whole tasks. */
export const scriptsOf = ({ run, ask, resume, list, next, askNext }: Ways) => {
  const scripts: Readonly<Record<Exclude<Actor['script'], 'steps' | 'offline'>, Script>> = {
    /** Repeats the command. */
    again: (shell, work) => trying(shell, run(work), run(work)),
    /** Resumes what is open. */
    resume: (shell, work) => trying(shell, run(work), resume(work)),
    leave: async (shell, work) => void (await shell.run(run(work))),
    /** Runs the command that a failure names. */
    next: async (shell, work) => follow(shell, await shell.run(run(work)), (words) => shell.run(next(words, work))),
    /** A person, who answers questions and follows what is printed. */
    terminal: async (shell, work) => {
      const answers: Answers = (question) => !shell.isNo(question);
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
    /** Three days in a row at the same time: what is open is resumed, then the task of the day is done. */
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

export const SCRIPTS: Readonly<Record<Actor['script'], Script>> = {
  ...scriptsOf({
    run: payArgs,
    ask: (work) => [
      ...beginningOf(work),
      ...(work.task.kind === 'crypto' ? asking(work.actor) : []),
      ...namedBy(work.task.intent),
    ],
    resume: ({ actor }) => resumeArgs(actor),
    list: ['pay', 'list'],
    next: (words, { actor }) => nextArgs(words, actor),
    askNext: (words, { actor }) => withOptions(words, isSigningCommand(words) ? asking(actor) : []),
  }),
  steps: runSteps,
  offline: runOffline,
};
