import { checkBaseUrl } from '../../client/service.ts';
import type { Profiles } from './profile.ts';
import type { Project } from './project.ts';
import type { Sourced } from './selection.ts';

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
export type Level = {
  readonly by: 'flag' | 'environment' | 'project' | 'active';
  readonly profile: Sourced<string> | undefined;
  readonly baseUrl: Sourced<string> | undefined;
};

const sourced = (value: string | undefined, from: string): Sourced<string> | undefined =>
  value ? { value, from } : undefined;

const sourcedUrl = (value: string | undefined, from: string): Sourced<string> | undefined =>
  value ? { value: checkBaseUrl(value), from } : undefined;

/** A level is read when its turn comes: what is outranked may even be wrong. */
export const LEVELS: readonly ((sources: SelectionSources) => Level)[] = [
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
