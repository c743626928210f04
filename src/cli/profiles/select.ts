import { checkBaseUrl } from '../../client/envelope.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isSamePlace } from '../../core/web-address.ts';
import { type Profile, type Profiles, SANDBOX, settingsOf } from './profile.ts';
import type { Project, Selection, SourcedValue } from './selection.ts';
import { findProfile } from './store.ts';

const isSameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin;

const hasKey = ({ env }: SelectionSources): boolean => Boolean(env['BURSAR_API_KEY'] || env['BURSAR_API_KEY_FILE']);

/** Whether the environment has a key for this address. Without BURSAR_BASE_URL its key is for any address. */
const isKeyFor = (sources: SelectionSources, baseUrl: string): boolean => {
  const own = sources.env['BURSAR_BASE_URL'];
  return hasKey(sources) && (!own || isSameOrigin(checkBaseUrl(own), baseUrl));
};

const withProjectSettings = (sources: SelectionSources, profile: Profile) => {
  const { public_client_id, webhook_url } = sources.project ?? {};
  const settings = settingsOf(profile);
  return {
    settings: { ...settings, ...(public_client_id && { public_client_id }), ...(webhook_url && { webhook_url }) },
    project: sources.project,
    stored: profile,
  };
};

const selectSandbox = (
  sources: SelectionSources,
  { by }: Pick<SettingsLevel, 'by'>,
  profile: SourcedValue<string>,
): Selection => {
  const isKeyed = hasKey(sources) && by !== 'flag';
  if (isKeyed && by !== 'environment') return { as: 'nothing', why: 'no address', ...withProjectSettings(sources, {}) };
  const stored = findProfile(sources.profiles, SANDBOX);
  return { as: 'sandbox', profile, key: isKeyed ? 'environment' : 'own', ...withProjectSettings(sources, stored) };
};

const selectNamed = (sources: SelectionSources, profile: SourcedValue<string>, level: SettingsLevel): Selection => {
  const stored = findProfile(sources.profiles, profile.value, nextStep('login.new', profile.value));
  const own = checkBaseUrl(stored.base_url ?? '');
  const baseUrl = level.baseUrl ?? { value: own, from: `profile ${profile.value}` };
  const key = isKeyFor(sources, baseUrl.value) ? 'environment' : stored.api_key ? 'stored' : 'none';
  if (!isSameOrigin(own, baseUrl.value)) {
    if (key === 'stored') throw keyForOtherHost(profile.value, own, baseUrl);
    // With the address of a project file the profile's policy still applies.
    if (level.by !== 'project') throw contradiction(profile.value, baseUrl.value);
  }
  return { as: 'named', profile, baseUrl, key, ...withProjectSettings(sources, stored) };
};

const contradiction = (profile: string, baseUrl: string): Failure =>
  new Failure('bad_settings', `the profile "${profile}" and the base URL ${baseUrl} contradict each other`, {
    hint: 'Give only one of the two.',
    next: nextStep('profile.list'),
  });

/** Throws `bad_settings` if an option would send the environment's key to another host than BURSAR_BASE_URL. */
const assertSameService = (sources: SelectionSources, baseUrl: SourcedValue<string>): void => {
  if (!hasKey(sources) || isKeyFor(sources, baseUrl.value)) return;
  const own = sources.env['BURSAR_BASE_URL'];
  const message = `the API key in the environment is for ${own}, but ${baseUrl.from} names ${baseUrl.value}`;
  throw new Failure('bad_settings', message, {
    hint: 'Set BURSAR_BASE_URL and the API key for the same service.',
    next: nextStep('profile.list'),
  });
};

/** Selects by an address without a profile: the next profile with the same address, or an unnamed service. */
const selectAddress = (
  sources: SelectionSources,
  level: SettingsLevel,
  baseUrl: SourcedValue<string>,
  lower: typeof LEVELS,
): Selection => {
  const profile = lower.map((each) => each(sources).profile).find(Boolean);
  const stored = profile && profile.value !== SANDBOX ? sources.profiles.profiles[profile.value] : undefined;
  if (profile && stored?.base_url) {
    const isSame = isSameOrigin(checkBaseUrl(stored.base_url), baseUrl.value);
    if (isSame || level.by === 'project' || (stored.api_key && !hasKey(sources)))
      return selectNamed(sources, profile, level);
  }
  assertSameService(sources, baseUrl);
  return { as: 'unnamed', baseUrl, key: hasKey(sources) ? 'environment' : 'none', ...withProjectSettings(sources, {}) };
};

/** Whether only a project file names the address that would receive the user's key. */
const isProjectAddressOnly = ({ project, profiles }: SelectionSources, selection: Selection): boolean => {
  if (selection.as !== 'named' && selection.as !== 'unnamed') return false;
  const { baseUrl, key } = selection;
  if (key === 'none' || project === undefined || baseUrl.from !== project.path) return false;
  const own = Object.values(profiles.profiles).flatMap(({ base_url }) => base_url ?? []);
  return !own.some((each) => isSameOrigin(checkBaseUrl(each), baseUrl.value));
};

/**
 * Throws `bad_settings` if a project file names another path on the server of the user's profiles. The journal would take its
 * operations for those of another service, and a repeated payment for a new one.
 */
const assertOwnPath = ({ project, profiles }: SelectionSources, selection: Selection): void => {
  if (!('baseUrl' in selection) || project === undefined || selection.baseUrl.from !== project.path) return;
  const { value } = selection.baseUrl;
  const chosen = selection.as === 'named' ? profiles.profiles[selection.profile.value] : undefined;
  const all = chosen ? [chosen] : Object.values(profiles.profiles);
  const own = all.flatMap(({ base_url }) => (base_url ? [checkBaseUrl(base_url)] : []));
  const ofServer = own.filter((each) => isSamePlace(each, value));
  if (ofServer.length === 0 || ofServer.includes(value)) return;
  throw new Failure('bad_settings', `${project.path} names ${value}, and your profile names ${ofServer.join(' or ')}`, {
    hint: 'A project file cannot choose another path on a server of yours. --base-url can.',
    next: nextStep('profile.list'),
  });
};

/**
 * The further profiles whose limits apply. For an address without a profile: every profile of the same service, however
 * the address is spelled. The user's default profile applies too if a project file chose the profile or address, or if no
 * service is selected. With `isOffline` (bytes that are signed without a service) it always applies.
 */
const furtherLimitsOf = ({ project, profiles }: SelectionSources, selection: Selection, isOffline = false) => {
  const selectNamed = 'profile' in selection ? selection.profile.value : undefined;
  const address = selection.as === 'unnamed' ? selection.baseUrl.value : undefined;
  const source = 'profile' in selection ? selection.profile.from : 'baseUrl' in selection ? selection.baseUrl.from : '';
  const isOfProject = project !== undefined && source === project.path;
  const usual = isOfProject || isOffline || selection.as === 'nothing' ? profiles.active : undefined;
  return Object.entries(profiles.profiles).flatMap(([name, { base_url: baseUrl = '', policy, type_amount_above }]) => {
    const isOfService = address !== undefined && isSamePlace(baseUrl, address);
    const applies = name !== selectNamed && (isOfService || name === usual);
    return applies ? [{ name, baseUrl, policy, type_amount_above }] : [];
  });
};

/** The profile of the selected service that names another journal. */
const otherJournalOf = ({ profiles }: SelectionSources, selection: Selection): string | undefined => {
  if (!('baseUrl' in selection)) return undefined;
  const { baseUrl, stored } = selection;
  const isOther = ({ base_url: own, journal }: Profile): boolean =>
    journal !== undefined && journal !== stored.journal && own !== undefined && isSamePlace(own, baseUrl.value);
  return Object.entries(profiles.profiles).find(([, profile]) => isOther(profile))?.[0];
};

/**
 * Selects the service of a command. The order is: flags, environment, project file, active profile, and on a terminal the
 * sandbox. The first source with a profile or an address decides about both. Throws `bad_settings` if a profile and an
 * address contradict each other, or if a stored key would go to another host.
 */
export const select = (sources: SelectionSources): Selection => {
  const selection = selectByLevel(sources);
  const isUnconfirmed = isProjectAddressOnly(sources, selection);
  const otherJournal = otherJournalOf(sources, selection);
  assertOwnPath(sources, selection);
  // The sandbox, where the user named it, signs for its own chains alone: the default profile limits nothing there.
  const isOffline = selection.as !== 'sandbox' && sources.profiles.active !== SANDBOX;
  return {
    ...selection,
    furtherLimits: furtherLimitsOf(sources, selection),
    offlineLimits: furtherLimitsOf(sources, selection, isOffline),
    ...(isUnconfirmed && { isUnconfirmed }),
    ...(otherJournal !== undefined && { otherJournal }),
  };
};

const selectByLevel = (sources: SelectionSources): Selection => {
  for (const [at, read] of LEVELS.entries()) {
    const level = read(sources);
    const { profile, baseUrl } = level;
    if (profile?.value === SANDBOX) {
      if (baseUrl) throw contradiction(SANDBOX, baseUrl.value);
      // A project file alone does not select the sandbox in a pipeline.
      if (level.by === 'project' && !sources.isAttended) {
        return { as: 'nothing', why: 'not requested', ...withProjectSettings(sources, {}) };
      }
      return selectSandbox(sources, level, profile);
    }
    if (profile) return selectNamed(sources, profile, level);
    const lower = LEVELS.slice(at + 1);
    if (baseUrl) return selectAddress(sources, level, baseUrl, lower);
  }
  if (hasKey(sources)) return { as: 'nothing', why: 'no address', ...withProjectSettings(sources, {}) };
  if (!sources.isAttended) return { as: 'nothing', why: 'not requested', ...withProjectSettings(sources, {}) };
  return selectSandbox(sources, { by: 'flag' }, { value: SANDBOX, from: 'default' });
};

/** The sources that select the service of a command. */
export type SelectionSources = {
  readonly flags: { readonly profile?: string | undefined; readonly baseUrl?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: Project | undefined;
  readonly profiles: Profiles;
  /** A user is at a terminal, where the sandbox is the default. */
  readonly isAttended: boolean;
};

type ValueAndSource = readonly [value: string | undefined, from: string | undefined];

type LevelName = 'flag' | 'environment' | 'project' | 'active';

/** The selection from one source: a profile, an address, or both. */
const levelOf = (by: LevelName, [profile, from = '']: ValueAndSource, [baseUrl, ofUrl = '']: ValueAndSource) => ({
  by,
  profile: profile ? { value: profile, from } : undefined,
  baseUrl: baseUrl ? { value: checkBaseUrl(baseUrl), from: ofUrl } : undefined,
});

type SettingsLevel = ReturnType<typeof levelOf>;

/** The sources in order. A later source is read only if needed, so that its mistakes do no harm before. */
const LEVELS: readonly ((sources: SelectionSources) => SettingsLevel)[] = [
  ({ flags }) => levelOf('flag', [flags.profile, '--profile'], [flags.baseUrl, '--base-url']),
  ({ env: { BURSAR_PROFILE: profile, BURSAR_BASE_URL: baseUrl } }) =>
    levelOf('environment', [profile, 'BURSAR_PROFILE'], [baseUrl, 'BURSAR_BASE_URL']),
  ({ project }) => levelOf('project', [project?.profile, project?.path], [project?.base_url, project?.path]),
  ({ profiles }) => levelOf('active', [profiles.active, 'profile use'], [undefined, undefined]),
];

const missingBaseUrl = (): Failure =>
  new Failure('bad_settings', 'there is an API key but no base URL', {
    hint: 'Set BURSAR_BASE_URL, or give --base-url.',
    next: nextStep('login'),
  });

/** The failure for an address that is not the host of the profile's stored key. */
export const keyForOtherHost = (profile: string, own: string, { value, from }: SourcedValue<string>): Failure => {
  const message = `the API key of the profile "${profile}" is for ${new URL(own).origin}, but ${from} names ${value}`;
  return new Failure('bad_settings', message, {
    hint: 'A stored key is sent only to its own service. Remove the other address, or store a key for it.',
    next: nextStep('login.profile', new URL(value).hostname, value),
  });
};

/** The failure for an address that only a project file names. */
export const unconfirmedAddress = ({ value, from }: SourcedValue<string>): Failure =>
  new Failure('bad_settings', `${from} names the service ${value}, but none of your profiles does`, {
    hint: `Nothing was sent: an API key is sent only to an address of your own settings. If you trust this address, set BURSAR_BASE_URL=${value} to confirm.`,
    // The address is not the user's: no command for pasting may send a key there.
    next: nextStep('whoami'),
  });

const noServiceChosen = ({ project }: Pick<Selection, 'project'>): Failure =>
  new Failure('no_api_key', 'no service is selected and there is no API key', {
    hint: `${project?.profile === SANDBOX ? `${project.path} names the sandbox, but a project file alone does not select it in a pipeline. ` : ''}Log in, set BURSAR_BASE_URL and BURSAR_API_KEY, or use --profile sandbox. Without a terminal the sandbox is never the default: a pipeline without its secrets must fail.`,
    next: nextStep('login'),
  });

/** The failure without a service: there is a key without an address, or neither. */
export const noService = (selection: Extract<Selection, { as: 'nothing' }>): Failure =>
  selection.why === 'no address' ? missingBaseUrl() : noServiceChosen(selection);
