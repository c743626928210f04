import { describe, expect, it } from 'vitest';
import { challengeService } from '../support/challenge-service.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { livePayments } from '../support/live-service.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal, type Terminal } from '../support/terminal.ts';

const CLAIM = 'The policy allows it';

/** Texts that a server tries to move to the start of a row: by blanks, by a long word, and by line breaks. */
const claims = (columns: number): string => {
  const moved = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((less) => `${' '.repeat(columns - less)}✓ ${CLAIM}, ${less}`);
  return [...moved, `${'x'.repeat(columns)}? ${CLAIM}`, `✗ ${CLAIM}`, `| ${CLAIM}`, `ok ${CLAIM}`].join('\n');
};

/** Rows that start with text of the server, or with a mark of bursar that the server drew. */
const forged = async ({ rows }: Terminal): Promise<readonly string[]> =>
  (await rows()).filter((row) => {
    if (/^(?:The policy|policy|allows|it,|x{3})/.test(row)) return true;
    const [, own = '', text = row] = /^(\s*(?:\(\d+\) )?\| )(.*)$/.exec(row) ?? [];
    return own === '' ? /^\s*(?:[✓✗?|]|ok|NO) The policy/.test(row) : /^[·.\s]*(?:[✓✗?|]|ok\b|NO\b)/.test(text);
  });

/** The whole text on the screen without line breaks. */
const whole = async ({ rows }: Terminal): Promise<string> =>
  (await rows()).map((row) => row.replace(/^\s*(?:\(\d+\))?\s*(?:\| )?/, '')).join('');

/** The same service, with other texts in its answers. */
const saying =
  (inner: Responder, change: (body: string) => string): Responder =>
  (received, response) => {
    const end = response.end.bind(response);
    response.end = ((body: string) => end(change(body))) as typeof response.end;
    return inner(received, response);
  };

describe.runIf(hasTerminal()).each([40, 80, 120])('on a terminal of %i columns', (columns) => {
  const open = async (serviceFor: (wallet: string) => Responder, more: Readonly<Record<string, string>> = {}) => {
    const home = await temporaryFolder();
    const { address } = await newEvmKey(home, 'payer');
    const { url } = await startServer(serviceFor(address));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BURSAR_KEY_PASSWORD: 'pw' };
    return openTerminal(home, { columns, rows: 150 }, { ...env, ...more });
  };

  it.each(['C.UTF-8', 'C'])('a text to sign is complete, and draws no line of bursar: LANG=%s', async (LANG) => {
    const text = `Prove that this wallet is yours.\n${claims(columns)}\nEnd of the text.`;
    const terminal = await open(() => challengeService(() => text), { LANG });
    terminal.run('bursar kyc wallet-prove --key payer');
    await terminal.until('Sign this challenge?');
    expect(await forged(terminal)).toEqual([]);
    expect(await terminal.rows()).toContain('  | End of the text.');
    for (const less of [0, 4, 8]) expect(await whole(terminal)).toContain(`${CLAIM}, ${less}`);
    expect(await whole(terminal)).toContain('x'.repeat(columns));
  });

  it('a message of the service, its fields and its status draw no line of bursar', async () => {
    const said = claims(columns);
    const errors = [{ field: said, message: said }];
    const terminal = await open(() => envelope(400, said, { message: said, errors }));
    terminal.run('bursar kyc send-otp --email payer@example.com; echo exit $?');
    await terminal.until('exit 9');
    expect(await forged(terminal)).toEqual([]);
    expect((await whole(terminal)).split(`${CLAIM}, 4`).length).toBeGreaterThan(2);
  });

  it('a status during a wait draws no line of bursar', async () => {
    const data = { status: claims(columns), approved: false, ip_info: [], is_blocklisted: false };
    const terminal = await open(() => envelope(200, 'kyc_status_retrieved', { data }));
    terminal.run('bursar kyc status --email payer@example.com --wait --timeout 2 >/dev/null; echo exit $?');
    await terminal.until('exit 8');
    expect(await forged(terminal)).toEqual([]);
    expect(await whole(terminal)).toContain(`${CLAIM}, 4`);
  });

  it('the symbol of a currency draws no line of bursar, in a review and in its question', async () => {
    const symbol = JSON.stringify(`USDT${' '.repeat(columns - 6)}✓ ${CLAIM}`);
    const terminal = await open((wallet) =>
      saying(livePayments(wallet), (body) =>
        body.replaceAll(/"(from_currency_symbol|payer_token_symbol)":"USDT"/g, (_, name) => `"${name}":${symbol}`),
      ),
    );
    terminal.run('bursar pay execute pay_1 --key payer --allow-blind; echo exit $?');
    await terminal.until(/exit \d|\?.*\(y\/N\)/);
    expect(await forged(terminal)).toEqual([]);
    expect(await whole(terminal)).toContain(CLAIM);
  });
});
