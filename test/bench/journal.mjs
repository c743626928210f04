import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { loadBundle } from './bundle.mjs';
import { inTurn, ms, ratioRow, timed } from './measure.mjs';

const STEPS = 200;

/** Opens an operation of the journal on the files of this machine. */
const SOURCE = `
import { hostname } from 'node:os';
import { systemFiles } from './src/io/files/files.ts';
import { clockFrom } from './src/io/system.ts';
import { systemProcesses } from './src/io/processes.ts';
import { beginOperation } from './src/journal/operation.ts';
export const begin = (state) => beginOperation({
  files: systemFiles,
  places: { state, cache: state },
  clock: clockFrom(Date.now, () => performance.now()),
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random },
  processes: systemProcesses({ pid: process.pid, host: hostname(), env: {} }, process.kill.bind(process)),
  interrupted: new AbortController().signal,
}, { profile: 'bench', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', intent: { operation: 'sign', chain: 'c', wallet: 'w' } });
`;

const STEP = { step: 'executing', payment_id: `pay_${'0'.repeat(32)}`, hash: `0x${'a'.repeat(64)}` };

/** A step of the journal, against an append and a sync of as many bytes. */
export const benchJournal = async (home) => {
  const { begin } = await loadBundle(home, 'journal', SOURCE);
  const operation = await begin(join(home, 'state'));
  const bytes = `${JSON.stringify({ v: 1, at: new Date().toISOString(), movement: operation.id, ...STEP })}\n`;
  const bareAppend = async () => {
    const handle = await open(join(home, 'bare'), 'a');
    await handle.appendFile(bytes);
    await handle.sync();
    await handle.close();
  };
  const [own, bare] = await inTurn(
    STEPS,
    timed(() => operation.record(STEP)),
    timed(bareAppend),
  );
  await operation.close();
  return [
    ratioRow('a step of the journal', `append and fsync of ${bytes.length} bytes`, [own, bare], 2),
    { label: '– without the sync', own: ms(own), other: ms(bare), value: own - bare, unit: 'ms', budget: 2 },
  ];
};
