import { call } from '../../../client/call.ts';
import type { Service } from '../../../client/envelope.ts';
import { list } from '../../../contract/products/list.ts';
import { nextStep } from '../../../core/next.ts';
import type { CommandContext } from '../../command/command.ts';
import { observeDates } from '../../context/context.ts';
import { openService } from '../../context/service.ts';
import { kindOf, nameOf, type Selection } from '../../profiles/selection.ts';
import { keySource } from '../login/service.ts';
import { type Check, type Finding, ok, orFailed, skip, warn } from './finding.ts';

/** Challenges and one-time codes are valid for minutes, so a larger clock error makes them fail. */
const MAX_SKEW_MS = 60_000;

const skewFinding = (skew: number | undefined, { kind }: Service): Finding => {
  if (skew === undefined || Number.isNaN(skew)) return skip('clock', 'the service sends no time');
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= MAX_SKEW_MS) return ok('clock', 'agrees with the clock of the service');
  if (kind === 'sandbox')
    return ok('clock', `the sandbox is ${seconds} s ahead because of bursar sandbox clock or advance`);
  const message = `this machine is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the service`;
  return warn('clock', `${message}; set the clock: challenges and codes expire within minutes`, nextStep('whoami'));
};

/** Tests the key with a read of the products, which changes nothing, and compares the clocks. */
const checkKeyAndClock = async ({ io, deadline, trace }: CommandContext, service: Service) => {
  let skew: number | undefined;
  const noting = observeDates(io, (date, at) => {
    skew = at - Date.parse(date);
  });
  const findings = await orFailed('service', async () => {
    await call({ io: noting, service, deadline, trace }, list, {});
    return [ok('service', `${service.baseUrl} accepts the key`)];
  });
  return [...findings, skewFinding(skew, service)];
};

const isRunning = async ({ io }: CommandContext): Promise<boolean> => {
  const { sandboxStatus } = await import('../../../sandbox/launcher.ts');
  return (await sandboxStatus(io)).running;
};

const callSelected = async (cli: CommandContext, selection: Selection): Promise<readonly Finding[]> => {
  if (selection.as === 'sandbox' && !(await isRunning(cli))) {
    return [skip('service', 'the sandbox is not running; the first command that needs it starts it')];
  }
  const service = await openService(cli.io, selection, async () => undefined);
  if (service.apiKey === undefined) return [warn('service', `no API key for ${service.baseUrl}`, nextStep('login'))];
  return checkKeyAndClock(cli, service);
};

const profileFinding = (cli: CommandContext, selection: Selection): Finding => {
  if (selection.as === 'nothing') {
    return warn('profile', 'no service is chosen; log in, or use --profile sandbox', nextStep('login'));
  }
  const from = 'profile' in selection ? selection.profile.from : selection.baseUrl.from;
  const key = keySource(cli, selection);
  const ofKey = key ? `key from ${key}` : 'no key';
  return ok('profile', `${nameOf(selection)} (${kindOf(selection)}), from ${from}; ${ofKey}`);
};

/** The service that commands call, and whether it accepts the key. */
export const checkService: Check = (cli, { isOffline }) =>
  orFailed('profile', async () => {
    const selection = await cli.selection();
    const profile = profileFinding(cli, selection);
    if (selection.as === 'nothing') return [profile];
    if (isOffline) return [profile, skip('service', 'not called: --offline')];
    return [profile, ...(await orFailed('service', () => callSelected(cli, selection)))];
  });
