import { writeSync } from 'node:fs';
import { systemIo } from '../../../src/io/system.ts';
import { recordLater } from '../../../src/journal/amend.ts';
import { forgetOperations } from '../../../src/journal/forget.ts';
import { beginOperation } from '../../../src/journal/operation.ts';

/**
 * A process that starts, continues or forgets an operation, and kills or stops itself after a step of its files. Arguments:
 * what it does, the idempotency key or the id, the step (`none`: neither), and the signal.
 */
const real = systemIo(process.argv[1] ?? '');
const [act = '', name = '', step = 'none', signal = 'SIGKILL'] = process.argv.slice(2);
let isDone = false;
const killAfter = async <T>(isStep: boolean, work: Promise<T>): Promise<T> => {
  const result = await work;
  if (isStep && !isDone) {
    isDone = true;
    writeSync(1, 'now');
    process.kill(process.pid, signal);
  }
  return result;
};
const { files } = real;
const io = {
  ...real,
  files: {
    ...files,
    createPrivate: (path: string, bytes: Uint8Array | string) =>
      killAfter(step === 'claim', files.createPrivate(path, bytes)),
    append: (path: string, text: string) => killAfter(text.startsWith(step), files.append(path, text)),
    appendDurably: (path: string, text: string) => killAfter(step === 'record', files.appendDurably(path, text)),
    remove: (path: string) => killAfter(step === 'release' && path.includes('.claim-'), files.remove(path)),
  },
};
const receivers = [{ wallet: '0x1', percent: '100' }];
const payment = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0xAA', receivers };
const service = { profile: 'main', kind: 'live', baseUrl: 'https://pay.example' } as const;
if (act === 'start') await (await beginOperation(io, { ...service, intent: payment, intent_key: name })).close();
if (act === 'end') await recordLater(io, name, { step: 'superseded', hash: undefined });
if (act === 'forget') await forgetOperations(io, name);
process.exit();
