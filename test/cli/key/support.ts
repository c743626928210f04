import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newHome } from '../../support/bursar.ts';

/** A mnemonic of BIP-39's own vectors, and words that stand for a password. */
export const ABOUT = `${'abandon '.repeat(11)}about`;
export const PASSWORD = 'correct-horse-battery';

/** A home with a password in the file `pw`; keys of both families as `e` and `s` where they are asked for. */
export const keyHome = async (...names: readonly ('e' | 's')[]) => {
  const { home, bursar } = await newHome();
  const put = (name: string, text: string, mode = 0o600) => writeFile(join(home, name), text, { mode });
  await put('pw', `${PASSWORD}\r\n`);
  const json = async (args: readonly string[], stdin = '') => {
    const { code, stdout, stderr } = await bursar([...args, '--json'], { stdin });
    return { code, stderr, data: JSON.parse(stdout) };
  };
  const mnemonic = ['--mnemonic-stdin', '--password-file', 'pw'];
  for (const name of names)
    await bursar(['key', 'import', name, '--chain', name === 'e' ? 'evm' : 'solana', ...mnemonic], { stdin: ABOUT });
  return { home, bursar, put, json };
};

/** The addresses of `ABOUT` at the first usual path: of ethers' and of Solana wallets' documentation. */
export const ADDRESS = {
  e: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  s: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
} as const;
