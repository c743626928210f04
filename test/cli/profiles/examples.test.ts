import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { temporaryFolder } from '../../support/io.ts';
import { API_KEY, given } from './support.ts';

const NAMES = ['login', 'logout', 'whoami', 'profile'];
const leaves = (await Promise.all(AREAS.filter(({ name }) => NAMES.includes(name)).map(({ load }) => load()))).flat();

/** The content of pins.json that the shell would insert. */
const PINS =
  '[{"chain":"polygon","address":"0x605d0c423fa340fffa305b47faeef8fd949d2be4","abi":"function pay(address token, uint256 amount)"}]';

describe.runIf(process.platform === 'linux')('examples in the help of profiles', () => {
  it('succeed, each in a home with its profiles and keys', async () => {
    const { home, url, run, login } = await given();
    await login('--profile', 'production');
    await login('--profile', 'staging');
    await writeFile(join(home, 'key'), API_KEY, { mode: 0o600 });
    await writeFile(join(home, 'settings.yaml'), 'keys: {evm: treasury}\n');
    await run(['login', '--base-url', url, '--api-key-file', 'key']);
    const asItWas = `${await temporaryFolder()}/home`;
    await cp(home, asItWas, { recursive: true });
    for (const line of leaves.flatMap(({ examples }) => examples)) {
      await rm(home, { recursive: true });
      await cp(asItWas, home, { recursive: true });
      const typed = line.replace('"pins=$(cat pins.json)"', `'pins=${PINS}'`);
      const [command = ''] = typed.replace(/https:\/\/(?:api|staging)\.example\.com/, url).split(/ [<>] /);
      const args = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'));
      // A terminal would ask for the key.
      const isAsked = args[0] === 'login' && !line.includes('--api-key-');
      const { code, stderr } = await run(isAsked ? [...args, '--api-key-stdin'] : args, { stdin: API_KEY });
      expect([line, code, stderr.replaceAll(/^(?:note: |The profile).*\n/gm, '')]).toEqual([line, 0, '']);
    }
  });
});
