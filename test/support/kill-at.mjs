// Loaded before the built program. Kills the program at one place of its journal or of one of its calls.
//   BURSAR_TEST_KILL=journal:STEP[#COUNT]:before|torn|written|synced   call:PATH[#COUNT]:before|answered
//     webhook:store[#COUNT]:before|torn|written|synced   webhook:answer[#COUNT]:sent   webhook:remove[#COUNT]:before|after
//   COUNT: kills at this occurrence; 1 by default
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';

const [place, subject = '', moment] = (process.env.BURSAR_TEST_KILL ?? '').split(':');
const [name, count = '1'] = subject.split('#');
let left = Number(count);

/** Counts a match. Whether it is the occurrence at which the program is killed. */
const isTarget = (isMatch) => {
  if (isMatch) left -= 1;
  return isMatch && left === 0;
};

/** Kills the process. The promise never resolves, so that the program does nothing more until the signal arrives. */
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

const { open } = promises;

const stepIn = (text) => {
  try {
    return JSON.parse(String(text)).step;
  } catch {
    return undefined;
  }
};

const killAtAppend = (file, isSubject) => {
  promises.open = async (path, flags, ...more) => {
    const handle = await open(path, flags, ...more);
    if (flags !== 'a' || !file.test(String(path))) return handle;
    const [append, sync] = [handle.appendFile.bind(handle), handle.sync.bind(handle)];
    let isStep = false;
    handle.appendFile = async (text) => {
      isStep = isTarget(isSubject(text));
      if (isStep && moment === 'before') return die();
      if (isStep && moment === 'torn') {
        await append(Buffer.from(text).subarray(0, text.length / 2));
        return die();
      }
      await append(text);
      if (isStep && moment === 'written') return die();
      return undefined;
    };
    handle.sync = async () => {
      await sync();
      return isStep && moment === 'synced' ? die() : undefined;
    };
    return handle;
  };
  syncBuiltinESMExports();
};

const DELIVERIES = /webhooks\/.*\.ndjson$/;

const killAtRemove = () => {
  const { rm } = promises;
  promises.rm = async (path, ...more) => {
    const isSubject = isTarget(DELIVERIES.test(String(path)));
    if (isSubject && moment === 'before') return die();
    await rm(path, ...more);
    return isSubject ? die() : undefined;
  };
  syncBuiltinESMExports();
};

const textOf = (chunk) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1'));

const killAtCall = () => {
  const [write, push] = ['write', 'push'].map((name) => Reflect.get(net.Socket.prototype, name));
  const ours = new WeakSet();
  net.Socket.prototype.write = function (chunk, ...more) {
    if (isTarget(textOf(chunk).includes(name))) {
      if (moment === 'before') return Boolean(die());
      ours.add(this);
    }
    return write.call(this, chunk, ...more);
  };
  net.Socket.prototype.push = function (chunk, ...more) {
    if (chunk && moment === 'answered' && ours.has(this)) return Boolean(die());
    return push.call(this, chunk, ...more);
  };
};

/** After the bytes of an answer have left. */
const killAtAnswer = () => {
  const write = Reflect.get(net.Socket.prototype, 'write');
  net.Socket.prototype.write = function (chunk, ...more) {
    const isSubject = isTarget(textOf(chunk).startsWith('HTTP/1.1 200'));
    const isWritten = write.call(this, chunk, ...more);
    return isSubject ? Boolean(die()) : isWritten;
  };
};

if (place === 'journal') killAtAppend(/journal\/.*\.ndjson$/, (text) => stepIn(text) === name);
if (place === 'webhook' && name === 'store') killAtAppend(DELIVERIES, () => true);
if (place === 'webhook' && name === 'remove') killAtRemove();
if (place === 'webhook' && name === 'answer') killAtAnswer();
if (place === 'call') killAtCall();
