import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { encryptKeystoreJson } from 'ethers/wallet';
import { type Failure, isFailure } from '../../src/core/failure.ts';

const CAST = new URL('../../node_modules/.bin/cast', import.meta.url).pathname;

/** Runs the real cast with its own home folder. Resolves with its stdout. */
export const cast = async (home: string, ...args: readonly string[]): Promise<string> => {
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(CAST, args, { env, cwd: home });
  return stdout;
};

/** An unfunded key and its address, from the documentation of web3.js. */
export const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
export const ADDRESS = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';

export const keyBytes = (): Uint8Array => Uint8Array.from(Buffer.from(KEY, 'hex'));

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** KEY in a key file of ethers with a cheap scrypt cost. */
export const ethersFile = (password: string): Promise<string> =>
  encryptKeystoreJson({ address: ADDRESS, privateKey: `0x${KEY}` }, password, { scrypt: { N: 1024 } });

/** A key file with one changed field. `path` is such as `crypto.kdfparams.n`; `undefined` removes the field. */
export const changeField = (text: string, path: string, change: (value: never) => unknown): string => {
  const file: unknown = JSON.parse(text);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((node, name) => (node as Record<string, unknown>)[name], file) as Record<string, unknown>;
  parent[last] = change(parent[last] as never);
  return JSON.stringify(file);
};

/** The failure of a call. Throws when the call succeeds. */
export const failureOf = async (work: Promise<unknown> | (() => unknown)): Promise<Failure> => {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (isFailure(error)) return error;
    throw error;
  }
  throw new Error('the call succeeded, but a failure was expected');
};
