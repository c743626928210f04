import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { openSync, closeSync, writeFileSync, ftruncateSync, fsync } = fs;

/**
 * For modules that are loaded before the built program: changes how the program writes to the files that it opens for
 * appends. `hooksFor` returns the changes for a path, or `undefined`. `write` gets the text and the usual write, `sync` the
 * usual sync with its callback, `truncate` nothing.
 */
export const hookAppends = (hooksFor) => {
  const hooked = new Map();
  fs.openSync = (path, flags, ...more) => {
    const descriptor = openSync(path, flags, ...more);
    const hooks = flags === 'a' ? hooksFor(String(path)) : undefined;
    if (hooks) hooked.set(descriptor, hooks);
    return descriptor;
  };
  fs.closeSync = (descriptor) => {
    hooked.delete(descriptor);
    closeSync(descriptor);
  };
  fs.writeFileSync = (file, text, ...more) => {
    const write = (own) => writeFileSync(file, own, ...more);
    const { write: hook } = hooked.get(file) ?? {};
    return hook ? hook(text, write) : write(text);
  };
  fs.ftruncateSync = (descriptor, size) => {
    const { truncate: hook } = hooked.get(descriptor) ?? {};
    return hook ? hook() : ftruncateSync(descriptor, size);
  };
  fs.fsync = (descriptor, callback) => {
    const sync = (then) => fsync(descriptor, then);
    const { sync: hook } = hooked.get(descriptor) ?? {};
    return hook ? hook(sync, callback) : sync(callback);
  };
  syncBuiltinESMExports();
};

/** The error of a full disk, or another one, as Node throws it. */
export const diskError = (code, message = `${code}: on the disk`) => Object.assign(new Error(message), { code });
