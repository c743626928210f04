import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { loadBundle } from './bundle.mjs';
import { inTurn, RUNS, ratioRow, timed } from './measure.mjs';

const COST = { N: 131_072, r: 8, p: 1, maxmem: 129 * 131_072 * 8 };

/** The keystore of the sources. */
const loadKeystore = (folder) =>
  loadBundle(
    folder,
    'keystore',
    `export { decryptKey } from './src/keystore/unlock.ts';
        export { encryptKey } from './src/keystore/import.ts';
        export { systemDerive as derive } from './src/io/system.ts';
        export { secret } from './src/core/secret.ts';`,
  );

const FAMILIES = [
  ['evm', 'an EVM key'],
  ['solana', 'a Solana key'],
];

/** Unlocking one key of a family, against the key derivation alone. */
const benchFamily = async ({ encryptKey, decryptKey, derive, secret }, [chain, name]) => {
  const password = secret('bench');
  const random = { bytes: (count) => randomBytes(count), fraction: Math.random };
  const text = await encryptKey({ chain, privateKey: randomBytes(32), password, random, derive });
  const salt = randomBytes(32);
  const times = await inTurn(
    RUNS,
    timed(() => decryptKey(derive, text, password)),
    timed(() => promisify(scrypt)('bench', salt, 32, COST)),
  );
  return ratioRow(`unlock ${name}`, '`crypto.scrypt`', times, 1.1);
};

/** Unlocking a key of each family. */
export const benchKeys = async (home) => {
  const keystore = await loadKeystore(home);
  const rows = [];
  for (const family of FAMILIES) rows.push(await benchFamily(keystore, family));
  return rows;
};
