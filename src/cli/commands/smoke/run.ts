import { noKey } from '../../../client/call.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import type { Io } from '../../../io/io.ts';
import type { Inputs } from '../../../smoke/call.ts';
import { withCalled } from '../../../smoke/flow.ts';
import { counted } from '../../../smoke/report.ts';
import { REPORTERS } from '../../../smoke/reporters.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { KEY, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { boolArg, type ParsedArgs, stringArgs } from '../../command/options.ts';
import { addressedControl } from '../../context/sandbox-control.ts';
import { type AmountLimits, amountLimits } from '../../operations/amount-limits.ts';
import { kindOf } from '../../profiles/selection.ts';
import { ofService } from '../../prompt/confirming.ts';
import { givenInputs, isSecretInput, missingInputs } from './inputs.ts';
import { orderToPay } from './order-to-pay.ts';
import { receiveWebhooks } from './receiver.ts';
import { reportersFrom } from './reporting.ts';
import { type RunResult, runWithKeys } from './run-flows.ts';
import { assertAllowedSteps, type ChosenFlow, chooseFlows, payingFlows } from './select.ts';
import { assertSandboxTokens, familiesOf, missingKeys, withKeys } from './session.ts';

/** Ids sort by the time of their runs. */
const newRunId = ({ clock, random }: Io): string =>
  `${clock.now().toString(36)}-${Buffer.from(random.bytes(3)).toString('hex')}`;

/** Checks what a live service needs: --live for anything, a bound and a yes for flows that pay, and all inputs. */
const assertMeant = async (
  cli: CommandContext,
  given: ParsedArgs,
  chosen: readonly ChosenFlow[],
  limits: AmountLimits,
  inputs: Inputs,
): Promise<void> => {
  const { service } = await cli.client();
  if (service.kind === 'sandbox') return;
  const called = chosen.flatMap(({ flow, file }) => withCalled(flow, file.flows));
  const steps = called.flatMap((flow) => flow.steps);
  const needsKey = steps.some(
    ({ operation }) => operation.source === 'service' && operation.endpoint.key !== 'optional',
  );
  if (needsKey && service.apiKey === undefined) throw noKey(service);
  const names = chosen.map(({ flow }) => flow.id).join(', ');
  const isPaying = payingFlows(chosen).length > 0;
  const canConfirm = cli.globals.yes || cli.io.prompt.isPossible;
  const needed: readonly (FieldError | false)[] = [
    !boolArg(given, 'live') && {
      field: 'live',
      message: 'required for a service that is no sandbox',
      option: '--live',
    },
    isPaying &&
      limits.length === 0 && {
        field: 'max_amount',
        message: 'the most that the run may pay, such as 10=USDT',
        option: '--max-amount',
      },
    isPaying && !canConfirm && { field: 'yes', message: 'required outside a terminal', option: '--yes' },
    ...chosen.flatMap(({ flow }) => missingInputs(flow, inputs)),
  ];
  const others = needed.filter((one) => one !== false);
  if (others.length > 0) {
    // A key that alone is missing is asked for.
    const errors = [...others, ...(await missingKeys(cli, given, familiesOf(called)))];
    throw new Failure(
      'invalid_input',
      `nothing was sent: ${names} would run against ${service.profile}, a live service`,
      { errors },
    );
  }
  if (!isPaying) return;
  const most = limits.map(({ amount, token }) => `${amount} ${token}`).join(' and ');
  const question = ofService(service, `Run ${names}, and pay at most ${most}?`);
  if (!(await cli.confirm(question))) throw new Failure('declined', 'not confirmed; nothing was sent');
};

/** Ends the command by the most serious flow: 11 in doubt, 130 interrupted, 13 failed. */
const assertPassed = ({ report, next }: RunResult): void => {
  const bad = report.flows
    .filter(({ status }) => status !== 'passed')
    .map(({ name, status }) => `${name} (${status.replace('_', ' ')})`);
  const details = { data: report };
  if (report.status === 'in_doubt')
    throw new Failure('outcome_unknown', `money may have moved: ${bad.join(', ')}`, {
      ...details,
      hint: `The same command resumes run ${report.run}, and pays nothing twice.`,
      next,
    });
  if (report.status === 'interrupted') throw new Failure('interrupted', `interrupted: ${bad.join(', ')}`, details);
  if (report.status !== 'passed') {
    const isSettled = report.flows.every(({ status }) => status === 'passed' || status === 'skipped');
    throw new Failure(
      'smoke_failed',
      `${bad.length} of ${counted(report.flows.length, 'flow')} did not pass: ${bad.join(', ')}`,
      isSettled ? { ...details, next } : details,
    );
  }
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const limits = amountLimits(given, 'max-amount');
  reportersFrom(cli, given);
  const isSandbox = kindOf(await cli.selection()) === 'sandbox';
  if (isSandbox) assertSandboxTokens(limits);
  const chosen = await chooseFlows(cli, stringArgs(given, 'flow'), isSandbox);
  assertAllowedSteps(chosen, isSandbox);
  const inputs = await givenInputs(
    cli,
    given,
    chosen.map(({ flow }) => flow),
  );
  const client = await cli.client();
  await assertMeant(cli, given, chosen, limits, inputs);
  const control = await addressedControl(cli.io, client.service);
  const flows = chosen.flatMap(({ flow, file }) => withCalled(flow, file.flows));
  const needs = {
    families: familiesOf(flows),
    flows,
    values: Object.values(inputs),
  };
  const wantsWebhooks =
    control !== undefined && flows.some(({ inputs }) => inputs.some(({ from }) => from === 'receiver'));
  const webhooks = wantsWebhooks ? await receiveWebhooks(cli.io) : undefined;
  try {
    const needsOrder =
      control !== undefined &&
      flows.some((flow) => flow.inputs.some(({ from, name }) => from === 'order' && !Object.hasOwn(inputs, name)));
    const orderId = needsOrder ? await orderToPay(client) : undefined;
    const prepared = { client, orderId, chosen, given, inputs, limits, control, webhooks, runId: newRunId(cli.io) };
    const result = await withKeys(cli, given, control, needs, (keys) => runWithKeys(cli, prepared, keys));
    assertPassed(result);
    if (cli.globals.json) await cli.printCommitted(result.report);
  } finally {
    await webhooks?.close();
  }
};

/** The name and the value of --input. */
const splitInput = (text: string): [string, string] => {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
};

/** `smoke run`. */
export const runCommand: Command = {
  words: ['smoke', 'run'],
  summary: 'Run flows against the service as a smoke test',
  about: [
    'A flow is one of the package (bursar smoke list), or each workflow of an Arazzo 1.0.1 file. In the sandbox all flows of the package are the default, elsewhere reads.',
    'Every answer is compared with the criteria of its step, and with the contract. A failed step shows what was expected, what was there, the request and the answer.',
    'Each signature is reviewed, and recorded under the intent smoke/RUN-ID/STEP. A run that ended with exit code 11 is resumed by the same command.',
    'In the sandbox new keys with test money sign, unless --key names others. On any other service --live is required, and --max-amount and --yes for flows that pay.',
    'An input comes from --input, from --inputs, or from the variable BURSAR_INPUT_ with its name in capitals.',
  ],
  arguments: [
    {
      name: 'FLOW',
      description: 'Flow of the package, or a file',
      isOptional: true,
      isRepeatable: true,
      completes: async () => (await import('../../../smoke/flows/index.ts')).FLOW_NAMES,
    },
  ],
  options: [
    {
      flag: '--input',
      value: 'NAME=VALUE',
      isRepeatable: true,
      isSecret: (text) => isSecretInput(...splitInput(text)),
      description: 'An input of the flows',
    },
    { flag: '--inputs', value: 'FILE', readsStdin: true, completes: 'files', description: 'Inputs as JSON or YAML' },
    { ...KEY, isRepeatable: true, description: 'Key that signs; one for each family of chains' },
    ...PASSWORD_OPTIONS,
    {
      flag: '--reporter',
      value: 'NAME[=FILE]',
      isRepeatable: true,
      usual: 'terminal',
      completes: [...REPORTERS],
      description: `Report: ${REPORTERS.join(', ')}`,
    },
    { flag: '--live', description: 'Run against a service that is no sandbox' },
    {
      flag: '--max-amount',
      value: 'AMOUNT=TOKEN',
      isRepeatable: true,
      description: 'The most that the whole run may pay of a token; required on a live service',
    },
  ],
  fails: ['smoke_failed', 'outcome_unknown', 'no_api_key', 'sandbox_unavailable'],
  examples: [
    'smoke run',
    'smoke run crypto-payment kyc-email --reporter tap --reporter junit=smoke.xml',
    'smoke run crypto-payment --profile live --live --max-amount 1=USDT --inputs inputs.json --key treasury --yes',
    'smoke run flows/checkout.arazzo.yaml --input amount=2.50 --json',
  ],
  interruptGraceMs: 35_000,
  run,
};
