import { checkBaseUrl } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { isSamePlace } from '../../core/loopback.ts';
import { nextStep } from '../../core/next.ts';
import { LEVELS, type Level, type Wishes } from './levels.ts';
import { type Profile, SANDBOX, settingsOf } from './profile.ts';
import { repointed } from './refusals.ts';
import type { Beside, Selection, Sourced } from './selection.ts';
import { findProfile } from './store.ts';

const isSameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin;

const hasKey = ({ env }: Wishes): boolean => Boolean(env['BURSAR_API_KEY'] || env['BURSAR_API_KEY_FILE']);

/** A key in the environment belongs to the base URL beside it, and to any where there is none beside it. */
const isKeyFor = (wishes: Wishes, baseUrl: string): boolean => {
  const own = wishes.env['BURSAR_BASE_URL'];
  return hasKey(wishes) && (!own || isSameOrigin(checkBaseUrl(own), baseUrl));
};

const overlaid = (wishes: Wishes, profile: Profile) => {
  const { public_client_id, webhook_url } = wishes.project ?? {};
  const settings = settingsOf(profile);
  return {
    settings: { ...settings, ...(public_client_id && { public_client_id }), ...(webhook_url && { webhook_url }) },
    project: wishes.project,
    stored: profile,
  };
};

const sandboxIn = (wishes: Wishes, { by }: Pick<Level, 'by'>, profile: Sourced<string>): Selection => {
  const isKeyed = hasKey(wishes) && by !== 'flag';
  if (isKeyed && by !== 'environment') return { as: 'nothing', why: 'no address', ...overlaid(wishes, {}) };
  const stored = findProfile(wishes.profiles, SANDBOX);
  return { as: 'sandbox', profile, key: isKeyed ? 'environment' : 'own', ...overlaid(wishes, stored) };
};

const named = (wishes: Wishes, profile: Sourced<string>, level: Level): Selection => {
  const stored = findProfile(wishes.profiles, profile.value);
  const own = checkBaseUrl(stored.base_url ?? '');
  const baseUrl = level.baseUrl ?? { value: own, from: `profile ${profile.value}` };
  const key = isKeyFor(wishes, baseUrl.value) ? 'environment' : stored.api_key ? 'stored' : 'none';
  if (!isSameOrigin(own, baseUrl.value)) {
    if (key === 'stored') throw repointed(profile.value, own, baseUrl);
    // A project's folder is not where a policy is lost: its settings hold for that address too.
    if (level.by !== 'project') throw contradiction(profile.value, baseUrl.value);
  }
  return { as: 'named', profile, baseUrl, key, ...overlaid(wishes, stored) };
};

const contradiction = (profile: string, baseUrl: string): Failure =>
  new Failure('bad_settings', `the profile "${profile}" and the base URL ${baseUrl} contradict each other`, {
    hint: 'Give one of them.',
    next: nextStep('profile.list'),
  });

/** A key in the environment belongs to the base URL beside it: an option must not carry it to another host. */
const assertSameService = (wishes: Wishes, baseUrl: Sourced<string>): void => {
  if (!hasKey(wishes) || isKeyFor(wishes, baseUrl.value)) return;
  const own = wishes.env['BURSAR_BASE_URL'];
  throw new Failure(
    'bad_settings',
    `the API key in the environment is for ${own}, and ${baseUrl.from} names ${baseUrl.value}`,
    { hint: 'Set BURSAR_BASE_URL and the key of the service you mean.', next: nextStep('profile.list') },
  );
};

/** An address alone: that of the profile which is next in turn, or of a service without a profile. */
const addressed = (wishes: Wishes, level: Level, baseUrl: Sourced<string>, lower: readonly Level[]): Selection => {
  const profile = lower.find((each) => each.profile)?.profile;
  const stored = profile && profile.value !== SANDBOX ? wishes.profiles.profiles[profile.value] : undefined;
  if (profile && stored?.base_url) {
    const isSame = isSameOrigin(checkBaseUrl(stored.base_url), baseUrl.value);
    if (isSame || level.by === 'project' || (stored.api_key && !hasKey(wishes))) return named(wishes, profile, level);
  }
  assertSameService(wishes, baseUrl);
  return { as: 'unnamed', baseUrl, key: hasKey(wishes) ? 'environment' : 'none', ...overlaid(wishes, {}) };
};

/** Whether nothing but a project file says where a key of the user would go. */
const isOfProjectAlone = ({ project, profiles }: Wishes, selection: Selection): boolean => {
  if (selection.as !== 'named' && selection.as !== 'unnamed') return false;
  const { baseUrl, key } = selection;
  if (key === 'none' || project === undefined || baseUrl.from !== project.path) return false;
  const own = Object.values(profiles.profiles).flatMap(({ base_url }) => base_url ?? []);
  return !own.some((each) => isSameOrigin(checkBaseUrl(each), baseUrl.value));
};

/**
 * Profiles whose limits hold beside those of the profile in use: every profile whose service an address without a profile
 * names, however the address is spelled; and the user's default profile, where a project file has chosen another.
 */
const profilesBeside = ({ project, profiles }: Wishes, selection: Selection): readonly Beside[] => {
  const named = 'profile' in selection ? selection.profile.value : undefined;
  const address = selection.as === 'unnamed' ? selection.baseUrl.value : undefined;
  const said = 'profile' in selection ? selection.profile.from : 'baseUrl' in selection ? selection.baseUrl.from : '';
  const usual = project !== undefined && said === project.path ? profiles.active : undefined;
  return Object.entries(profiles.profiles).flatMap(([name, { base_url: baseUrl = '', policy, type_amount_above }]) => {
    const isOfService = address !== undefined && isSamePlace(baseUrl, address);
    const holds = name !== named && (isOfService || name === usual);
    return holds ? [{ name, baseUrl, policy, type_amount_above }] : [];
  });
};

/**
 * Which service a command is about: the flag, then the environment, then the project file, then the profile in use,
 * then, for a person at a terminal, the sandbox. A source that names a profile or an address outranks all that those
 * below it say of either. Throws `bad_settings` where two of them contradict each other, or where a stored key would
 * go to another host.
 */
export const select = (wishes: Wishes): Selection => {
  const selection = chosen(wishes);
  const isUnconfirmed = isOfProjectAlone(wishes, selection);
  return { ...selection, beside: profilesBeside(wishes, selection), ...(isUnconfirmed && { isUnconfirmed }) };
};

const chosen = (wishes: Wishes): Selection => {
  for (const [at, read] of LEVELS.entries()) {
    const level = read(wishes);
    const { profile, baseUrl } = level;
    if (profile?.value === SANDBOX) {
      if (baseUrl) throw contradiction(SANDBOX, baseUrl.value);
      // A pipeline in the folder of a project has not asked for the sandbox by itself.
      if (level.by === 'project' && !wishes.isAttended) {
        return { as: 'nothing', why: 'not asked for', ...overlaid(wishes, {}) };
      }
      return sandboxIn(wishes, level, profile);
    }
    if (profile) return named(wishes, profile, level);
    if (baseUrl)
      return addressed(
        wishes,
        level,
        baseUrl,
        LEVELS.slice(at + 1).map((lower) => lower(wishes)),
      );
  }
  if (hasKey(wishes)) return { as: 'nothing', why: 'no address', ...overlaid(wishes, {}) };
  if (!wishes.isAttended) return { as: 'nothing', why: 'not asked for', ...overlaid(wishes, {}) };
  return sandboxIn(wishes, { by: 'flag' }, { value: SANDBOX, from: 'default' });
};
