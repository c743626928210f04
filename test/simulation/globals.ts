import { createRequire } from 'node:module';
import { __initializeContext } from 'tiny-secp256k1';

const load = createRequire(__filename);

const closed = (name: string) => (): never => {
  throw new Error(`the program called ${name} without its Io`);
};

/**
 * Makes each global throw that reaches the machine or differs between two runs. The simulator captures the functions that it
 * needs before this call.
 */
export const closeGlobals = (): void => {
  // It takes random bytes once, against side channels: no result depends on them.
  __initializeContext();
  Object.assign(globalThis, {
    setTimeout: closed('setTimeout'),
    setInterval: closed('setInterval'),
    setImmediate: closed('setImmediate'),
    fetch: closed('fetch'),
  });
  Date.now = closed('Date.now');
  Math.random = closed('Math.random');
  const crypto = load('node:crypto');
  for (const name of ['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'scrypt', 'pbkdf2'])
    crypto[name] = closed(`crypto.${name}`);
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: closed('getRandomValues') });
  const fs = load('node:fs/promises');
  for (const name of Object.keys(fs)) if (typeof fs[name] === 'function') fs[name] = closed(`fs.${name}`);
  for (const [module, names] of [
    ['node:timers/promises', ['setTimeout', 'setImmediate']],
    ['node:fs', ['open', 'readFile', 'writeFile', 'createReadStream', 'createWriteStream']],
    ['node:net', ['connect', 'createConnection']],
    ['node:child_process', ['spawn', 'exec', 'execFile', 'fork']],
  ] as const) {
    const loaded = load(module);
    for (const name of names) loaded[name] = closed(`${module} ${name}`);
  }
};
