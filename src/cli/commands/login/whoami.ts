import { type Service, shortFingerprint } from '../../../client/service.ts';
import type { Secret } from '../../../core/secret.ts';
import { BURSAR_JOURNAL } from '../../../journal/moved.ts';
import { journalName } from '../../../journal/open-store.ts';
import { checkJournalAddress } from '../../../journal/postgres/address.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import { environmentKey } from '../../context/service.ts';
import { namesInEnvironment } from '../../operations/signing-key.ts';
import { noService } from '../../profiles/select.ts';
import { kindOf, nameOf, type Selection } from '../../profiles/selection.ts';
import { listSettings, shownSettings } from '../../profiles/show.ts';
import { readStoredKey } from '../../profiles/store.ts';
import { checkKey, keySource } from './service.ts';

/** The API key, read without starting a sandbox to get it. */
const keyOf = async ({ io }: CommandContext, selection: Selection): Promise<Secret | undefined> => {
  if (selection.as === 'nothing' || selection.key === 'own') return undefined;
  if (selection.key === 'environment') return environmentKey(io);
  const { api_key, base_url = '' } = selection.stored;
  return api_key && readStoredKey(io, nameOf(selection), api_key, base_url);
};

/** Every setting that a command would use, with its source. */
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

type SettingsWithSources = ReturnType<typeof settingsWithSources>;

/** Puts BURSAR_KEY first. A single name there replaces both keys of the profile, several names replace none. */
const withEnvironmentKeys = ({ io }: CommandContext, settings: SettingsWithSources): SettingsWithSources => {
  const names = namesInEnvironment(io);
  if (names.length === 0) return settings;
  const left = names.length === 1 ? settings.filter(({ setting }) => !setting.startsWith('keys.')) : settings;
  return [{ setting: 'keys', value: names.join(','), from: 'BURSAR_KEY' }, ...left];
};

/** Puts BURSAR_JOURNAL in place of the profile's. The value is without a password. Throws `bad_settings`. */
const withEnvironmentJournal = async ({ io }: CommandContext, settings: SettingsWithSources) => {
  const { url = '', source: from = '' } = (await journalName(io)) ?? {};
  if (from !== BURSAR_JOURNAL) return settings;
  const others = settings.filter(({ setting }) => setting !== 'journal');
  return [{ setting: 'journal', value: checkJournalAddress(url, from).where, from }, ...others];
};

/** Checks the key; a rejection also shows the service and the source of the key. */
const check = async (cli: CommandContext, service: Service, facts: Readonly<Record<string, unknown>>) => {
  try {
    await checkKey(cli, service, { data: facts });
  } catch (error) {
    const { profile, kind, baseUrl } = service;
    const { api_key_from: source } = facts;
    const key = typeof source === 'string' ? `the key comes from: ${source}` : 'there is no key for it';
    if (!cli.globals.json) await cli.printNote(`The service is ${profile} (${kind}) at ${baseUrl}; ${key}`);
    throw error;
  }
};

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
    fingerprint: key ? shortFingerprint(key) : null,
  };
  const settings = await withEnvironmentJournal(cli, withEnvironmentKeys(cli, settingsWithSources(selection)));
  if (service) await check(cli, service, { ...facts, settings });
  const answer = { ...facts, key_check: service ? 'accepted' : 'not checked' };
  const rows = Object.fromEntries(settings.map(({ setting, value, from }) => [setting, `${value} (${from})`]));
  await cli.printResult({ ...answer, settings }, { ...answer, ...rows });
};

/** `whoami`. */
export const whoami: Command = {
  words: ['whoami'],
  summary: 'Show the service, profile and API key that commands use, and why',
  about: [
    'Shows the profile, the address, the source of the key, and each setting with its source.',
    'Shows only a fingerprint of the key, and tests the key with a read of the products.',
  ],
  options: [{ flag: '--offline', description: 'Do not call the service' }],
  calls: ['products.list'],
  examples: ['whoami', 'whoami --offline --json', 'whoami --profile sandbox --offline --json --fields profile,kind'],
  run,
};
