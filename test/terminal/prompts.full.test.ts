import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newEvmKey } from '../support/cheap-key.ts';
import { runInProcess } from '../support/in-process.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const PAYMENT = [
  'pay run --key k --payer-email a@example.com --amount-from 10 --from-currency-symbol USDT',
  '--to-currency-symbol USDT --to-chain polygon --allow crypto',
  '--split 0x1111111111111111111111111111111111111111=100',
  `--public-client-id c_${'0'.repeat(32)} --webhook-url https://shop.example/hook`,
].join(' ');

/** A home with a key named k, whose password is "pw", and a sandbox that stops with the test. */
const homeWithKey = async () => {
  const home = await temporaryFolder();
  onTestFinished(async () => void (await runInProcess(home, ['sandbox', 'stop'])));
  await newEvmKey(home, 'k');
  return home;
};

describe.runIf(hasTerminal())('on a terminal of 80 by 24', () => {
  it('a new password is asked twice, never shown, and the key is created', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('bursar key new ops --chain evm; echo "exit=$?"');
    await terminal.until('Choose a password');
    terminal.run('hunter2');
    await terminal.until('same password again');
    terminal.run('hunter2');
    const screen = await terminal.until('exit=0');
    expect(screen).toMatch(/address +0x[0-9a-fA-F]{40}/);
    expect(screen).not.toContain('hunter2');
  });

  it('Ctrl-C in a prompt ends with 130, without a stack trace, and the terminal echoes again', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('bursar key new ops --chain evm; echo "exit=$?"');
    await terminal.until('Choose a password');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).not.toContain('    at ');
    terminal.run('echo visible-$((40+2))');
    await terminal.until('visible-42');
  });

  it('a spinner turns during the unlocking of a key, and is then removed', async () => {
    const home = await temporaryFolder();
    // A key of the usual cost, so the unlocking takes time.
    await runInProcess(home, ['key', 'new', 'k', '--chain', 'evm'], { env: { BURSAR_KEY_PASSWORD: 'pw' } });
    const terminal = openTerminal(home);
    const record = join(home, 'record');
    terminal.run('clear');
    terminal.record(record);
    terminal.run('bursar key export k --format v3 --out -; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('pw');
    expect(await terminal.until('exit=0')).not.toContain('Unlocking');
    const frames = new Set((await readFile(record, 'utf8')).match(/[|/\\-](?=\S* Unlocking k)/g));
    expect(frames.size).toBeGreaterThanOrEqual(3);
  });

  it('the password is asked after the yes to the review; three wrong passwords are exit 2, and a resume continues', async () => {
    const home = await homeWithKey();
    const terminal = openTerminal(home, { columns: 120, rows: 50 });
    await runInProcess(home, ['sandbox', 'fund', 'k', '--chain', 'polygon']);
    terminal.run(`bursar --profile sandbox ${PAYMENT}; echo "exit=$?"`);
    await terminal.until('Pay 10 USDT on polygon', 30);
    terminal.run('y');
    await terminal.until('Password of the key');
    for (const left of ['2 more tries', 'One more try']) {
      terminal.run('wrong');
      await terminal.until(left, 30);
    }
    terminal.run('wrong');
    const screen = await terminal.until('exit=2');
    expect(screen).toContain('error:');
    expect(screen).not.toMatch(/\n {4}at /);
    const [, resume = ''] = /next: (bursar pay resume \S+)/.exec(screen) ?? [];
    terminal.run(`clear; ${resume}; echo "exit=$?"`);
    await terminal.until('Pay 10 USDT on polygon', 30);
    terminal.run('y');
    await terminal.until('Password of the key');
    terminal.run('pw');
    expect(await terminal.until('exit=0', 30)).toMatch(/Payment of .*: success/);
  });

  it('a transaction of a file without a payment needs a confirmation, and Enter signs nothing', async () => {
    const home = await homeWithKey();
    const shown = await runInProcess(home, ['key', 'show', 'k', '--json']);
    const request = {
      to: '0x1111111111111111111111111111111111111111',
      data: '0x',
      value: 5,
      chainId: 1_000_137,
      nonce: 0,
    };
    const fees = { gasLimit: '21000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1' };
    const transactionRequest = { ...request, ...fees, from: JSON.parse(shown.stdout).address };
    const cryptoTx = { schema_version: 1, family: 'evm', chain_name: 'polygon', transactionRequest };
    await writeFile(join(home, 'tx.json'), JSON.stringify(cryptoTx));
    const terminal = openTerminal(home, { columns: 120, rows: 50 });
    terminal.run('bursar pay sign --unsigned "$BURSAR_HOME/tx.json" --key k; echo "exit=$?"');
    await terminal.until('Sign a transaction of 0.000000000000000005 POL', 30);
    await terminal.until('on polygon (sandbox)?');
    terminal.keys('Enter');
    expect(await terminal.until('exit=10')).not.toContain('signed_transaction');
  });

  it('a payment is reviewed with a question; after n nothing is signed', async () => {
    const home = await homeWithKey();
    await runInProcess(home, ['sandbox', 'fund', 'k', '--chain', 'polygon']);
    const terminal = openTerminal(home, { columns: 120, rows: 50 });
    terminal.run(`clear; bursar ${PAYMENT}; echo "exit=$?"`);
    const review = await terminal.until('Pay 10 USDT on polygon (sandbox)?', 30);
    expect(review).toContain('using the sandbox on this machine');
    expect(review).toContain('to 0x1111111111111111111111111111111111111111');
    terminal.keys('n', 'Enter');
    expect(await terminal.until('exit=10')).toContain('nothing was signed');
  });

  it('a payment that is confirmed by y ends with its receipt', async () => {
    const home = await homeWithKey();
    await runInProcess(home, ['sandbox', 'fund', 'k', '--chain', 'polygon']);
    const terminal = openTerminal(home, { columns: 120, rows: 60 });
    terminal.run(`clear; bursar ${PAYMENT}; echo "exit=$?"`);
    await terminal.until('Pay 10 USDT on polygon', 30);
    terminal.run('y');
    await terminal.until('Password of the key');
    terminal.run('pw');
    const screen = await terminal.until('exit=0', 30);
    expect(screen).toMatch(/Payment of .*: success/);
    expect(screen).toMatch(/hash +0x[0-9a-f]{64}/);
  });

  it('a key with a policy, and a key file without its address, need the password before a registration', async () => {
    const home = await homeWithKey();
    const path = join(home, 'keys', 'k.json');
    const { address, ...without } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(without), { mode: 0o600 });
    const terminal = openTerminal(home, { columns: 120, rows: 50 });
    terminal.run(`clear; bursar ${PAYMENT} --payer-wallet 0x${address}; echo "exit=$?"`);
    expect(await terminal.until('Password of the key')).not.toContain('registered');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    const limited = await homeWithKey();
    const setting = ['key', 'policy', 'set', 'k', 'most_per_day.USDT=50', '--yes'];
    expect((await runInProcess(limited, setting, { env: { BURSAR_KEY_PASSWORD: 'pw' } })).code).toBe(0);
    const other = openTerminal(limited, { columns: 120, rows: 50 });
    other.run(`clear; bursar ${PAYMENT}; echo "exit=$?"`);
    expect(await other.until('Password of the key')).not.toContain('registered');
    other.keys('C-c');
    await other.until('exit=130');
  });

  it('the captured output is data, and the question stays on the screen', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home);
    terminal.run('x=$(bursar key new ops --chain evm --json --fields name); echo "got=$x"');
    await terminal.until('Choose a password');
    terminal.run('pw');
    await terminal.until('same password again');
    terminal.run('pw');
    expect(await terminal.until('"name": "ops"')).toContain('got={');
  });

  it.each([60, 40])('of %i columns only an address in a list is wider, on one line', async (columns) => {
    const home = await homeWithKey();
    const terminal = openTerminal(home, { columns, rows: 24 });
    terminal.run('clear; bursar key list; echo "exit=$?"');
    const lines = (await terminal.until('exit=0')).split('\n');
    expect(lines.filter((line) => line.length > columns && !/^0x[0-9a-fA-F]{40}$/.test(line))).toEqual([]);
    expect(lines.join('\n')).toMatch(/0x[0-9a-fA-F]{40}/);
  });
});
