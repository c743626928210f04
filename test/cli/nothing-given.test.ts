import { describe, expect, it } from 'vitest';
import { AREAS } from '../../src/cli/areas.ts';
import type { Leaf } from '../../src/cli/command.ts';
import { newHome } from '../support/bursar.ts';
import { CARD_FIELDS } from '../support/charge.ts';
import { newHomeInProcess } from '../support/in-process.ts';

const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

const leaves: readonly Leaf[] = (await Promise.all(AREAS.map(({ load }) => load()))).flat();

/** These start or stop a sandbox, and need nothing for it. */
const NEEDS_NOTHING = ['demo', 'sandbox start', 'sandbox inbox', 'sandbox kyc', 'sandbox clock', 'sandbox tenant'];

const quiet = leaves.filter(({ words }) => !NEEDS_NOTHING.includes(words.join(' ')) && words[0] !== 'sandbox');

/** Everything that a document of errors names. */
const missingIn = (stdout: string): readonly string[] =>
  (JSON.parse(stdout).error?.errors ?? []).map(({ option, field }: Record<string, string>) => option ?? field);

describe('a command with nothing given and nobody there', () => {
  it('they are found at all', () => {
    expect(quiet.length).toBeGreaterThan(40);
  });

  it.each(quiet.map((leaf) => [leaf.words.join(' '), leaf] as const))(
    '%s ends at once; all that it cannot do without is named',
    async (name, leaf) => {
      const { bursar } = await newHomeInProcess();
      const { code, stdout } = await bursar([...leaf.words, '--json'], { env: LIVE });
      expect([0, 2, 3, 4, 5], name).toContain(code);
      if (code !== 2 || stdout === '') return;
      const named = missingIn(stdout).join(' ');
      const needed = (leaf.arguments ?? []).filter(({ isOptional }) => !isOptional);
      if (named !== '') for (const argument of needed) expect(named).toContain(argument.name);
      const options = (leaf.options ?? []).filter(({ says }) => says.endsWith('(required)'));
      for (const { flag } of options) expect(named).toContain(flag);
    },
    20_000,
  );

  it.each<[string, readonly string[], readonly string[]]>([
    ['pay status', ['pay', 'status'], ['PAYMENT_ID']],
    ['pay sign', ['pay', 'sign'], ['PAYMENT_ID or --unsigned', '--key']],
    ['pay execute', ['pay', 'execute'], ['PAYMENT_ID', '--key or --signed-transaction']],
    ['key export', ['key', 'export'], ['NAME', '--format', '--out']],
    ['key verify-message', ['key', 'verify-message'], ['--address', '--message', '--signature']],
    ['kyc verify-otp', ['kyc', 'verify-otp'], ['--email', '--code']],
    [
      'pay run of a card',
      ['pay', 'run', '--transaction-type', 'cardfiat'],
      ['--amount-from', '--payer-name', '--address-zipcode', '--card-token or --card-file'],
    ],
  ])('%s names all of them at once', async (_, words, wanted) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout } = await bursar([...words, '--json'], { env: LIVE });
    expect(code).toBe(2);
    expect(missingIn(stdout)).toEqual(expect.arrayContaining([...wanted]));
    expect(JSON.parse(stdout).error.next).toBe(`bursar help ${words.slice(0, 2).join(' ')}`);
  });

  it('what is missing is said once, each with what it is, and where to read on', async () => {
    const { bursar } = await newHomeInProcess();
    const one = await bursar(['yield', 'best'], { env: LIVE });
    expect(one.stderr).toBe(
      'error: missing:\n  ASSET_SYMBOL: required (The token, such as USDC)\nnext: bursar help yield best\n',
    );
    const other = await bursar(['pay', 'run'], { env: LIVE });
    expect(other.stderr).toContain('  --amount-from: required (Amount in the source currency, such as 10)\n');
  });

  it('a postal code is taken as people write it, and its digits are sent', async () => {
    const { bursar } = await newHomeInProcess();
    const payer = ['--payer-email', 'a@example.com', '--payer-name', 'Ana', '--payer-document', '1'];
    const zip = (code: string) => {
      const fields = CARD_FIELDS.map((word, at) => (CARD_FIELDS[at - 1] === '--address-zipcode' ? code : word));
      const card = ['--payer-document-type', 'PASSPORT', '--card-token', 't', '--payer-ip', '203.0.113.7', ...fields];
      const type = ['--transaction-type', 'cardfiat', '--session-id', 's', '--curl'];
      return bursar(['pay', 'transaction', 'pay_1', ...type, ...payer, ...card], { env: LIVE });
    };
    for (const code of ['01310-100', '01.310-100', '01310 100']) {
      expect((await zip(code)).stdout, code).toMatch(/zipcode\W+01310100\b/);
    }
    expect((await zip('0131x')).stderr).toContain('--address-zipcode: must be digits only');
  });

  it('the help of the command is named, whatever stands before its words', async () => {
    const { bursar } = await newHomeInProcess();
    const { stderr } = await bursar(['--profile', 'sandbox', 'yield', 'best', '--nope'], { env: LIVE });
    expect(stderr).toContain('next: bursar help yield best\n');
  });

  it('an answer that would fit is not taken from a pipe: yes confirms nothing', async () => {
    const { bursar } = await newHome();
    const stdin = 'yes\n'.repeat(1000);
    for (const words of [
      ['pay', 'run'],
      ['key', 'remove', 'k'],
      ['pay', 'execute', 'pay_1'],
    ]) {
      expect((await bursar(words, { env: LIVE, stdin })).code, words.join(' ')).toBe(2);
    }
  });
});
