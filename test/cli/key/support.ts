import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newHome } from '../../support/bursar.ts';

/** A mnemonic of BIP-39's own vectors, and words that stand for a password. */
export const ABOUT = `${'abandon '.repeat(11)}about`;
export const PASSWORD = 'correct-horse-battery';

const IMPORT = ['key', 'import', '--mnemonic-stdin', '--password-file', 'pw'];

/** Keys that were made once: making one takes its time on purpose. */
const made = new Map<string, string>();

/** A home with a password in the file `pw`; keys of both families as `e` and `s` where they are asked for. */
export const keyHome = async (...names: readonly ('e' | 's')[]) => {
  const { home, bursar } = await newHome();
  const put = (name: string, text: string, mode = 0o600) => writeFile(join(home, name), text, { mode });
  await put('pw', `${PASSWORD}\r\n`);
  const json = async (args: readonly string[], stdin = '') => {
    const { code, stdout, stderr } = await bursar([...args, '--json'], { stdin });
    return { code, stderr, data: JSON.parse(stdout) };
  };
  for (const name of names) {
    const file = join(home, 'keys', `${name}.json`);
    const text = made.get(name);
    if (text === undefined) {
      await bursar([...IMPORT, name, '--chain', name === 'e' ? 'evm' : 'solana'], { stdin: ABOUT });
      made.set(name, await readFile(file, 'utf8'));
    } else {
      await mkdir(join(home, 'keys'), { mode: 0o700, recursive: true });
      await writeFile(file, text, { mode: 0o600 });
    }
  }
  return { home, bursar, put, json };
};

/** The addresses of `ABOUT` at the first usual path: of ethers' and of Solana wallets' documentation. */
export const ADDRESS = {
  e: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  s: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
} as const;
