import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAIN_NAMES } from '../../../src/contract/chains.ts';
import { newEvmKey } from '../../support/cheap-key.ts';
import { API_KEY, given as home } from './support.ts';

/** A home with a profile `prod` of a service on this machine; its key is in the environment. */
const given = async () => {
  const { url, ...rest } = await home();
  await rest.run(['profile', 'set', 'prod', `base_url=${url}`]);
  await rest.run(['profile', 'use', 'prod']);
  return { url, ...rest, set: (...edits: readonly string[]) => rest.run(['profile', 'set', 'prod', ...edits]) };
};

const UNREADABLE = '{"chain":"polygon","address":"0x605d0c423fa340fffa305b47faeef8fd949d2be4","abi":"function pay("}';
const PIN = '{"chain":"polygon","address":"0x605d0c423fa340fffa305b47faeef8fd949d2be4","selector":"0x12345678"}';

/** Wrong settings, each with a part of its error. */
const WRONG = [
  ['polcy.chains=polygon', 'polcy: is unknown; did you mean policy?'],
  ['policy.chain=polygon', 'policy.chain: is unknown; did you mean chains?'],
  ['policy.chains=polgon', 'policy.chains: there is no chain "polgon"; did you mean polygon?'],
  ['rpc_urls.moon=https://node.example', `there are ${CHAIN_NAMES.join(', ')}`],
  ['rpc_urls.polygon=http://node.example/SECRET', 'is not https'],
  ['policy.most_per_day.USDT=1e3', 'policy.most_per_day.USDT: must be a decimal'],
  ['type_amount_above.USDT=-5', 'type_amount_above.USDT: must be a decimal'],
  ['policy.recipients=0x605D0c423FA340fffa305b47FAEEF8Fd949d2be4', 'wrong checksum'],
  ['policy.programs=0x605d', 'must be a Solana address'],
  ['policy.blind_signing=always', 'can only be never'],
  ['policy.chains=[]', 'must name something'],
  ['pins=[{"chain":"polygon"}]', 'pins.0.address: must be text'],
  [
    'pins=[{"chain":"polygon","address":"0x605d0c423fa340fffa305b47faeef8fd949d2be4"}]',
    'neither a selector nor an abi',
  ],
  [`pins=[${UNREADABLE}]`, 'pins.0: the abi "function pay(" of a pin is not a function'],
  ['pins.0.chain=polygon', 'set it as a whole, as JSON'],
  ['challenge_hosts=https://verify.example.com', 'challenge_hosts.0: must be a host'],
  ['challenge_hosts=*.example.com', 'challenge_hosts.0: must be a host'],
  ['pins=[{', 'pins: is not valid JSON'],
  ['chains=[{"name":"polygon","id":5,"coin":"X"}]', 'a profile cannot give it another'],
  ['webhook_url=ftp://x', 'webhook_url: must be an http(s) address'],
  ['public_client_id=x', 'public_client_id: must be a prefix'],
  ['api_key.id=x', 'api_key: is unknown'],
  ['__proto__.x=1', '__proto__: is unknown'],
  ['justtext', 'KEY=VALUE'],
] as const;

describe('profile set', () => {
  it('sets every kind of setting by its path, and prints each old and new value', async () => {
    const { json } = await given();
    const first = await json(['profile', 'set', 'prod', 'keys.evm=treasury', 'policy.chains=polygon, base']);
    expect(first.data).toEqual([
      { setting: 'keys.evm', before: null, after: 'treasury' },
      { setting: 'policy.chains', before: null, after: 'polygon,base' },
    ]);
    const edits = [
      ...['policy.most_per_day.USDC.e=500', 'policy.blind_signing=never', `pins=[${PIN}]`, 'type_amount_above.*=0'],
      ...[
        'providers.mine=acme-lend',
        'chains=[{"name":"linea","id":59144,"coin":"ETH","tokens":{"USDC.e":{"address":"0x176211869cA2b568f2A7D4EE941E073a821EE1ff","decimals":6}}}]',
        'keys.evm=',
        'policy.chains=linea',
      ],
    ];
    const second = await json(['profile', 'set', 'prod', ...edits]);
    expect(second.data).toContainEqual({ setting: 'keys.evm', before: 'treasury', after: null });
    expect((await json(['profile', 'show', 'prod'])).data.settings).toEqual({
      policy: { chains: ['linea'], most_per_day: { 'USDC.e': '500' }, blind_signing: 'never' },
      pins: [JSON.parse(PIN)],
      type_amount_above: { '*': '0' },
      providers: { mine: 'acme-lend' },
      chains: [
        {
          ...{ name: 'linea', id: 59144, coin: 'ETH' },
          tokens: { 'USDC.e': { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', decimals: 6 } },
        },
      ],
    });
  });

  it('changes nothing for a wrong setting, and names the error', async () => {
    const { home, set } = await given();
    const before = await readFile(join(home, 'profiles.json'), 'utf8');
    for (const [edit, says] of WRONG) {
      const { code, stderr } = await set(edit);
      expect([edit, code, stderr]).toEqual([edit, 2, expect.stringContaining(says)]);
      expect(stderr).not.toContain('SECRET');
      expect(await readFile(join(home, 'profiles.json'), 'utf8')).toBe(before);
    }
  });

  it('accepts a pin with the ABI of its function, with or without the selector', async () => {
    const { set, json } = await given();
    const abi = 'function transfer(address to, uint256 amount)';
    const { selector: _, ...pin } = JSON.parse(PIN);
    const pins = [
      { ...pin, abi },
      { ...pin, abi, selector: '0xa9059cbb' },
    ];
    expect((await set(`pins=${JSON.stringify(pins)}`)).stderr).toBe('');
    expect((await json(['profile', 'show', 'prod'])).data.settings.pins).toEqual(pins);
    const wrong = await set(`pins=${JSON.stringify([{ ...pins[1], selector: '0x12345678' }])}`);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('that of its abi is 0xa9059cbb')]);
  });

  it('stores settings for the sandbox, but neither an address nor an API key', async () => {
    const { run, json } = await given();
    expect((await run(['profile', 'set', 'sandbox', 'keys.evm=x'])).code).toBe(0);
    expect((await json(['profile', 'show', 'sandbox'])).data).toMatchObject({
      kind: 'sandbox',
      settings: { keys: { evm: 'x' } },
    });
    for (const setting of ['base_url=https://x.example', 'api_key=k'])
      expect((await run(['profile', 'set', 'sandbox', setting])).code, setting).toBe(2);
  });

  it('reads a whole file, which replaces the settings and keeps the service', async () => {
    const { home, url, set, json } = await given();
    await set('keys.evm=treasury', 'webhook_url=https://old.example/h');
    await writeFile(join(home, 's.yaml'), 'keys: {solana: vault}\npolicy:\n  most_per_day: {USDT: "500"}\n');
    await set('--file', 's.yaml');
    const { data } = await json(['profile', 'show', 'prod']);
    expect(data).toMatchObject({
      base_url: url,
      settings: { keys: { solana: 'vault' }, policy: { most_per_day: { USDT: '500' } } },
    });
    expect(data.settings.keys.evm).toBeUndefined();
  });

  it('shows only the origin of a node in every output', async () => {
    const { run, set } = await given();
    const said = [await set('rpc_urls.polygon=https://node.example/v2/SECRET?key=SECRET', '--json', '--debug')];
    said.push(await set('rpc_urls.polygon=https://node.example/v2/SECRET2'));
    for (const args of [
      ['profile', 'show', 'prod'],
      ['profile', 'show', 'prod', '--json'],
      ['profile', 'list'],
      ['whoami', '--offline', '--json'],
    ])
      said.push(await run(args));
    const text = said.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(text).toContain('https://node.example');
    expect(text).not.toContain('SECRET');
  });
});

describe('a setting of a profile', () => {
  const dry = (...args: readonly string[]) => [...args, '--dry-run'];
  const env = { BURSAR_API_KEY: API_KEY };
  const ID = `client_${'0'.repeat(32)}`;
  const REGISTER = [
    ...['pay', 'register', '--amount-from', '10', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'],
    ...['--to-chain', 'polygon', '--allow', 'crypto', '--split', '0x1111111111111111111111111111111111111111=100'],
  ];

  it('is the tenant of a payment, unless the project, the body or an option sets another', async () => {
    const { home, set, json } = await given();
    await set(`public_client_id=${ID}`, 'webhook_url=https://profile.example/h');
    const tenant = async (...more: readonly string[]) =>
      (await json(dry(...REGISTER, ...more), { env })).data.body.tenant_data;
    expect(await tenant()).toEqual({ public_client_id: ID, webhook_url: 'https://profile.example/h' });
    await writeFile(join(home, 'bursar.json'), '{"webhook_url":"https://project.example/h"}');
    expect((await tenant()).webhook_url).toBe('https://project.example/h');
    await writeFile(join(home, 'b.json'), '{"tenant_data":{"webhook_url":"https://body.example/h"}}');
    expect(await tenant('--body', 'b.json')).toEqual({ public_client_id: ID, webhook_url: 'https://body.example/h' });
    expect((await tenant('--body', 'b.json', '--webhook-url', 'https://flag.example/h')).webhook_url).toBe(
      'https://flag.example/h',
    );
  });

  it('replaces a provider name of the profile in a request, and keeps other names', async () => {
    const { set, json } = await given();
    await set('providers.mine=acme-lend');
    const rest = [
      '--chain-name',
      'solana',
      '--asset',
      'USDC',
      '--wallet',
      '11111111111111111111111111111112',
      '--amount',
      '5',
    ];
    const deposit = async (name: string) =>
      (await json(dry('yield', 'deposit', '--provider', name, ...rest), { env })).data.body.provider;
    expect([await deposit('mine'), await deposit('acme-lend'), await deposit('constructor')]).toEqual([
      'acme-lend',
      'acme-lend',
      'constructor',
    ]);
  });

  it('names the signing key, above the only key, below BURSAR_KEY and --key', async () => {
    const { home, run, set } = await given();
    await newEvmKey(home, 'only');
    await set('keys.evm=mine');
    const sign = async (env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
      (await run(['pay', 'run', '--dry-run', ...more], { env })).stderr;
    expect(await sign({})).toContain('no key named mine');
    expect(await sign({ BURSAR_KEY: 'env' })).toContain('no key named env');
    expect(await sign({ BURSAR_KEY: 'env' }, '--key', 'flag')).toContain('no key named flag');
  });
});

describe('the source of a setting', () => {
  it('is shown by whoami: the profile, above it the project, above both the environment', async () => {
    const { home, set, json } = await given();
    await set('webhook_url=https://profile.example/h', 'keys.evm=mine', 'keys.solana=vault', 'policy.chains=polygon');
    const sources = async (env: Readonly<Record<string, string>> = {}, ...more: readonly string[]) => {
      const { data } = await json(['whoami', '--offline', ...more], { env });
      const rows = (data.settings ?? []) as readonly { setting: string; value: string; from: string }[];
      return Object.fromEntries(rows.map(({ setting, value, from }) => [setting, `${value} by ${from}`]));
    };
    expect(await sources()).toEqual({
      'keys.evm': 'mine by profile prod',
      'keys.solana': 'vault by profile prod',
      'policy.chains': 'polygon by profile prod',
      webhook_url: 'https://profile.example/h by profile prod',
    });
    await writeFile(join(home, 'bursar.json'), '{"webhook_url":"https://project.example/h"}');
    const path = join(home, 'bursar.json');
    expect((await sources())['webhook_url']).toBe(`https://project.example/h by ${path}`);
    expect(await sources({ BURSAR_KEY: 'other' })).toEqual({
      keys: 'other by BURSAR_KEY',
      'policy.chains': 'polygon by profile prod',
      webhook_url: `https://project.example/h by ${path}`,
    });
    await set('journal=postgres://me@localhost/profile');
    expect((await sources())['journal']).toBe('postgres://me@localhost/profile by profile prod');
    const journal = { BURSAR_JOURNAL: 'postgres://me:SECRET@localhost/other' };
    expect((await sources(journal))['journal']).toBe('postgres://me@localhost/other by BURSAR_JOURNAL');
    const service = async (env: Readonly<Record<string, string>>, ...more: readonly string[]) => {
      const { data } = await json(['whoami', '--offline', ...more], { env });
      return [data.profile, data.profile_from, data.base_url_from, data.api_key_from];
    };
    expect(await service({})).toEqual(['prod', 'profile use', 'profile prod', null]);
    const env = { BURSAR_BASE_URL: 'https://env.example', BURSAR_API_KEY: 'k' };
    expect(await service(env)).toEqual(['(environment)', null, 'BURSAR_BASE_URL', 'BURSAR_API_KEY']);
    expect(await service(env, '--profile', 'prod')).toEqual(['prod', '--profile', 'profile prod', null]);
    expect(await service({ BURSAR_PROFILE: 'sandbox' })).toEqual([
      'sandbox',
      'BURSAR_PROFILE',
      null,
      "the sandbox's own",
    ]);
  });
});

describe('files of settings', () => {
  it('that are broken are exit 2 with one line that names the path, also as JSON', async () => {
    const { home, run, json } = await given();
    const path = join(home, 'profiles.json');
    await writeFile(path, '{"version":1,');
    const { code, stdout, stderr } = await run(['products']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.split('\n')[0]).toContain(`error: ${path}: the file is damaged`);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect((await json(['whoami'])).data.error.code).toBe('bad_settings');
    expect(await readFile(path, 'utf8')).toBe('{"version":1,');
  });

  it('of a project cannot redirect a stored key, and nothing is sent', async () => {
    const { home: folder, url, received, login, run } = await home();
    await login();
    const other = url.replace('127.0.0.1', 'localhost');
    await writeFile(join(folder, 'bursar.json'), JSON.stringify({ base_url: other }));
    await mkdir(join(folder, 'deep'));
    const before = received.length;
    for (const cwd of [folder, join(folder, 'deep')]) {
      const { code, stderr } = await run(['products'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${join(folder, 'bursar.json')} names ${other}`)]);
    }
    expect((await run(['products', '--base-url', other])).code).toBe(2);
    expect(received.length).toBe(before);
  });

  it.each([
    ['webhok_url', 'webhok_url is unknown; did you mean webhook_url?'],
    ['profil', 'profil is unknown; did you mean profile?'],
    ['limt', 'limt is unknown; valid are profile, base_url'],
  ])('of a project with %s are exit 2, with the file, the name and the correction', async (name, says) => {
    const { home: folder, run } = await given();
    const path = join(folder, 'bursar.json');
    await writeFile(path, JSON.stringify({ $schema: './bursar.schema.json', [name]: 'x' }));
    const { code, stderr } = await run(['products'], { cwd: folder });
    expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(`${path}: ${says}`)]);
    expect(stderr).toMatch(/An unknown setting is never ignored.* Correct or remove it.*\nnext: bursar doctor$/m);
    await writeFile(path, '{"$schema":"./bursar.schema.json"}');
    expect((await run(['whoami'], { cwd: folder })).stderr).not.toContain('bursar.json');
  });

  it('are not needed in a home that cannot be written, with the key in the environment', async () => {
    const { home, url, run } = await given();
    const env = { ...{ BURSAR_BASE_URL: url, BURSAR_API_KEY: API_KEY }, BURSAR_HOME: join(home, 'ro') };
    await mkdir(join(home, 'ro'));
    await chmod(join(home, 'ro'), 0o500);
    expect(await run(['products', '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['0', true],
    ['false', true],
    ['', true],
    ['1', false],
  ])('BURSAR_QUIET=%s', async (value, isSaid) => {
    const { run } = await given();
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_QUIET: value };
    expect((await run(['profile', 'use', 'prod'], { env })).stderr !== '').toBe(isSaid);
  });
});

describe('processes that change profiles at the same time', () => {
  it('all keep their changes', async () => {
    const { alone, json } = await given();
    const symbols = Array.from({ length: 8 }, (_, at) => `T${at}`);
    const ended = await Promise.all(
      symbols.map((name) => alone(['profile', 'set', 'prod', `type_amount_above.${name}=1`])),
    );
    expect(ended.map(({ code }) => code)).toEqual(symbols.map(() => 0));
    expect(Object.keys((await json(['profile', 'show', 'prod'])).data.settings.type_amount_above).sort()).toEqual(
      symbols,
    );
  });
});
