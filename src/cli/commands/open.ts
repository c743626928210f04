import { call } from '../../client/call.ts';
import { status } from '../../contract/pay/status.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { required, stringArg } from '../command/options.ts';
import { findOperation } from '../operations/area.ts';
import { openPage } from '../print/open-page.ts';
import { kindOf } from '../profiles/selection.ts';
import { wordFrom } from './sandbox/control.ts';
import { openDashboard, runningSandbox } from './sandbox/open.ts';

const PAGES = ['payment', 'dashboard', 'reference'] as const;

/** The operation of a payment, or of an operation id; `undefined` if the journal has none. */
const operationOf = async (cli: CommandContext, id: string): Promise<OperationState | undefined> => {
  const { PAYMENTS } = await import('./pay/journal.ts');
  try {
    return await findOperation(cli, PAYMENTS, id);
  } catch (error) {
    if (isFailure(error, 'not_found')) return undefined;
    throw error;
  }
};

/** The newest page that the service gave for the payment of an operation. */
const pageIn = async ({ io }: CommandContext, { id }: OperationState): Promise<string | undefined> => {
  const { readOperation } = await import('../../journal/wire.ts');
  const events = (await readOperation(io, id))?.events ?? [];
  return events.flatMap((event) => (event.step === 'created' && event.page ? [event.page] : [])).at(-1);
};

/** The dashboard opens for any id. Throws `not_found` for a payment that the running sandbox does not have. */
const assertPaymentExists = async (cli: CommandContext, id: string): Promise<void> => {
  await runningSandbox(cli);
  await call(await cli.client(), status, { id });
};

/** In the sandbox, the payment on the dashboard. On a live service, only an address that the service gave. */
const openPayment = async (cli: CommandContext, id: string): Promise<void> => {
  const state = await operationOf(cli, id);
  const selection = await cli.selection();
  // The running sandbox of this home needs no selection, as for `sandbox open`.
  const isSelected = selection.as !== 'nothing';
  const kind = state?.started.kind ?? (isSelected ? kindOf(selection) : 'sandbox');
  const payment = state ? state.payment_id : id;
  if (payment === undefined) {
    throw new Failure('not_found', `the operation ${id} has no payment yet`, {
      next: nextStep('operation.show', 'pay', id),
    });
  }
  if (kind === 'sandbox') {
    if (state === undefined && isSelected) await assertPaymentExists(cli, payment);
    return openDashboard(cli, `payment=${encodeURIComponent(payment)}`);
  }
  const url = state && (await pageIn(cli, state));
  if (state && url !== undefined) return openPage(cli, { url, namedBy: state.started.base_url });
  throw new Failure('not_found', `the journal has no page of the payment ${payment}`, {
    hint: 'The journal has the address that the service returned when the payer transaction was created on this machine.',
    next: nextStep('pay.status', payment),
  });
};

/** Whether a word that names no page is the id of a payment: an id of the sandbox, or one that the journal has. */
const isPayment = async (cli: CommandContext, word: string): Promise<boolean> =>
  word.startsWith('pay_') || (await operationOf(cli, word)) !== undefined;

/** Without a word: the dashboard of a running sandbox, or else the help of the command. */
const openAlone = async (cli: CommandContext): Promise<void> => {
  const { sandboxStatus } = await import('../../sandbox/launcher.ts');
  const isHelp = cli.io.stdout.isTerminal && !cli.globals.json && !(await sandboxStatus(cli.io)).running;
  if (!isHelp) return openDashboard(cli);
  const { preparedPage } = await import('../help/prepared.ts');
  const { layOut, lookOf } = await import('../help/lay-out.ts');
  const page = await preparedPage(['open'], 'short');
  if (page) await cli.io.stdout.write(layOut(page, lookOf(cli.io, false)));
};

/** `open`. */
export const open: Command = {
  words: ['open'],
  summary: 'Open the page of a payment, the dashboard or the API reference in a browser',
  about: [
    'Without a terminal, and with --json, it prints the address and opens no browser.',
    'payment, or the id alone: in the sandbox its page of the dashboard; on a live service the page that the service gave for it.',
    'dashboard and reference are pages of the sandbox. Without a word it opens the dashboard, if a sandbox runs.',
    'Only https addresses are opened, and http on this machine.',
  ],
  arguments: [
    {
      name: 'PAGE',
      description: 'Page to open, or the id of a payment',
      isOptional: true,
      completes: PAGES,
    },
    { name: 'ID', description: 'Id of the payment, or of its operation', isOptional: true, completes: 'payments' },
  ],
  fails: ['sandbox_unavailable', 'not_found'],
  examples: ['open dashboard', 'open pay_0123', 'open reference'],
  run: async (cli, given) => {
    const [typed, id] = [stringArg(given, 'page'), stringArg(given, 'id')];
    if (typed === undefined) return openAlone(cli);
    const isId = id === undefined && !PAGES.some((page) => page === typed) && (await isPayment(cli, typed));
    if (isId) return openPayment(cli, typed);
    const page = wordFrom(typed, PAGES, 'page that can be opened', 'pages');
    if (page === 'payment') return openPayment(cli, required({ ID: id }).ID);
    if (id !== undefined) throw new Failure('usage', `open ${page} goes without an id`);
    if (page === 'dashboard') return openDashboard(cli);
    const { url } = await runningSandbox(cli);
    return openPage(cli, { url: `${url}/reference`, namedBy: url });
  },
};
