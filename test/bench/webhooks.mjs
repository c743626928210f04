import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnv, median, PROGRAM } from './measure.mjs';
import { memoryOf, processorOf } from './running.mjs';

const OFFER = fileURLToPath(new URL('../support/offer-load.mjs', import.meta.url));
const RATE = 1_000;
const SECONDS = 30;
const SAMPLE_MS = 250;

/** Starts a receiver. `lines` counts what it prints. */
const startReceiver = async (home) => {
  const child = spawn(process.execPath, [PROGRAM, 'webhook', 'listen'], {
    env: cleanEnv({ BURSAR_HOME: home }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const counted = { lines: 0 };
  const url = await new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (counted.lines === 0) resolve(JSON.parse(line).listening);
      counted.lines += 1;
    });
  });
  const end = () =>
    new Promise((resolve) => {
      child.once('close', resolve);
      child.kill('SIGINT');
    });
  return { pid: child.pid, url, counted, end };
};

/** The numbers of the deliveries that a home keeps. */
const keptIn = (home) => {
  const folder = join(home, 'state', 'webhooks');
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  const numberIn = (line) => JSON.parse(Buffer.from(JSON.parse(line).body, 'base64')).data.id.slice('pay_'.length);
  return new Set(lines.map((line) => Number(numberIn(line))));
};

/** A receiver that is offered deliveries at a rate. Throws if one that was answered with 200 is not on the disk. */
export const benchWebhooks = async (home) => {
  const { pid, url, counted, end } = await startReceiver(home);
  const memory = [];
  const timer = setInterval(() => memory.push(memoryOf(pid)), SAMPLE_MS);
  const before = processorOf(pid);
  const { stdout } = await promisify(execFile)(process.execPath, [OFFER, url, String(RATE), String(SECONDS)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  clearInterval(timer);
  const processor = processorOf(pid) - before;
  const { answered, refused, cut, failed, longest_ms } = JSON.parse(stdout);
  await end();
  const kept = keptIn(home);
  const isLost = answered.some((n) => !kept.has(n)) || counted.lines - 1 !== answered.length;
  if (isLost || cut + failed > 0) throw new Error(`lost deliveries; ${cut + failed} had no answer`);
  const third = Math.floor(memory.length / 3);
  const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))];
  const total = RATE * SECONDS;
  return [
    {
      label: `deliveries answered 200, of ${RATE} a second`,
      value: answered.length / total,
      own: String(answered.length),
      other: String(total),
      against: `those offered in ${SECONDS} s`,
    },
    { label: '– answered 503', value: refused, unit: 'deliveries' },
    {
      label: '– memory in the last third of the time',
      against: 'the second third',
      own: `${Math.round(last)} MB`,
      other: `${Math.round(middle)} MB`,
      value: last / middle,
      budget: 1.1,
    },
    { label: '– longest wait for an answer', value: longest_ms, unit: 'ms' },
    { label: '– processor of a delivery', value: processor / Math.max(1, answered.length), unit: 'ms' },
  ];
};
