import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../support/in-process.ts';
import { temporaryFolder } from '../../support/io.ts';

it('help formatting names every option and variable that changes the output format', async () => {
  const { stdout } = await runInProcess(await temporaryFolder(), ['help', 'formatting']);
  const options = ['--json', '--envelope', '--fields', '--jq', '--quiet', '--no-color'];
  for (const word of [...options, 'NO_COLOR', 'FORCE_COLOR', 'BURSAR_ACCESSIBLE']) expect(stdout).toContain(word);
});

describe('the word help in any position', () => {
  it.each([
    ['--profile x help pay run', 'help pay run'],
    ['--profile=x --json help pay run', 'help pay run'],
    ['--base-url https://a.example help order', 'help order'],
    ['help pay run --profile x', 'help pay run'],
    ['help pay --help', 'help pay'],
    ['pay help run', 'help pay run'],
    ['--quiet pay help', 'help pay'],
    ['--profile x help', '--help'],
    ['--timeout 5 help exit-codes', 'help exit-codes'],
  ])('bursar %s prints the same as bursar %s', async (line, same) => {
    const home = await temporaryFolder();
    const [one, other] = [await runInProcess(home, line.split(' ')), await runInProcess(home, same.split(' '))];
    expect(other).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('\n') });
    expect(one).toEqual(other);
  });

  it.each([
    ['--profile x help nope', '"nope"'],
    ['--profile x help pay rum', 'Did you mean run?'],
    ['pay help rum', 'Did you mean run?'],
  ])('bursar %s is exit 2, and the error names the word or suggests another', async (line, said) => {
    const { code, stdout, stderr } = await runInProcess(await temporaryFolder(), line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  it('is a symbol in quote, which has no subcommands', async () => {
    const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };
    const { stdout } = await runInProcess(await temporaryFolder(), ['quote', 'help', 'USDT', '--curl'], { env });
    expect(stdout).toContain('from=help');
  });
});
