import { describe, expect, it } from 'vitest';
import type { Profiles } from '../../../src/cli/profiles/profile.ts';
import { type SelectionSources, select } from '../../../src/cli/profiles/select.ts';
import type { Project } from '../../../src/cli/profiles/selection.ts';

const KEPT = { in: 'keyring', id: '0123456789abcdef' } as const;
const PROFILES: Profiles = {
  profiles: {
    prod: { base_url: 'https://prod.example/api', api_key: KEPT, keys: { evm: 'treasury' } },
    open: { base_url: 'https://open.example' },
    sandbox: { keys: { evm: 'toy' } },
  },
};

type Given = Partial<Omit<SelectionSources, 'project' | 'profiles'>> & {
  readonly project?: Omit<Project, 'path'>;
  readonly active?: string;
};

const selected = ({ project, active, ...rest }: Given) =>
  select({
    flags: {},
    env: {},
    isAttended: false,
    project: project && { path: '/project/bursar.json', ...project },
    profiles: { ...PROFILES, active },
    ...rest,
  });

/** The selection in one line: kind, profile, address and key, each with its source. */
const inShort = (given: Given): string => {
  try {
    const one = selected(given);
    const profile = 'profile' in one ? ` ${one.profile.value} by ${one.profile.from}` : '';
    const url = 'baseUrl' in one ? ` at ${one.baseUrl.value} by ${one.baseUrl.from}` : '';
    if (one.as === 'nothing') return `nothing for ${one.why}`;
    return `${one.as}${profile}${url}${'key' in one ? `, key ${one.key}` : ''}`;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};

const KEY = { BURSAR_API_KEY: 'k' };
const LIVE = { BURSAR_BASE_URL: 'https://other.example', ...KEY };

const CASES: readonly (readonly [string, Given, string | RegExp])[] = [
  ['nothing', {}, 'nothing for not requested'],
  ['a key alone', { env: KEY, isAttended: true }, 'nothing for no address'],
  ['a terminal and nothing else', { isAttended: true }, 'sandbox sandbox by default, key own'],
  [
    'a profile in use',
    { active: 'prod' },
    'named prod by profile use at https://prod.example/api by profile prod, key stored',
  ],
  [
    'a project over the profile in use',
    { active: 'open', project: { profile: 'prod' } },
    'named prod by /project/bursar.json at https://prod.example/api by profile prod, key stored',
  ],
  [
    'the environment over a project',
    { env: { BURSAR_PROFILE: 'open' }, project: { profile: 'prod' } },
    'named open by BURSAR_PROFILE at https://open.example by profile open, key none',
  ],
  [
    'a flag over the environment',
    { flags: { profile: 'prod' }, env: { BURSAR_PROFILE: 'open' } },
    'named prod by --profile at https://prod.example/api by profile prod, key stored',
  ],
  [
    'a key of the environment over the stored one',
    { active: 'prod', env: KEY },
    'named prod by profile use at https://prod.example/api by profile prod, key environment',
  ],
  [
    'a key of the environment that is for another service beside a named profile',
    { flags: { profile: 'prod' }, env: LIVE },
    'named prod by --profile at https://prod.example/api by profile prod, key stored',
  ],
  [
    'the service of the environment over the profile in use',
    { active: 'prod', env: LIVE },
    'unnamed at https://other.example by BURSAR_BASE_URL, key environment',
  ],
  [
    'the sandbox by a flag, with any other source',
    { flags: { profile: 'sandbox' }, env: LIVE },
    'sandbox sandbox by --profile, key own',
  ],
  [
    'another tenant of the sandbox',
    { env: { BURSAR_PROFILE: 'sandbox', ...KEY } },
    'sandbox sandbox by BURSAR_PROFILE, key environment',
  ],
  ['a live key while the sandbox is in use', { active: 'sandbox', env: KEY }, 'nothing for no address'],
  ['an address beside the sandbox', { env: { ...LIVE, BURSAR_PROFILE: 'sandbox' } }, /^refused: .*contradict/],
  [
    'an address beside a profile',
    { flags: { profile: 'open', baseUrl: 'https://x.example' } },
    /^refused: .*contradict/,
  ],
  [
    'the same host beside a profile',
    { flags: { profile: 'prod', baseUrl: 'https://prod.example/v2/' } },
    'named prod by --profile at https://prod.example/v2 by --base-url, key stored',
  ],
  [
    'a flag that repoints a stored key',
    { active: 'prod', flags: { baseUrl: 'https://x.example' } },
    /^refused: .*for https:\/\/prod.example, but --base-url/,
  ],
  [
    'an environment that repoints it',
    { active: 'prod', env: { BURSAR_BASE_URL: 'https://x.example' } },
    /^refused: .*BURSAR_BASE_URL names/,
  ],
  [
    'a project that repoints it',
    { active: 'prod', project: { base_url: 'https://x.example' } },
    /^refused: .*\/project\/bursar.json names/,
  ],
  [
    'a project that repoints it by name',
    { project: { profile: 'prod', base_url: 'https://x.example' } },
    /^refused: .*bursar.json names/,
  ],
  [
    'a project that names another path of its server',
    { active: 'prod', project: { base_url: 'https://prod.example/v2' } },
    /^refused: .*bursar.json names https:\/\/prod.example\/v2, and your profile names https:\/\/prod.example/,
  ],
  [
    'a project that names it by another path, in the profile',
    { project: { profile: 'prod', base_url: 'https://prod.example./other' } },
    /^refused: .*bursar.json names https:\/\/prod.example\/other/,
  ],
  [
    'a project that names the path of another profile',
    { project: { profile: 'prod', base_url: 'https://prod.example/staging' } },
    /^refused: .*bursar.json names/,
  ],
  ['another scheme is another host', { active: 'prod', project: { base_url: 'http://127.0.0.1:1' } }, /^refused/],
  [
    'a project of a profile without a stored key',
    { active: 'open', project: { base_url: 'https://x.example' }, env: KEY },
    'named open by profile use at https://x.example by /project/bursar.json, key environment',
  ],
  [
    'a flag for another service, with its key',
    { active: 'prod', flags: { baseUrl: 'https://x.example' }, env: KEY },
    'unnamed at https://x.example by --base-url, key environment',
  ],
  [
    'a flag that carries the key of the environment elsewhere',
    { flags: { baseUrl: 'https://x.example' }, env: LIVE },
    /^refused: the API key in the environment is for https:\/\/other.example/,
  ],
  [
    'the sandbox by a project, for a pipeline, also beside a profile in use',
    { active: 'prod', project: { profile: 'sandbox' } },
    'nothing for not requested',
  ],
  [
    'the sandbox by a project, at a terminal',
    { project: { profile: 'sandbox' }, isAttended: true },
    'sandbox sandbox by /project/bursar.json, key own',
  ],
  ['an unknown profile', { flags: { profile: 'prodd' } }, 'refused: there is no profile "prodd"'],
  ['a profile in use that is gone', { active: 'gone' }, 'refused: there is no profile "gone"'],
  ['a name of every object', { flags: { profile: 'constructor' } }, 'refused: there is no profile "constructor"'],
  [
    'empty variables',
    { env: { BURSAR_PROFILE: '', BURSAR_BASE_URL: '', BURSAR_API_KEY: '' } },
    'nothing for not requested',
  ],
];

describe('the service of a command', () => {
  it.each(CASES)('%s', (_, given, expected) => {
    if (typeof expected === 'string') expect(inShort(given)).toBe(expected);
    else expect(inShort(given)).toMatch(expected);
  });
});

describe('an address that only a project file names', () => {
  const isUnconfirmed = (given: Given) => selected(given).isUnconfirmed === true;
  const project = { base_url: 'https://x.example' };

  it('gets no key of the user, unless a profile, a variable or an option names the address too', () => {
    expect(isUnconfirmed({ project, env: KEY })).toBe(true);
    expect(isUnconfirmed({ project, env: { BURSAR_API_KEY_FILE: 'key' } })).toBe(true);
    expect(isUnconfirmed({ project, active: 'open', env: KEY })).toBe(true);
    expect(isUnconfirmed({ project: { ...project, profile: 'open' }, env: KEY })).toBe(true);
    expect(isUnconfirmed({ project }), 'there is no key').toBe(false);
    expect(
      isUnconfirmed({ project: { base_url: 'https://prod.example/api' }, env: KEY }),
      'the address of a profile',
    ).toBe(false);
    expect(isUnconfirmed({ project, env: { ...KEY, BURSAR_BASE_URL: 'https://x.example' } })).toBe(false);
    expect(isUnconfirmed({ project, flags: { baseUrl: 'https://x.example' }, env: KEY })).toBe(false);
  });
});

describe('profiles whose limits apply besides the profile in use', () => {
  const policy = { chains: ['base'] };
  const profiles: Profiles = {
    active: 'usual',
    profiles: {
      usual: { base_url: 'https://usual.example', policy },
      local: { base_url: 'http://127.0.0.1:8080', policy },
      bare: { base_url: 'https://bare.example' },
    },
  };
  const beside = (given: Partial<SelectionSources>) =>
    select({ flags: {}, env: {}, isAttended: false, project: undefined, profiles, ...given }).furtherLimits?.map(
      ({ name }) => name,
    );

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080/', 'http://[::1]:8080/v1'])(
    'are the profiles of the service at %s',
    (baseUrl) => {
      expect(beside({ flags: { baseUrl }, env: KEY })).toEqual(['local']);
      expect(beside({ env: { ...KEY, BURSAR_BASE_URL: baseUrl } })).toEqual(['local']);
    },
  );

  it.each(['https://usual.example./', 'https://USUAL.example//'])(
    'another spelling of the address, %s, selects the profile',
    (url) => {
      const sources = { flags: { baseUrl: url }, env: KEY, isAttended: false, project: undefined, profiles };
      expect(select(sources)).toMatchObject({ as: 'named', profile: { value: 'usual' } });
    },
  );

  it('include the profile in use when a project file selects another, and none when the user selects one', () => {
    const project = { path: '/project/bursar.json' };
    expect(beside({ project: { ...project, profile: 'bare' } })).toEqual(['usual']);
    expect(beside({ project: { ...project, profile: 'sandbox' }, isAttended: true })).toEqual(['usual']);
    expect(beside({ project: { ...project, profile: 'usual' } })).toEqual([]);
    expect(beside({ flags: { profile: 'bare' } })).toEqual([]);
    expect(beside({ flags: { profile: 'bare' }, project: { ...project, profile: 'sandbox' } })).toEqual([]);
  });
});

describe('profiles whose limits apply to bytes that are signed without a service', () => {
  const profiles: Profiles = {
    active: 'usual',
    profiles: { usual: { base_url: 'https://usual.example' }, bare: { base_url: 'https://bare.example' } },
  };
  const offline = (given: Partial<SelectionSources>) =>
    select({ flags: {}, env: {}, isAttended: false, project: undefined, profiles, ...given }).offlineLimits?.map(
      ({ name }) => name,
    );

  it('are always the profile in use, except when the user selects the sandbox', () => {
    expect(offline({ flags: { profile: 'bare' } })).toEqual(['usual']);
    expect(offline({ env: { BURSAR_PROFILE: 'bare' } })).toEqual(['usual']);
    expect(offline({ flags: { baseUrl: 'https://x.example' }, env: KEY })).toEqual(['usual']);
    expect(offline({ env: KEY }), 'the profile is selected itself').toEqual([]);
    const project = { path: '/project/bursar.json', profile: 'sandbox' };
    expect(offline({ project })).toEqual(['usual']);
    expect(offline({ project, env: KEY })).toEqual(['usual']);
    expect(offline({ flags: { profile: 'sandbox' } })).toEqual([]);
    expect(offline({ flags: { profile: 'bare' }, profiles: { ...profiles, active: 'sandbox' } })).toEqual([]);
  });
});

describe('settings', () => {
  it('are those of the profile, overridden by those of the project', () => {
    const url = 'https://project.example/hook';
    const { settings } = selected({ active: 'prod', project: { webhook_url: url } });
    expect(settings).toEqual({ keys: { evm: 'treasury' }, webhook_url: url });
    expect(JSON.stringify(settings)).not.toContain(KEPT.id);
  });

  it('of the sandbox apply when the sandbox is the default at a terminal', () => {
    expect(selected({ isAttended: true }).settings).toEqual({ keys: { evm: 'toy' } });
  });

  it('of a profile apply to the address that a project sets for its service', () => {
    expect(selected({ active: 'prod', project: { base_url: 'https://x.example' }, env: KEY }).settings).toEqual({
      keys: { evm: 'treasury' },
    });
  });
});
