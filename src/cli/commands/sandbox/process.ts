import {
  advance as advanceClock,
  createTenant,
  stop as end,
  health,
  readClock,
  reset as resetAll,
  SPAN,
} from '../../../contract/control/process.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, isWatched, type ParsedArgs, required, stringArg, watchOptions } from '../../command/options.ts';
import type { clockSummary } from '../../summaries/sandbox-summary.ts';
import { type ControlCall, controlCommand, descriptionOf, fieldOption, type SandboxCommand } from './control.ts';

const launcher = () => import('../../../sandbox/launcher.ts');

/** `sandbox stop`. */
export const stop = controlCommand({
  verb: 'stop',
  summary: 'Stop the sandbox; its state stays',
  controls: [end],
  examples: ['sandbox stop', 'sandbox stop --quiet'],
  run: async (cli) => {
    const { stopSandbox } = await launcher();
    await cli.printResult({ stopped: await stopSandbox(cli.io) });
  },
});

/** Printed where the system gives nodes no network of their own. */
const OPEN_NODES =
  'Limit: other users, programs and web pages on this machine can change balances on the EVM test chains.';

const INTERVAL = '1';

/** A watch leaves the sandbox idle. The times of a status are no change. */
const watchStatus = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { sandboxStatus } = await launcher();
  const { watchValue } = await import('../../print/watch.ts');
  const { sandboxSummary } = await import('../../summaries/sandbox-summary.ts');
  const { renderFor, selectFields } = await import('../../../output/render.ts');
  const { renderSummary } = await import('../../../output/summary.ts');
  const { fields } = cli.globals;
  await watchValue(cli, given, INTERVAL, {
    read: () => sandboxStatus(cli.io, true),
    screen: (found, style) =>
      fields ? renderFor(style, selectFields(found, fields)).text : renderSummary(sandboxSummary(found), style),
    entries: (found) => {
      const state = found.running ? { ...found, uptime_ms: 0, idle_ms: 0 } : found;
      const chains = found.running ? `, chains: ${found.chains.join(', ') || 'none'}` : '';
      return [{ key: 'sandbox', state, document: found, line: `${sandboxSummary(found).headline}${chains}` }];
    },
  });
};

/** The link to act on the dashboard. Only a terminal shows it: output that a program reads often ends in a log. */
const findActingLink = async ({ io }: CommandContext): Promise<string | undefined> => {
  const { actingLink, readAddress } = await import('../../../sandbox/address.ts');
  const address = await readAddress(io);
  return address && actingLink(address);
};

/** `sandbox status`. */
export const status = controlCommand({
  verb: 'status',
  summary: 'Show whether the sandbox runs, its addresses, and which chains run',
  about: [
    '--watch repeats the read until Ctrl-C or the end of --timeout. A terminal updates one screen.',
    'A pipe gets a line of JSON first and after each change. A watch does not keep an idle sandbox running.',
  ],
  controls: [health],
  options: watchOptions('Show the status again after each change', INTERVAL),
  examples: ['sandbox status', 'sandbox status --json --fields url', 'sandbox status --watch'],
  run: async (cli, given) => {
    if (isWatched(given)) return watchStatus(cli, given);
    const { sandboxStatus } = await launcher();
    const found = await sandboxStatus(cli.io);
    const summary = async () =>
      (await import('../../summaries/sandbox-summary.ts')).sandboxSummary(found, await findActingLink(cli));
    await cli.printResult(found, found, { summary });
    if (found.running && found.evm_access === 'loopback') await cli.printNote(OPEN_NODES);
  },
});

/** `sandbox reset`. */
export const reset = controlCommand({
  verb: 'reset',
  summary: 'Delete all payments, orders and balances of the sandbox',
  about: ['Keys and port stay. It asks first; --yes answers.'],
  controls: [resetAll],
  examples: ['sandbox reset', 'sandbox reset --yes'],
  run: async (cli) => {
    if (!(await cli.confirm('Delete everything in the sandbox?'))) {
      throw new Failure('declined', 'not confirmed; nothing was deleted');
    }
    const { resetSandbox } = await launcher();
    await resetSandbox(cli.io);
    await cli.printResult({ reset: true });
  },
});

const FORWARD_ONLY =
  'The clock only goes forward; sandbox reset sets it back. Codes, sessions, quotas and rates follow it.';

const SPAN_DESCRIPTION = descriptionOf(advanceClock.body.advance);

const moveBy = async (call: ControlCall<typeof advanceClock>, span: string) => {
  if (SPAN.test(span)) return call(advanceClock, { advance: span });
  const hint = span.startsWith('-') ? FORWARD_ONLY : undefined;
  throw new Failure('invalid_input', `"${span}" is not a span of time such as 10m, 36h or 1d12h`, { hint });
};

const printClock = async (cli: CommandContext, clock: Parameters<typeof clockSummary>[0]): Promise<void> => {
  const summary = async () => (await import('../../summaries/sandbox-summary.ts')).clockSummary(clock);
  await cli.printResult(clock, clock, { summary });
};

/** `sandbox clock`. */
export const clock = controlCommand({
  verb: 'clock',
  summary: "Show the sandbox's clock, or move it forward",
  about: [FORWARD_ONLY],
  controls: [readClock, advanceClock],
  arguments: [{ name: 'SPAN', description: SPAN_DESCRIPTION, isOptional: true, belowZero: FORWARD_ONLY }],
  examples: ['sandbox clock', 'sandbox clock +10m'],
  run: async (cli, given, call) => {
    const span = stringArg(given, 'span');
    await printClock(cli, await (span === undefined ? call(readClock) : moveBy(call, span)));
  },
});

/** `sandbox advance`. */
export const advance = controlCommand({
  verb: 'advance',
  summary: advanceClock.summary,
  about: ['The same as sandbox clock with a span.', FORWARD_ONLY],
  controls: [advanceClock],
  arguments: [{ name: 'SPAN', description: SPAN_DESCRIPTION, belowZero: FORWARD_ONLY }],
  examples: ['sandbox advance 10m', 'sandbox advance 25h --json'],
  run: async (cli, given, call) => {
    const { SPAN: span } = required({ SPAN: stringArg(given, 'span') });
    await printClock(cli, await moveBy(call, span));
  },
});

/** `sandbox tenant`. */
export const tenant = controlCommand({
  verb: 'tenant',
  summary: 'Make an API key of a new tenant of the sandbox',
  about: ['It is shown only this once. Orders and payments of one tenant are hidden from the others.'],
  controls: [createTenant],
  options: [fieldOption('--without-tenant', createTenant.body.without_tenant)],
  examples: ['sandbox tenant', 'sandbox tenant --without-tenant --json'],
  run: async (cli, given, call) =>
    cli.printCommitted(await call(createTenant, { without_tenant: boolArg(given, 'without-tenant') })),
});

const portFrom = (given: ParsedArgs): number | undefined => {
  const text = stringArg(given, 'port');
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Failure('invalid_input', `--port: "${text}" is not a port number from 0 to 65535`);
};

/** A home has one sandbox. Throws `invalid_input` for each option that the running one does not follow. */
const assertHonoured = async (
  cli: CommandContext,
  options: { readonly port?: number; readonly ephemeral: boolean },
  url: string,
): Promise<void> => {
  const { sandboxStatus } = await launcher();
  const port = Number(new URL(url).port);
  const status = options.ephemeral ? await sandboxStatus(cli.io) : undefined;
  const differences = [
    ...(options.port && options.port !== port ? [['--port', `the running sandbox has port ${port}`]] : []),
    ...(status?.running && !status.ephemeral ? [['--ephemeral', 'the running sandbox keeps its state']] : []),
  ] as const;
  if (differences.length === 0) return;
  throw new Failure('invalid_input', `a sandbox runs already at ${url}, on port ${port}`, {
    errors: differences.map(([option = '', message = '']) => ({ field: option, option, message })),
    hint: 'A home has one sandbox. Stop it, then start one with these options; without them, sandbox start prints its address.',
    next: nextStep('sandbox.stop'),
  });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const port = portFrom(given);
  const isEphemeral = boolArg(given, 'ephemeral') || boolArg(given, 'temporary');
  const options = { ephemeral: isEphemeral, ...(port !== undefined && { port }) };
  const launcher = await import('../../../sandbox/launcher.ts');
  const { actingLink, dashboardLink } = await import('../../../sandbox/address.ts');
  const print = async (address: Parameters<typeof dashboardLink>[0], home?: string): Promise<void> => {
    // A script that starts a process reads one line of it; the same document, only compact.
    const { json, fields, jq } = cli.globals;
    if (json && !fields && jq === undefined)
      return cli.io.stdout.write(`${printJson({ ...address, ...(home !== undefined && { home }) })}\n`);
    await cli.printResult(address);
    if (!cli.io.stdout.isTerminal || cli.globals.json) return;
    await cli.printNote(`Dashboard: ${dashboardLink(address)}`);
    await cli.printNote(`To act on it: ${actingLink(address)}`);
  };
  const isTemporary = boolArg(given, 'temporary');
  if (!boolArg(given, 'foreground')) {
    if (isTemporary) throw new Failure('usage', '--temporary: it needs --foreground');
    const address = await cli.io.spin('Starting the sandbox', launcher.startSandbox(cli.io, options));
    await assertHonoured(cli, options, address.url);
    return print(address);
  }
  const until = boolArg(given, 'until-stdin-ends') ? cli.io.stdin.readAll() : undefined;
  const start = (io: CommandContext['io'], home?: string) => {
    const onReady = (address: Parameters<typeof print>[0]) => print(address, home);
    return launcher.runSandbox(io, { ...options, version: cli.version, onReady, until });
  };
  if (!isTemporary) return start(cli.io);
  const { inOwnHome } = await import('../../../sandbox/throwaway.ts');
  return inOwnHome(cli.io, start);
};

/** `sandbox start`. */
export const start: SandboxCommand = {
  words: ['sandbox', 'start'],
  controls: [],
  summary: 'Start the sandbox in the background, or print its address',
  about: [
    'It answers on this machine only. It stops after 30 idle minutes; its state stays.',
    'With --port or --ephemeral it fails beside a running sandbox that has another port, or keeps its state.',
  ],
  options: [
    { flag: '--port', value: 'N', usual: 'the last one, or a free one', description: 'Port of the sandbox' },
    { flag: '--foreground', description: 'Stay in this process until Ctrl-C' },
    { flag: '--until-stdin-ends', description: 'With --foreground: stop when standard input ends' },
    {
      flag: '--temporary',
      description: 'With --foreground: use a new private home, store nothing, and remove the home at the end',
    },
    { flag: '--ephemeral', description: 'Store nothing: the state is deleted when it stops' },
  ],
  fails: ['sandbox_unavailable'],
  examples: ['sandbox start', 'sandbox start --ephemeral --json'],
  interruptGraceMs: 8000,
  run,
};
