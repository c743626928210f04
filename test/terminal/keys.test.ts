import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const ABOUT = `${'abandon '.repeat(11)}about`;

/** A home with a Solana key named `till`, whose password is "pw". */
const homeWithKey = async () => {
  const home = await temporaryFolder();
  await runBursar(home, ['key', 'new', 'till', '--chain', 'solana'], { env: { BURSAR_KEY_PASSWORD: 'pw' } });
  return home;
};

describe.runIf(hasTerminal())('keys on a terminal of 80 by 24', () => {
  it('a mnemonic is not echoed; its accounts are listed with their addresses, and the picked one is imported', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home);
    const record = join(home, 'record');
    terminal.run('clear; bursar key import till --chain solana --mnemonic-stdin; echo "exit=$?"');
    await terminal.until('Mnemonic:');
    terminal.record(record);
    terminal.run(ABOUT);
    await terminal.until('Passphrase of the mnemonic');
    terminal.keys('Enter');
    const list = await terminal.until(/none +\S/);
    for (const path of ["m/44'/501'/0'/0'", "m/44'/501'/0' ", "m/44'/501' ", 'none '])
      expect(list).toMatch(new RegExp(`[1-9A-HJ-NP-Za-km-z]{32,44} +${path}`));
    expect(list).toContain('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk');
    expect(list.split('\n').filter((line) => line.includes('account 1') && !line.includes("0'/0'"))).toEqual([]);
    terminal.keys('Up');
    terminal.keys('Enter');
    await terminal.until('Choose a password');
    terminal.run('pw');
    await terminal.until('same password again');
    terminal.run('pw');
    const screen = await terminal.until('exit=0', 30);
    const bare = list.match(/(\S+) +none /)?.[1] ?? 'none';
    expect(screen).toMatch(new RegExp(`address +${bare}`));
    expect(await readFile(record, 'utf8')).not.toContain('abandon');
  });

  it('who imports a key without saying from what is asked, and a mnemonic is the first choice', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('clear; bursar key import till --chain evm');
    await terminal.until('What holds the key?');
    terminal.keys('Enter');
    await terminal.until('Mnemonic:');
  });

  it('an export in the clear needs the name typed out; yes and a bare newline export nothing', async () => {
    const terminal = openTerminal(await homeWithKey());
    for (const answer of ['', 'y', 'yes']) {
      terminal.run('clear; bursar key export till --format private-key --out -; echo "exit=$?"');
      await terminal.until('Type till to export it');
      terminal.run(answer);
      expect(await terminal.until('exit=2')).toContain('not confirmed');
    }
    terminal.run('clear; bursar key export till --format private-key --out -; echo "exit=$?"');
    await terminal.until('Type till to export it');
    terminal.run('till');
    await terminal.until('Password of the key');
    terminal.run('pw');
    expect(await terminal.until('exit=0', 30)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{87,88}$/m);
  });

  it('a password is changed by typing the old one, then the new one twice', async () => {
    const terminal = openTerminal(await homeWithKey());
    terminal.run('clear; bursar key passwd till; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('pw');
    await terminal.until('Choose a new password', 30);
    terminal.run('neu');
    await terminal.until('same password again');
    terminal.run('neu');
    await terminal.until('exit=0', 30);
    terminal.run('clear; bursar key sign-message till --message hello; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('neu');
    expect(await terminal.until('exit=0', 30)).toMatch(/signature\s+\S/);
  });

  it('a wrong old password ends before a new one is asked for', async () => {
    const terminal = openTerminal(await homeWithKey());
    terminal.run('clear; bursar key passwd till; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('wrong');
    expect(await terminal.until('exit=2', 30)).not.toContain('new password');
  });

  it('a key file without an address is asked about, and passwd mends it', async () => {
    const home = await temporaryFolder();
    await runBursar(home, ['key', 'new', 'old', '--chain', 'evm'], { env: { BURSAR_KEY_PASSWORD: 'pw' } });
    const path = join(home, 'keys/old.json');
    const { address, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(rest));
    const terminal = openTerminal(home, { columns: 120, rows: 40 });
    terminal.run('clear; bursar key passwd old; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('pw');
    expect((await terminal.until('the one you expect?', 30)).toLowerCase()).toContain(address);
    terminal.run('y');
    await terminal.until('Choose a new password');
    terminal.run('pw');
    await terminal.until('same password again');
    terminal.run('pw');
    await terminal.until('exit=0', 30);
    expect(JSON.parse(await readFile(path, 'utf8')).address).toBe(address);
  });
});
