import { randomBytes, scrypt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { inTurn } from './measure.mjs';

const RUNS = 9;
const COST = { N: 131_072, r: 8, p: 1, maxmem: 129 * 131_072 * 8 };

/** The keystore's own code, bundled as the program has it. */
const loadKeystore = async (folder) => {
  const outfile = join(folder, 'keystore.mjs');
  await build({
    stdin: {
      contents: `export { encryptV3 } from './src/keystore/v3/encrypt.ts';
        export { decryptV3 } from './src/keystore/v3/decrypt.ts';
        export { secret } from './src/core/secret.ts';`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return import(pathToFileURL(outfile).href);
};

const timed = (work) => async () => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Unlocking a key, against the bare key derivation that it cannot do without. */
export const benchKeys = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-bench-keys-'));
  try {
    const { encryptV3, decryptV3, secret } = await loadKeystore(folder);
    const password = secret('bench');
    const text = await encryptV3({
      privateKey: randomBytes(32),
      password,
      random: { bytes: (count) => randomBytes(count), fraction: Math.random },
    });
    const salt = randomBytes(32);
    const [own, bare] = await inTurn(
      RUNS,
      timed(() => decryptV3(text, password)),
      timed(() => promisify(scrypt)('bench', salt, 32, COST)),
    );
    const shown = (value) => `${Math.round(value)} ms`;
    return [
      {
        what: 'unlocking a key',
        own: shown(own),
        other: `crypto.scrypt: ${shown(bare)}`,
        value: own / bare,
        budget: 1.1,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
