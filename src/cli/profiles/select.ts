import { checkBaseUrl } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isSamePlace } from '../../core/web-address.ts';
import { type Profile, type Profiles, SANDBOX, settingsOf } from './profile.ts';
import type { Project } from './project.ts';
import type { ProfileLimits, Selection, SourcedValue } from './selection.ts';
import { findProfile } from './store.ts';

const isSameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin;

const hasKey = ({ env }: SelectionSources): boolean => Boolean(env['BURSAR_API_KEY'] || env['BURSAR_API_KEY_FILE']);

/** A key in the environment belongs to the base URL beside it, and to any where there is none beside it. */
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
  const stored = findProfile(sources.profiles, profile.value);
  const own = checkBaseUrl(stored.base_url ?? '');
  const baseUrl = level.baseUrl ?? { value: own, from: `profile ${profile.value}` };
  const key = isKeyFor(sources, baseUrl.value) ? 'environment' : stored.api_key ? 'stored' : 'none';
  if (!isSameOrigin(own, baseUrl.value)) {
    if (key === 'stored') throw keyForOtherHost(profile.value, own, baseUrl);
    // A project's folder is not where a policy is lost: its settings hold for that address too.
    if (level.by !== 'project') throw contradiction(profile.value, baseUrl.value);
  }
  return { as: 'named', profile, baseUrl, key, ...withProjectSettings(sources, stored) };
};

const contradiction = (profile: string, baseUrl: string): Failure =>
  new Failure('bad_settings', `the profile "${profile}" and the base URL ${baseUrl} contradict each other`, {
    hint: 'Give one of them.',
    next: nextStep('profile.list'),
  });

/** A key in the environment belongs to the base URL beside it: an option must not carry it to another host. */
const assertSameService = (sources: SelectionSources, baseUrl: SourcedValue<string>): void => {
  if (!hasKey(sources) || isKeyFor(sources, baseUrl.value)) return;
  const own = sources.env['BURSAR_BASE_URL'];
  throw new Failure(
    'bad_settings',
    `the API key in the environment is for ${own}, and ${baseUrl.from} names ${baseUrl.value}`,
    { hint: 'Set BURSAR_BASE_URL and the key of the service you mean.', next: nextStep('profile.list') },
  );
};

/** An address alone: that of the profile which is next in turn, or of a service without a profile. */
const selectAddress = (
  sources: SelectionSources,
  level: SettingsLevel,
  baseUrl: SourcedValue<string>,
  lower: readonly SettingsLevel[],
): Selection => {
  const profile = lower.find((each) => each.profile)?.profile;
  const stored = profile && profile.value !== SANDBOX ? sources.profiles.profiles[profile.value] : undefined;
  if (profile && stored?.base_url) {
    const isSame = isSameOrigin(checkBaseUrl(stored.base_url), baseUrl.value);
    if (isSame || level.by === 'project' || (stored.api_key && !hasKey(sources)))
      return selectNamed(sources, profile, level);
  }
  assertSameService(sources, baseUrl);
  return { as: 'unnamed', baseUrl, key: hasKey(sources) ? 'environment' : 'none', ...withProjectSettings(sources, {}) };
};

/** Whether nothing but a project file says where a key of the user would go. */
const isProjectAddressOnly = ({ project, profiles }: SelectionSources, selection: Selection): boolean => {
  if (selection.as !== 'named' && selection.as !== 'unnamed') return false;
  const { baseUrl, key } = selection;
  if (key === 'none' || project === undefined || baseUrl.from !== project.path) return false;
  const own = Object.values(profiles.profiles).flatMap(({ base_url }) => base_url ?? []);
  return !own.some((each) => isSameOrigin(checkBaseUrl(each), baseUrl.value));
};

/**
 * Profiles whose limits hold beside those of the profile in use: every profile whose service an address without a profile
 * names, however the address is spelled; and the user's default profile, where a project file has chosen another, where
 * no service is left, or where bytes are signed without a service (`isOffline`).
 */
const furtherLimitsOf = (
  { project, profiles }: SelectionSources,
  selection: Selection,
  isOffline = false,
): readonly ProfileLimits[] => {
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

/**
 * Which service a command is about: the flag, then the environment, then the project file, then the profile in use,
 * then, for a person at a terminal, the sandbox. A source that names a profile or an address outranks all that those
 * below it say of either. Throws `bad_settings` where two of them contradict each other, or where a stored key would
 * go to another host.
 */
export const select = (sources: SelectionSources): Selection => {
  const selection = selectByLevel(sources);
  const isUnconfirmed = isProjectAddressOnly(sources, selection);
  // The sandbox, where the user named it, signs for its own chains alone: the default profile limits nothing there.
  const isOffline = selection.as !== 'sandbox' && sources.profiles.active !== SANDBOX;
  return {
    ...selection,
    furtherLimits: furtherLimitsOf(sources, selection),
    offlineLimits: furtherLimitsOf(sources, selection, isOffline),
    ...(isUnconfirmed && { isUnconfirmed }),
  };
};

const selectByLevel = (sources: SelectionSources): Selection => {
  for (const [at, read] of LEVELS.entries()) {
    const level = read(sources);
    const { profile, baseUrl } = level;
    if (profile?.value === SANDBOX) {
      if (baseUrl) throw contradiction(SANDBOX, baseUrl.value);
      // A pipeline in the folder of a project has not asked for the sandbox by itself.
      if (level.by === 'project' && !sources.isAttended) {
        return { as: 'nothing', why: 'not asked for', ...withProjectSettings(sources, {}) };
      }
      return selectSandbox(sources, level, profile);
    }
    if (profile) return selectNamed(sources, profile, level);
    if (baseUrl)
      return selectAddress(
        sources,
        level,
        baseUrl,
        LEVELS.slice(at + 1).map((lower) => lower(sources)),
      );
  }
  if (hasKey(sources)) return { as: 'nothing', why: 'no address', ...withProjectSettings(sources, {}) };
  if (!sources.isAttended) return { as: 'nothing', why: 'not asked for', ...withProjectSettings(sources, {}) };
  return selectSandbox(sources, { by: 'flag' }, { value: SANDBOX, from: 'default' });
};

/** All that says which service a command is about. */
export type SelectionSources = {
  readonly flags: { readonly profile?: string | undefined; readonly baseUrl?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: Project | undefined;
  readonly profiles: Profiles;
  /** A person at a terminal may be given the sandbox where nothing is configured. */
  readonly isAttended: boolean;
};

/** What one source says of the service: a profile, an address, or both. */
type SettingsLevel = {
  readonly by: 'flag' | 'environment' | 'project' | 'active';
  readonly profile: SourcedValue<string> | undefined;
  readonly baseUrl: SourcedValue<string> | undefined;
};

const sourced = (value: string | undefined, from: string): SourcedValue<string> | undefined =>
  value ? { value, from } : undefined;

const sourcedUrl = (value: string | undefined, from: string): SourcedValue<string> | undefined =>
  value ? { value: checkBaseUrl(value), from } : undefined;

/** A level is read when its turn comes: what is outranked may even be wrong. */
const LEVELS: readonly ((sources: SelectionSources) => SettingsLevel)[] = [
  ({ flags }) => ({
    by: 'flag',
    profile: sourced(flags.profile, '--profile'),
    baseUrl: sourcedUrl(flags.baseUrl, '--base-url'),
  }),
  ({ env }) => ({
    by: 'environment',
    profile: sourced(env['BURSAR_PROFILE'], 'BURSAR_PROFILE'),
    baseUrl: sourcedUrl(env['BURSAR_BASE_URL'], 'BURSAR_BASE_URL'),
  }),
  ({ project }) => ({
    by: 'project',
    profile: sourced(project?.profile, project?.path ?? ''),
    baseUrl: sourcedUrl(project?.base_url, project?.path ?? ''),
  }),
  ({ profiles }) => ({ by: 'active', profile: sourced(profiles.active, 'profile use'), baseUrl: undefined }),
];

const missingBaseUrl = (): Failure =>
  new Failure('bad_settings', 'there is an API key, and no base URL to use it with', {
    hint: 'Set BURSAR_BASE_URL, or give --base-url.',
    next: nextStep('whoami'),
  });

/** What is said of an address that a stored key is not for. */
export const keyForOtherHost = (profile: string, own: string, { value, from }: SourcedValue<string>): Failure =>
  new Failure(
    'bad_settings',
    `the API key of the profile "${profile}" is for ${new URL(own).origin}, and ${from} names ${value}`,
    {
      hint: 'A stored key is sent to the service that it was stored for, and to no other. Leave the other address out, or store a key for it.',
      next: nextStep('login.profile', new URL(value).hostname, value),
    },
  );

/** What is said where only a file in the folder of a project names the address that a key would go to. */
export const unconfirmedAddress = ({ value, from }: SourcedValue<string>): Failure =>
  new Failure('bad_settings', `${from} names the service ${value}, and none of your profiles does`, {
    hint: `Nothing was sent: an API key goes only to an address of your own settings. If you trust it, set BURSAR_BASE_URL=${value} to confirm.`,
    // Its address is somebody else's word: no command that is pasted sends a key there.
    next: nextStep('whoami'),
  });

const noServiceChosen = ({ project }: Pick<Selection, 'project'>): Failure =>
  new Failure('no_api_key', 'no service was chosen, and there is no API key', {
    hint: `${project?.profile === SANDBOX ? `${project.path} names the sandbox, and a project file does not ask for it. ` : ''}Without a person at a terminal the sandbox must be asked for: a pipeline whose secrets are missing must not pass on a toy. Log in, set BURSAR_BASE_URL and BURSAR_API_KEY, or use --profile sandbox.`,
    next: nextStep('login'),
  });

/** Why there is no service: there is a key without an address, or nothing at all. */
export const noService = (selection: Extract<Selection, { as: 'nothing' }>): Failure =>
  selection.why === 'no address' ? missingBaseUrl() : noServiceChosen(selection);
