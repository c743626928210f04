import type { Service } from '../../../client/service.ts';
import type { Secret } from '../../../core/secret.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import { environmentKey } from '../../context/api-key.ts';
import type { CommandContext } from '../../context/context.ts';
import { namesInEnvironment } from '../../operations/signing-key.ts';
import { fingerprintOf } from '../../profiles/fingerprint.ts';
import { readKeptKey } from '../../profiles/kept-key.ts';
import { noService } from '../../profiles/refusals.ts';
import { kindOf, nameOf, type Selection } from '../../profiles/selection.ts';
import { listSettings, shownSettings } from '../../profiles/show.ts';
import { checkKey } from './check-key.ts';
import { keySource } from './key-source.ts';

/** The key without anything being started for it. */
const keyOf = async ({ io }: CommandContext, selection: Selection): Promise<Secret | undefined> => {
  if (selection.as === 'nothing' || selection.key === 'own') return undefined;
  if (selection.key === 'environment') return environmentKey(io);
  const { api_key, base_url = '' } = selection.stored;
  return api_key && readKeptKey(io, nameOf(selection), api_key, base_url);
};

/** Every setting that a command would use, and what said it. */
const settingsWithSources = (selection: Selection) => {
  const { project, settings } = selection;
  const fromProject = (setting: string) =>
    (setting === 'public_client_id' && project?.public_client_id) ||
    (setting === 'webhook_url' && project?.webhook_url);
  return listSettings(shownSettings(settings)).map(({ setting, value }) => ({
    setting,
    value,
    from: fromProject(setting) ? (project?.path ?? '') : `profile ${nameOf(selection)}`,
  }));
};

type Sourced = ReturnType<typeof settingsWithSources>;

/** The keys that sign may be named by the environment: one name is meant for both families. */
const underEnvironment = ({ io }: CommandContext, settings: Sourced): Sourced => {
  const names = namesInEnvironment(io);
  if (names.length === 0) return settings;
  const left = names.length === 1 ? settings.filter(({ setting }) => !setting.startsWith('keys.')) : settings;
  return [{ setting: 'keys', value: names.join(','), from: 'BURSAR_KEY' }, ...left];
};

/** A key that is refused is told of with all that decided which one it is. */
const check = async (cli: CommandContext, service: Service, facts: object): Promise<void> => {
  try {
    await checkKey(cli, service, { data: facts });
  } catch (error) {
    const { profile, kind, baseUrl } = service;
    if (!cli.globals.json) await cli.say(`asked ${profile}, ${kind}, ${baseUrl}, with the key from: ${whence(facts)}`);
    throw error;
  }
};

const whence = (facts: object): string => String((facts as { api_key_from?: unknown }).api_key_from ?? 'nowhere');

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const selection = await cli.selection();
  if (selection.as === 'nothing') throw noService(selection);
  const key = await keyOf(cli, selection);
  const service = boolArg(given, 'offline') ? undefined : await cli.service();
  const baseUrl = 'baseUrl' in selection ? selection.baseUrl : undefined;
  const facts = {
    profile: nameOf(selection),
    profile_from: 'profile' in selection ? selection.profile.from : null,
    kind: kindOf(selection),
    base_url: service?.baseUrl ?? baseUrl?.value ?? null,
    base_url_from: baseUrl?.from ?? (service ? 'the running sandbox' : null),
    api_key_from: keySource(cli, selection),
    fingerprint: key ? fingerprintOf(key) : null,
  };
  const settings = underEnvironment(cli, settingsWithSources(selection));
  if (service) await check(cli, service, { ...facts, settings });
  const answer = { ...facts, key_check: service ? 'accepted' : 'not checked' };
  const rows = Object.fromEntries(settings.map(({ setting, value, from }) => [setting, `${value} (${from})`]));
  await cli.printResult({ ...answer, settings }, { ...answer, ...rows });
};

/** `whoami`. */
export const whoami: Command = {
  words: ['whoami'],
  summary: 'Say which service commands go to, as whom, and what decided it',
  about: [
    'The profile, the address, where the key comes from, and each setting with its source. Of the key only a fingerprint is shown. The service is asked for its products, so that a wrong key is found; --offline asks nothing.',
  ],
  options: [{ flag: '--offline', description: 'Ask the service nothing' }],
  calls: ['products.list'],
  examples: ['whoami', 'whoami --offline --json', 'whoami --profile sandbox --offline --json --fields profile,kind'],
  run,
};
