import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bursarTime, cleanEnv, inTurn, RUNS, ratioRow, valueRow } from './measure.mjs';

const MINUTE_MS = 60_000;
const [FEW, MANY] = [100, 10_000];

const hex = (bytes) => randomBytes(bytes).toString('hex');
const idAt = (time) => `${new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${hex(4)}`;

/**
 * Writes copies of an ended payment of the program into a journal. Each is a minute older than the next, and has its own ids
 * and hash. The program reads them as earlier payments.
 */
export const manyOperations = async (from, to, count) => {
  const names = (await readdir(from)).filter((name) => name.endsWith('.ndjson'));
  const text = await readFile(join(from, names[0]), 'utf8');
  const id = names[0].slice(0, -'.ndjson'.length);
  const [payment] = /pay_[0-9a-f]{32}/.exec(text);
  const [, hash] = /"hash":"(0x[0-9a-f]{64})"/.exec(text);
  if (!text.trim().split('\n').at(-1).includes('"step":"ended"')) throw new Error(`${id} has not ended`);
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (let at = 0; at < count; at += 1) {
    const time = Date.now() - MINUTE_MS * (count + 1 - at);
    const own = idAt(time);
    const copy = text
      .replaceAll(id, own)
      .replaceAll(payment, `pay_${hex(16)}`)
      .replaceAll(hash, `0x${hex(32)}`)
      .replaceAll(/"at":"[^"]*"/g, `"at":"${new Date(time).toISOString()}"`);
    await writeFile(join(to, `${own}.ndjson`), copy, { mode: 0o600 });
  }
};

const COMMANDS = [
  ['pay', 'list'],
  ['pay', 'resume', '--all'],
];

/** Commands over many ended payments, against the same commands over few. `home` has one payment of the sandbox at `address`. */
export const listRows = async (home, { url, api_key }) => {
  const rows = [];
  const envs = [FEW, MANY].map((count) =>
    cleanEnv({ BURSAR_HOME: join(home, `${count}`), BURSAR_BASE_URL: url, BURSAR_API_KEY: api_key }),
  );
  const journalOf = (folder) => join(folder, 'state', 'journal');
  for (const [at, count] of [FEW, MANY].entries()) {
    await manyOperations(journalOf(home), journalOf(envs[at].BURSAR_HOME), count);
  }
  for (const args of COMMANDS) {
    const name = `\`bursar ${args.join(' ')}\``;
    const first = await bursarTime(args, envs[1]);
    const [few, many] = await inTurn(RUNS, ...envs.map((env) => () => bursarTime(args, env)));
    rows.push(ratioRow(`${name}, ${MANY} ended payments`, `${FEW} ended payments`, [many, few], 2));
    rows.push(valueRow(`– the first one, which writes the index`, first));
  }
  return rows;
};
