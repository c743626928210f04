import { randomBytes, scrypt } from 'node:crypto';
import { cp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listRows, manyOperations } from './history.mjs';
import {
  bursarTime,
  cleanEnv,
  median,
  nodeTime,
  PROGRAM,
  RUNS,
  ratioRow,
  timed,
  timeOf,
  turnsOf,
  valueRow,
} from './measure.mjs';
import { startSandbox } from './running.mjs';

/** The cost of the key files that bursar writes. */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 129 * 131_072 * 8 };
const SCRYPT = `require('node:crypto').scrypt('bench', Buffer.alloc(32), 32, ${JSON.stringify(COST)}, () => {})`;
/** Which payment of a home is compared with its first one. */
const LATER = 400;
const RECEIVER = '0x1111111111111111111111111111111111111111';

const PAYMENT = [
  ...['--amount-from', '10', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'],
  ...['--to-chain', 'polygon', '--split', `${RECEIVER}=100`, '--public-client-id', `cli_${'0'.repeat(32)}`],
  ...['--webhook-url', 'https://example.com/hook', '--payer-email', 'a@example.com', '--profile', 'sandbox', '--yes'],
];

/** A funded key in the home of a running sandbox, and the commands that use it. */
const openPayer = async (home) => {
  const env = cleanEnv({ BURSAR_HOME: home });
  const password = join(home, 'password');
  await writeFile(password, 'correct horse battery staple', { mode: 0o600 });
  const withKey = ['--key', 'payer', '--password-file', password, '--quiet'];
  await bursarTime(['key', 'new', 'payer', '--chain', 'evm', '--password-file', password], env);
  await bursarTime(['sandbox', 'fund', 'payer'], env);
  const { crypto } = JSON.parse(await readFile(join(home, 'keys', 'payer.json'), 'utf8'));
  if (crypto.kdfparams.n !== COST.N) throw new Error(`a key file now has n ${crypto.kdfparams.n}: change COST`);
  return { env, run: ['pay', 'run', ...PAYMENT, ...withKey], withKey };
};

/** `pay sign` of a transaction that the sandbox created, against a bare scrypt of the same cost. */
const signRow = async (home, { env, withKey }) => {
  const file = join(home, 'crypto_tx.json');
  const journal = join(home, 'state', 'journal');
  const [name] = (await readdir(journal)).filter((file) => file.endsWith('.ndjson'));
  const lines = (await readFile(join(journal, name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  await writeFile(file, JSON.stringify(lines.find(({ crypto_tx }) => crypto_tx).crypto_tx));
  const stated = ['--amount-from', '10', '--payer-token-symbol', 'USDT', '--chain-name', 'polygon'];
  const args = ['pay', 'sign', '--unsigned', file, ...stated, '--split', `${RECEIVER}=100`, ...withKey];
  const [own, derived, bare] = (
    await turnsOf(
      RUNS,
      () => bursarTime(args, env),
      () => nodeTime(SCRYPT, env),
      () => nodeTime('0', env),
    )
  ).map(median);
  return ratioRow(
    '`bursar pay sign`',
    '`node -e` with the same scrypt, and 2 × `node -e 0`',
    [own, derived + 2 * bare],
    1,
  );
};

/** How often a command syncs the disk, counted by strace. */
const countSyncs = async (args, env) => {
  const path = join(env.BURSAR_HOME, 'strace');
  const traced = ['-f', '-qq', '-o', path, '-e', 'trace=fsync,fdatasync', process.execPath, PROGRAM, ...args];
  await timeOf('strace', traced, env).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('strace counts fsyncs. Get it: apt-get install strace') : error;
  });
  return (await readFile(path, 'utf8')).match(/\bf(?:data)?sync\(/g).length;
};

const appendAndSync = async (path, times) => {
  for (let count = 0; count < times; count += 1) {
    const handle = await open(path, 'a');
    await handle.appendFile('x'.repeat(300));
    await handle.sync();
    await handle.close();
  }
};

/** The milliseconds that the sandbox itself took for the requests between two times, from its request log. */
const serverTime = (log, { from, to }) =>
  log
    .split('\n')
    .map((line) => /^(\S+) .* (\d+)ms /.exec(line))
    .filter((match) => match && Date.parse(match[1]) >= from && Date.parse(match[1]) <= to)
    .reduce((sum, [, , took]) => sum + Number(took), 0);

/** Journals by name, each copied into the home before a run. The first one is empty. */
const openJournals = (home) => {
  const places = ['state', 'cache'];
  const folder = join(home, 'journals');
  const clear = async () => {
    for (const place of places) await rm(join(home, place), { recursive: true, force: true });
  };
  return {
    clear,
    store: async (name) => {
      for (const place of places) await cp(join(home, place), join(folder, name, place), { recursive: true });
    },
    restore: async (name) => {
      await clear();
      for (const place of places) await cp(join(folder, name, place), join(home, place), { recursive: true });
    },
  };
};

/** Makes a home's journal as it is before payment `LATER`: copies of a real one, then a run that writes the index. */
const prepareLater = async (home, journals, { env, run }) => {
  await manyOperations(join(home, 'state', 'journal'), join(home, 'state', 'journal'), LATER - 2);
  await bursarTime(run, env);
  await journals.store('later');
};

/** `pay run` as the first payment of a home and as a later one, beside the three things that the command waits for. */
const runRows = async (home, payer) => {
  const journals = openJournals(home);
  const { env, run } = payer;
  const syncs = await countSyncs([...run, '--intent', 'counted'], env);
  await prepareLater(home, journals, payer);
  const spans = [];
  const [first, later, derived, synced, bare] = await turnsOf(
    RUNS,
    async () => {
      await journals.clear();
      const from = Date.now();
      const time = await bursarTime(run, env);
      spans.push({ from, to: Date.now() });
      return time;
    },
    async () => {
      await journals.restore('later');
      return bursarTime(run, env);
    },
    timed(() => promisify(scrypt)('bench', randomBytes(32), 32, COST)),
    timed(() => appendAndSync(join(home, 'appended'), syncs)),
    () => nodeTime('0', env),
  );
  const log = await readFile(join(home, 'sandbox', 'requests.log'), 'utf8');
  const served = spans.slice(1).map((span) => serverTime(log, span));
  const rest = first.map((time, at) => time - derived[at] - served[at] - synced[at]);
  return [
    valueRow('`bursar pay run`, all of it', median(first)),
    valueRow('– its scrypt, measured alone', median(derived)),
    valueRow("– the server's time, from its log", median(served)),
    valueRow(`– its ${syncs} fsyncs, measured alone`, median(synced)),
    ratioRow('– the rest', '`node -e 0`', [median(rest), median(bare)], 3),
    ratioRow(`\`bursar pay run\`, payment ${LATER} of a home`, 'payment 1', [median(later), median(first)], 1.1),
  ];
};

/** The commands that pay, against the work that they cannot avoid. */
export const benchPay = async () => {
  const { home, address, end } = await startSandbox();
  try {
    const payer = await openPayer(home);
    await bursarTime(payer.run, payer.env);
    const sign = await signRow(home, payer);
    const runs = await runRows(home, payer);
    const lists = await listRows(home, address);
    return { rows: [sign, ...runs, ...lists] };
  } finally {
    await end();
  }
};
