import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { readImportSource } from '../../src/keystore/import.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { withPassword } from '../../src/keystore/password.ts';
import { unlock } from '../../src/keystore/unlock.ts';
import { decryptV3 } from '../../src/keystore/v3.ts';
import { testIo } from '../support/io.ts';
import { changeField, ethersFile, failureOf, KEY } from './support.ts';

const acceptAny = async () => undefined;

const PASSWORD = 'correct-horse-battery';
const PHRASE = 'zebra tset zebra zebra zebra zebra zebra zebra zebra zebra zebra zebra';
const SECRETS = [PASSWORD, KEY.slice(0, 8), KEY.slice(-8), 'zebra', 'tset'];

/** Calls that hold a secret and fail, each for another reason. */
const FAILING_CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a wrong password': async () => decryptV3(systemDerive, await ethersFile('other'), secret(PASSWORD)),
  'a damaged iv': async () =>
    decryptV3(
      systemDerive,
      changeField(await ethersFile(PASSWORD), 'Crypto.cipherparams.iv', () => '00'.repeat(16)),
      secret(PASSWORD),
    ),
  'a wrong address': async () =>
    decryptV3(
      systemDerive,
      changeField(await ethersFile(PASSWORD), 'address', () => '00'.repeat(20)),
      secret(PASSWORD),
    ),
  'a private key instead of a key file': () => decryptV3(systemDerive, KEY, secret(PASSWORD)),
  'a private key in a field of the file': async () =>
    decryptV3(
      systemDerive,
      changeField(await ethersFile(PASSWORD), 'Crypto.mac', () => `${KEY}!`),
      secret(PASSWORD),
    ),
  'a private key as the cipher': async () =>
    decryptV3(
      systemDerive,
      changeField(await ethersFile(PASSWORD), 'Crypto.cipher', () => KEY),
      secret(PASSWORD),
    ),
  'a mnemonic instead of a key file': () => decryptV3(systemDerive, PHRASE, secret(PASSWORD)),
  'a private key that is too long': () =>
    readImportSource(systemDerive, 'evm', { kind: 'private-key', text: `0x${KEY}00` }),
  'a private key with a typo': () =>
    readImportSource(systemDerive, 'evm', { kind: 'private-key', text: `${KEY.slice(0, -1)}x` }),
  'a mnemonic as a private key': () => readImportSource(systemDerive, 'evm', { kind: 'private-key', text: PHRASE }),
  'a mnemonic with a typo': () => readImportSource(systemDerive, 'evm', { kind: 'mnemonic', text: PHRASE }),
  'a mnemonic with a wrong checksum': () =>
    readImportSource(systemDerive, 'evm', { kind: 'mnemonic', text: PHRASE.replace('tset', 'zebra') }),
  'a mnemonic of too few words': () => readImportSource(systemDerive, 'evm', { kind: 'mnemonic', text: 'zebra tset' }),
  'a mnemonic as its path': () =>
    readImportSource(systemDerive, 'evm', { kind: 'mnemonic', text: PHRASE, path: PHRASE }),
  'a private key as the name of a key': async () => openKeystore((await testIo()).io).find(KEY),
  'a private key with 0x as the name of a key': async () => openKeystore((await testIo()).io).find(`0x${KEY}`),
  'a password with an extra line end': async () => {
    const { io } = await testIo({ stdin: `${PASSWORD}\n\n` });
    const keystore = openKeystore(io);
    await keystore.create('till', await ethersFile(PASSWORD));
    return unlock(io, keystore, 'till', { passwordStdin: true });
  },
  'a password file that others can read': async () => {
    const { io, home } = await testIo();
    await writeFile(join(home, 'password'), PASSWORD, { mode: 0o644 });
    return withPassword(io, { passwordFile: 'password' }, 'till', acceptAny);
  },
  'a password that is not UTF-8': async () => {
    const { io } = await testIo({ stdin: Buffer.concat([Buffer.from(PASSWORD), Buffer.from([0xff])]) });
    return withPassword(io, { passwordStdin: true }, 'till', acceptAny);
  },
  'three wrong passwords': async () => {
    const { io } = await testIo({ answers: [PASSWORD, `${PASSWORD}1`, `${PASSWORD}2`] });
    const keystore = openKeystore(io);
    await keystore.create('till', await ethersFile('other'));
    return unlock(io, keystore, 'till', {});
  },
};

it.each(Object.entries(FAILING_CALLS))(
  'the failure for %s has no secret in its message, details, cause or stack',
  async (_, fail) => {
    const failure = await failureOf(fail());
    const everything = inspect(failure, { depth: 10, showHidden: true }) + JSON.stringify(failure.details);
    for (const secretText of SECRETS) expect(everything).not.toContain(secretText);
  },
);
