import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLoopback } from './loopback.mjs';
import { bursarTime, cleanEnv, inTurn, nodeTime, PROGRAM, RUNS, ratioRow, timeOf } from './measure.mjs';
import { castBinary, stripeBinary } from './peers.mjs';

const BARE = '`node -e 0`';
const HOOK = fileURLToPath(new URL('memory-hook.cjs', import.meta.url));

/** Commands of bursar that call no service, each with its budget and with the similar command of a peer. */
const COMMANDS = [
  { args: ['--version'], budget: 1.15, peer: { program: 'cast', args: ['--version'] } },
  { args: ['--help'], budget: 1.6, peer: { program: 'stripe', args: ['--help'] } },
  { args: ['completion', '--values', 'chains'], budget: 1.6 },
  { args: ['pay', 'run', '--help'], budget: 2.5, peer: { program: 'stripe', args: ['get', '--help'] } },
  { args: ['key', 'list'], budget: 2.5, peer: { program: 'cast', args: ['wallet', 'list', '--dir', 'keys'] } },
];

/** The programs by name. A peer has its own home, sends no telemetry, and uses the loopback server as its proxy. */
const programsFor = (home, url) => {
  const own = cleanEnv({ BURSAR_HOME: home, BURSAR_BASE_URL: url, BURSAR_API_KEY: 'bench' });
  const peerEnv = cleanEnv({ HOME: join(home, 'peer'), HTTPS_PROXY: url, STRIPE_CLI_TELEMETRY_OPTOUT: '1' });
  const filled = (args) => args.map((arg) => (arg === 'keys' ? join(home, 'keys') : arg));
  return {
    bursar: (args) => bursarTime(args, own),
    stripe: (args) => timeOf(stripeBinary(), args, peerEnv),
    cast: (args) => timeOf(castBinary(), filled(args), peerEnv),
    bare: () => nodeTime('0', own),
    env: own,
  };
};

const bar = (name, ratio, more) => ({ name, ratio, ...more });
const nameOf = (program, args) => `${program} ${args.filter((arg) => arg !== 'keys' && arg !== '--dir').join(' ')}`;

/** A command against `node -e 0`, and the similar command of a peer against the same. */
const commandRows = async (programs, { args, budget, peer }) => {
  const works = [() => programs.bursar(args), programs.bare];
  if (peer) works.push(() => programs[peer.program](peer.args));
  const [own, bare, beside] = await inTurn(RUNS, ...works);
  const name = nameOf('bursar', args);
  const rows = [ratioRow(`\`${name}\``, BARE, [own, bare], budget)];
  const bars = [bar(name, own / bare, { budget })];
  if (peer) {
    const peerName = nameOf(peer.program, peer.args);
    rows.push(ratioRow(`\`${peerName}\`, native`, BARE, [beside, bare]));
    bars.push(bar(peerName, beside / bare, { isPeer: true }));
  }
  return { rows, bars };
};

/** A read of one object from the loopback server: bursar, the native `stripe get`, and `cast balance`. */
const readRows = async (programs, url) => {
  const get = ['get', '/v1/charges/ch_1', '--api-base', url, '--api-key', 'sk_test_123456789012'];
  const balance = ['balance', `0x${'1'.repeat(40)}`, '--rpc-url', url];
  const [quote, stripe, cast, bare] = await inTurn(
    RUNS,
    () => programs.bursar(['quote', 'BTC', 'USDT']),
    () => programs.stripe(get),
    () => programs.cast(balance),
    programs.bare,
  );
  const rows = [
    ratioRow('`bursar quote BTC USDT`', 'native `stripe get`', [quote, stripe], 1),
    ratioRow('`bursar quote BTC USDT`', BARE, [quote, bare], 4),
    ratioRow('`stripe get /v1/charges/ch_1`, native', BARE, [stripe, bare]),
    ratioRow('`cast balance`, native', BARE, [cast, bare]),
  ];
  const bars = [
    bar('bursar quote BTC USDT', quote / bare, { budget: 4 }),
    bar('stripe get ch_1', stripe / bare, { isPeer: true }),
    bar('cast balance', cast / bare, { isPeer: true }),
  ];
  return { rows, bars };
};

/** The peak memory of a process in megabytes. Both sides load the same hook. */
const memoryRow = async (env, home) => {
  const path = join(home, 'memory');
  const hooked = { ...env, BENCH_MEMORY: path };
  const memoryOf = async (...args) => {
    await timeOf(process.execPath, ['--require', HOOK, ...args], hooked);
    return Number(await readFile(path, 'utf8')) / 1024;
  };
  const [quote, bare] = await inTurn(
    RUNS,
    () => memoryOf(PROGRAM, 'quote', 'BTC', 'USDT'),
    () => memoryOf('-e', '0'),
  );
  const megabytes = (value) => `${Math.round(value)} MB`;
  return {
    ...ratioRow('memory of `bursar quote`', BARE, [quote, bare], 1.4),
    own: megabytes(quote),
    other: megabytes(bare),
  };
};

const createKeys = async (home, env) => {
  const password = join(home, 'password');
  await writeFile(password, 'correct horse battery staple', { mode: 0o600 });
  for (const name of ['payer', 'treasury', 'savings']) {
    await bursarTime(['key', 'new', name, '--chain', 'evm', '--password-file', password], env);
  }
};

/** The start of every kind of command, against the start of Node alone and against native programs. */
export const benchStartUp = async (home) => {
  const loopback = await startLoopback();
  const programs = programsFor(home, loopback.url);
  await mkdir(join(home, 'peer'));
  await createKeys(home, programs.env);
  const measured = [];
  for (const command of COMMANDS) measured.push(await commandRows(programs, command));
  measured.push(await readRows(programs, loopback.url));
  const memory = await memoryRow(programs.env, home);
  await loopback.end();
  return { rows: [...measured.flatMap(({ rows }) => rows), memory], bars: measured.flatMap(({ bars }) => bars) };
};
