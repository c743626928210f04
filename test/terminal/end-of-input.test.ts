import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CARD_FIELDS, IN_REAIS, TOKEN } from '../support/charge.ts';
import { temporaryFolder } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const PAYER = '--payer-name Ana --payer-document 52998224725 --payer-document-type CPF';
const CARD = `pay run --transaction-type cardcrypto ${PAYER} ${CARD_FIELDS.map((word) => `'${word}'`).join(' ')}`;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A home, and the settings of a service of the test. */
const atService = async (more: Readonly<Record<string, string>> = {}) => {
  const home = await temporaryFolder();
  await writeFile(join(home, 'reais.json'), JSON.stringify(IN_REAIS));
  const { url, received } = await startServer(envelope(400, 'invalid_parameters'));
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k', ...more };
  return { home, received, env };
};

describe.runIf(hasTerminal())('standard input that is the terminal', () => {
  it('is refused as the source of a card: exit 2, and nothing is sent', async () => {
    const { home, received, env } = await atService();
    const terminal = openTerminal(home, undefined, env);
    terminal.run(`cd; clear; bursar ${CARD} --body reais.json --card-file -; echo "exit=$?"`);
    const screen = await terminal.until('exit=2');
    expect(screen).toContain('--card-file -: stdin is the terminal; give a file, or a pipe');
    expect(received).toEqual([]);
  });

  it('is not offered in the question for a card, and is refused as an answer', async () => {
    const { home, env } = await atService();
    const terminal = openTerminal(home, { columns: 120, rows: 40 }, env);
    terminal.run(`cd; clear; bursar ${CARD} --body reais.json`);
    const choices = await terminal.until('(--card-file)');
    expect(choices).not.toContain('for stdin');
    terminal.keys('Down', 'Enter');
    await terminal.until('never kept --card-file');
    terminal.run('-');
    await terminal.until('cannot be used here: enter a file name');
    terminal.keys('C-c');
  });

  it.each([[{}], [{ BURSAR_ACCESSIBLE: '1' }]])(
    'with %j gives no answer after a typed body: nothing is asked or sent, and --yes is named',
    async (more) => {
      const { home, received, env } = await atService(more);
      const terminal = openTerminal(home, { columns: 120, rows: 40 }, env);
      terminal.run(`cd; clear; bursar ${CARD} ${TOKEN('tok_approved').join(' ')} --body -; echo "exit=$?"`);
      await pause(1500);
      terminal.run(JSON.stringify(IN_REAIS));
      terminal.keys('C-d');
      const screen = await terminal.until(/exit=\d/);
      expect(screen).toContain('exit=2');
      expect(screen).toMatch(/^next: bursar pay run .* --yes$/m);
      expect(screen).not.toContain('(y/N)');
      expect(received).toEqual([]);
    },
  );
});

describe.runIf(hasTerminal())('a question at the end of the input', () => {
  const ASK = `${CARD} ${TOKEN('tok_approved').join(' ')} --body reais.json`;

  it.each([[{}], [{ BURSAR_ACCESSIBLE: '1' }]])(
    'by Ctrl-D, with %j, is exit 130 with a message, and not a yes',
    async (more) => {
      const { home, received, env } = await atService(more);
      const terminal = openTerminal(home, { columns: 120, rows: 40 }, env);
      terminal.run(`cd; clear; bursar ${ASK}; echo "exit=$?"`);
      await terminal.until('(y/N)');
      await pause(200);
      terminal.keys('C-d');
      const screen = await terminal.until(/exit=\d+/);
      expect(screen).toContain('exit=130');
      expect(screen).toContain('the input ended before the question was answered');
      // The market price was read for the question.
      expect(received.map(({ path }) => path)).toEqual(['/quote/market?from=BRL&to=USDT']);
    },
  );
});
