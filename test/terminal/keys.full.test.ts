import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { newEvmKey } from '../support/cheap-key.ts';
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
  it('a mnemonic is not echoed; its accounts are listed with addresses, and the picked account is imported', async () => {
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

  it('key import without a source asks for the source, with a mnemonic first', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('clear; bursar key import till --chain evm');
    await terminal.until('Import the key from:');
    terminal.keys('Enter');
    await terminal.until('Mnemonic:');
  });

  it('an unencrypted export needs the typed name; yes and an empty line export nothing', async () => {
    const terminal = openTerminal(await homeWithKey());
    terminal.run('clear; bursar key export till --format private-key --out -; echo "exit=$?"');
    await terminal.until('Type till to export it');
    terminal.keys('Enter');
    expect(await terminal.until('exit=2')).toContain('not confirmed');
    terminal.run('clear; bursar key export till --format private-key --out -; echo "exit=$?"');
    await terminal.until('Type till to export it');
    terminal.run('yes');
    expect(await terminal.until('> that is not till'), 'a refused answer is not marked as accepted').not.toContain('✔');
    terminal.keys('C-u');
    terminal.run('till');
    await terminal.until('Password of the key');
    terminal.run('pw');
    expect(await terminal.until('exit=0', 30)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{87,88}$/m);
  });

  it('a password changes after the old password and two times the new password', async () => {
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

  it('a wrong old password has three tries, and the command ends before the new password', async () => {
    const terminal = openTerminal(await homeWithKey(), { columns: 100, rows: 30 });
    terminal.run('clear; bursar key passwd till; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.keys('Enter');
    expect(
      await terminal.until('> Required. Ctrl-C to quit.'),
      'a refused answer is not marked as accepted',
    ).not.toContain('✔');
    for (const left of ['2 more tries', 'One more try']) {
      terminal.run('wrong');
      await terminal.until(`The password is wrong. ${left}`, 30);
    }
    terminal.run('wrong');
    expect(await terminal.until('exit=2', 30)).not.toContain('new password');
  });

  it('a wrong repetition of a new password is asked again, and Enter starts over', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 });
    terminal.run('clear; bursar key new ops --chain evm; echo "exit=$?"');
    await terminal.until('Choose a password');
    terminal.run('hunter3');
    await terminal.until('same password again');
    terminal.run('hunter2');
    const refused = await terminal.until('> Passwords don');
    expect(refused.match(/✔/g), 'a refused answer is not marked as accepted').toHaveLength(1);
    terminal.keys('Enter');
    await terminal.until(/Choose a password[\s\S]*Choose a password/);
    terminal.run('hunter2');
    await terminal.until(/match\. Press[\s\S]*same password again[\s\S]*same password again/);
    terminal.run('hunter2');
    expect(await terminal.until('exit=0', 30)).not.toContain('hunter');
  });

  it('an error of a name, mnemonic, private key or file is shown at its question', async () => {
    const home = await homeWithKey();
    const terminal = openTerminal(home, { columns: 100, rows: 40 });
    const wrong = async (text: string, problem: string) => {
      terminal.run(text);
      expect(await terminal.until(`> ${problem}`)).not.toMatch(new RegExp(`✔.*${text}`));
      terminal.keys('C-u');
    };
    terminal.run('clear; bursar key new; echo "exit=$?"');
    await terminal.until('❯ evm');
    terminal.keys('Down', 'Enter');
    await terminal.until('Name of the new key NAME (savings)');
    await wrong('treas ury', 'this is not a valid key name');
    await wrong('till', 'the key till already exists');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain('interrupted; nothing was done');
    await runBursar(home, ['key', 'rename', 'till', 'treasury']);
    terminal.run('clear; bursar key new --chain evm; echo "exit=$?"');
    await terminal.until('Name of the new key NAME (treasury-2)');
    terminal.keys('Enter');
    await terminal.until('Choose a password');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain(
      'bursar key new --chain evm treasury-2 --password-file "$PASSWORD_FILE"',
    );
    terminal.run('clear; bursar key import ops --chain evm; echo "exit=$?"');
    await terminal.until('Import the key from:');
    terminal.keys('Enter');
    await terminal.until('Mnemonic:');
    expect(await terminal.screen()).toContain('Import the key from: a mnemonic of 12 to 24 words');
    await wrong('abandon abandon abandon abandon abandon about', 'the mnemonic has 6 words');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    terminal.run('clear; bursar key import ops --chain evm --private-key-stdin; echo "exit=$?"');
    await terminal.until('Private key:');
    terminal.run('0x1234');
    expect(await terminal.until(/^> /m)).not.toContain('Choose a password');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    await writeFile(join(home, 'tx.json'), '{}');
    terminal.run('clear; bursar yield sign --key treasury; echo "exit=$?"');
    await terminal.until('File with the transaction');
    await wrong('~/none.json', 'there is no such file');
    terminal.run('~/tx.json');
    const screen = await terminal.until('exit=2');
    expect(screen, 'a typed ~ is the home').toContain('the file contains neither a crypto_tx');
  });

  it('an export of a Solana key offers no format of Ethereum', async () => {
    const terminal = openTerminal(await homeWithKey(), { columns: 100, rows: 30 });
    terminal.run('clear; bursar key export till --out -; echo "exit=$?"');
    const screen = await terminal.until('Format --format');
    expect(screen).toContain('solana-keypair (in the clear)');
    expect(screen).not.toContain('v3');
    terminal.keys('C-c');
  });

  it('a message is shown before the password of its key is asked', async () => {
    const terminal = openTerminal(await homeWithKey());
    terminal.run('clear; bursar key sign-message till --message hello; echo "exit=$?"');
    expect(await terminal.until('Password of the key')).toMatch(/signing this message:\n +hello\n/);
    terminal.keys('C-c');
  });

  it('a key file without an address causes a question, and key passwd adds the address', async () => {
    const home = await temporaryFolder();
    await runBursar(home, ['key', 'new', 'old', '--chain', 'evm'], { env: { BURSAR_KEY_PASSWORD: 'pw' } });
    const path = join(home, 'keys/old.json');
    const { address, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(rest));
    const terminal = openTerminal(home, { columns: 120, rows: 40 });
    terminal.run('clear; bursar key passwd old; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('pw');
    expect((await terminal.until('the address you expect?', 30)).toLowerCase()).toContain(address);
    terminal.run('y');
    await terminal.until('Choose a new password');
    terminal.run('pw');
    await terminal.until('same password again');
    terminal.run('pw');
    await terminal.until('exit=0', 30);
    expect(JSON.parse(await readFile(path, 'utf8')).address).toBe(address);
  });

  it('key policy set without a setting lists the policy settings with their values, and no profile settings', async () => {
    const home = await temporaryFolder();
    await newEvmKey(home, 'payer');
    const terminal = openTerminal(home, { columns: 100, rows: 30 });
    terminal.run('clear; bursar key policy set payer; echo "exit=$?"');
    const list = await terminal.until('Setting:');
    expect(list).toContain('most_per_day.TOKEN (most that may leave in a day)');
    expect(list).not.toMatch(/base_url|policy\.chains/);
    terminal.run('chains');
    await terminal.until('chains:');
    terminal.run('polygon');
    expect(await terminal.until('exit=0')).toMatch(/^chains +polygon$/m);
    terminal.run('clear; bursar key policy set payer; echo "exit=$?"');
    await terminal.until('Setting:');
    terminal.run('chains');
    await terminal.until('chains, now polygon (press Enter to remove it):');
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });
});
