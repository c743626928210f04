// Loaded before the built program. Kills the program at one place of its journal or of one of its calls.
// The journal is the folder, or the database of BURSAR_JOURNAL. Two moments only stop the process (SIGSTOP), until SIGCONT:
//   journal:STEP:stopped before an entry is written to the database, journal:STEP:stored after its answer has arrived
//   call:PATH:stopped before the request is written
//   BURSAR_TEST_KILL=journal:STEP[#COUNT]:before|torn|written|synced   call:PATH[#COUNT]:before|answered
//     webhook:store[#COUNT]:before|torn|written|synced   webhook:answer[#COUNT]:sent   webhook:remove[#COUNT]:before|after
//   journal:STEP[#COUNT]:interrupted sends SIGINT once the step is stored
//   COUNT: kills at this occurrence; 1 by default
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { hookAppends } from './append-hooks.mjs';

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

/** Stops the process until SIGCONT. */
const stop = () => process.kill(process.pid, 'SIGSTOP');

const interrupt = () => process.kill(process.pid, 'SIGINT');

const stepIn = (text) => {
  try {
    return JSON.parse(String(text)).step;
  } catch {
    return undefined;
  }
};

const killAtAppend = (file, isSubject) =>
  hookAppends((path) => {
    if (!file.test(path)) return undefined;
    let isStep = false;
    return {
      write: (text, write) => {
        isStep = isTarget(isSubject(text));
        if (isStep && moment === 'before') return die();
        write(isStep && moment === 'torn' ? Buffer.from(text).subarray(0, text.length / 2) : text);
        return isStep && ['torn', 'written'].includes(moment) ? die() : undefined;
      },
      sync: (sync, callback) =>
        sync((error) => {
          if (isStep && moment === 'synced') return die();
          if (isStep && moment === 'interrupted') interrupt();
          return callback(error);
        }),
    };
  });

const DELIVERIES = /webhooks\/.*\.ndjson$/;

const killAtRemove = () => {
  const { unlink } = promises;
  promises.unlink = async (path, ...more) => {
    const isSubject = isTarget(DELIVERIES.test(String(path)));
    if (isSubject && moment === 'before') return die();
    await unlink(path, ...more);
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
      if (moment === 'stopped') stop();
      ours.add(this);
    }
    return write.call(this, chunk, ...more);
  };
  net.Socket.prototype.push = function (chunk, ...more) {
    if (chunk && moment === 'answered' && ours.has(this)) return Boolean(die());
    return push.call(this, chunk, ...more);
  };
};

/** An entry for PostgreSQL is a message; its answer arrives after the commit. */
const killAtEntry = () => {
  const [write, push] = ['write', 'push'].map((name) => Reflect.get(net.Socket.prototype, name));
  const waiting = new WeakSet();
  net.Socket.prototype.write = function (chunk, ...more) {
    const text = textOf(chunk);
    const isEntry = text.startsWith('B') && text.includes('"movement":') && text.includes(`"step":"${name}"`);
    if (!isTarget(isEntry)) return write.call(this, chunk, ...more);
    if (moment === 'before') return Boolean(die());
    if (moment === 'stopped') stop();
    if (moment === 'torn') return Boolean(write.call(this, chunk.subarray(0, chunk.length / 2), ...more) && die());
    // The rest of the statement is written in the same turn.
    if (moment === 'written') setImmediate(() => void die());
    if (['synced', 'stored', 'interrupted'].includes(moment)) waiting.add(this);
    return write.call(this, chunk, ...more);
  };
  net.Socket.prototype.push = function (chunk, ...more) {
    if (chunk && waiting.delete(this)) {
      if (moment === 'synced') return Boolean(die());
      if (moment === 'stored') stop();
      else interrupt();
    }
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

if (place === 'journal' && process.env.BURSAR_JOURNAL) killAtEntry();
else if (place === 'journal') killAtAppend(/journal\/.*\.ndjson$/, (text) => stepIn(text) === name);
if (place === 'webhook' && name === 'store') killAtAppend(DELIVERIES, () => true);
if (place === 'webhook' && name === 'remove') killAtRemove();
if (place === 'webhook' && name === 'answer') killAtAnswer();
if (place === 'call') killAtCall();
