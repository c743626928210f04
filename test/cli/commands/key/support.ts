import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemDerive } from '../../../../src/io/system.ts';
import { deriveKey, seedOfMnemonic } from '../../../../src/keystore/hd.ts';
import { type Ended, runBursar, type Settings } from '../../../support/bursar.ts';
import { newKey, withoutCost } from '../../../support/cheap-key.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';

/** A mnemonic of the BIP-39 test vectors, and a password. */
export const ABOUT = `${'abandon '.repeat(11)}about`;
export const PASSWORD = 'correct-horse-battery';

/** A home with a password in the file `pw`, and the named cheap keys: `e` for EVM, `s` for Solana. */
export const keyHome = async (...names: readonly ('e' | 's')[]) => {
  const { home, bursar: run } = await newHomeInProcess();
  const quietly = async (running: Promise<Ended>): Promise<Ended> => {
    const ended = await running;
    return { ...ended, stderr: withoutCost(ended.stderr) };
  };
  const bursar: typeof run = (args, given) => quietly(run(args, given));
  /** Runs bursar in its own process. */
  const alone = (args: readonly string[], settings?: Settings) => quietly(runBursar(home, args, settings));
  const put = (name: string, text: string, mode = 0o600) => writeFile(join(home, name), text, { mode });
  await put('pw', `${PASSWORD}\r\n`);
  const json = async (args: readonly string[], stdin = '') => {
    const { code, stdout, stderr } = await bursar([...args, '--json'], { stdin });
    return { code, stderr, data: JSON.parse(stdout) };
  };
  for (const name of names) {
    const chain = name === 'e' ? 'evm' : 'solana';
    const secret = await deriveKey(chain, await seedOfMnemonic(systemDerive, ABOUT), PATHS[name]);
    await newKey(home, name, chain, { secret, password: PASSWORD });
  }
  return { home, bursar, alone, put, json };
};

/** The addresses of `ABOUT` at the first usual path: of ethers' and of Solana wallets' documentation. */
export const ADDRESS = {
  e: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  s: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
} as const;

const PATHS = { e: "m/44'/60'/0'/0/0", s: "m/44'/501'/0'/0'" } as const;
