import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardPayment } from '../support/card-payment.ts';
import { RAW_CARD } from '../support/charge.ts';
import { newEvmKey, SANDBOX_ENV, withoutCost } from '../support/cheap-key.ts';
import { commandLines, DOCUMENTS, readDocument, shellBlocks } from '../support/documents.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { typeInShell } from '../support/shell.ts';

/** The payment.json of the README. */
const BODY = /```json\n(\{\n {2}"tenant_data".*?)```\n/s.exec(readDocument('README.md'))?.[1] ?? '';

/**
 * The `pay run` commands of the README and the guides, up to a pipe or the end of a substitution. Those with --jq are in the
 * script for CI, which `journeys/help-topics.full.test.ts` runs as a whole.
 */
const COMMANDS = [
  ...new Set(
    DOCUMENTS.flatMap((path) => shellBlocks(readDocument(path)).flatMap(commandLines))
      .flatMap((line) => /bursar pay run [^#|)]+/.exec(line)?.[0].trim() ?? [])
      .filter((command) => !command.includes('--jq')),
  ),
];

describe('the pay run commands of the README and the guides', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
    const { home, bursar } = journey;
    await newEvmKey(home, 'treasury');
    await bursar(['sandbox', 'fund', 'treasury', '--chain', 'polygon']);
    await bursar(['kyc', 'prepare', '--email', 'payer@example.com']);
    await bursar(['sandbox', 'kyc', 'payer@example.com', '--approve']);
    await writeFile(join(home, 'payment.json'), BODY);
    await writeFile(join(home, 'by-card.json'), JSON.stringify(cardPayment(JSON.parse(BODY))));
    await writeFile(join(home, 'card.json'), JSON.stringify(RAW_CARD));
  });

  afterAll(() => journey.end());

  it('include payments in crypto, by Pix, by card token and by card details', () => {
    const methods = ['--key treasury', '--allow pixcrypto', '--card-token', '--card-file -'];
    for (const method of methods)
      expect(COMMANDS.filter((command) => command.includes(method)).length, method).toBeGreaterThan(0);
  });

  it.each(COMMANDS)('succeed without a warning: %s', async (command) => {
    const typed = command.replace(/ --(?:yes|json)\b/g, '').replace('pay run', 'pay run --yes --no-wait --json');
    const { code, stdout, stderr } = await typeInShell(journey.home, [`cd "$BURSAR_HOME"`, typed], SANDBOX_ENV);
    expect([code, stdout.includes('"payment_id": "pay_')], `${stdout}${stderr}`).toEqual([0, true]);
    // Two of the commands make the same payment, so one of them prints a warning. The others are about the key of the test.
    const expected = /^warning: (?:The same payment was started|other processes of this user can read) .*\n/gm;
    expect(withoutCost(stderr).replace(expected, '')).not.toContain('warning');
  });

  it('share payment.json with pay register, which sends no field of the payer and writes nothing to stderr', async () => {
    const bodies: string[] = [];
    const { code, stderr } = await journey.through(
      async ({ body }, forward) => {
        bodies.push(body);
        return forward();
      },
      () => journey.bursar(['pay', 'register', '--body', 'payment.json', '--json']),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(bodies.join('')).toContain('"amount_from":"10"');
    expect(bodies.join('')).not.toContain('payer');
  });

  it('exit with 2 before a call and name --allow when payment.json does not allow the method', async () => {
    const bodies: string[] = [];
    const args = ['--body', 'payment.json', '--transaction-type', 'pixcrypto', '--payer-cpf', '529.982.247-25'];
    const { code, data } = await journey.through(
      async ({ body }, forward) => {
        bodies.push(body);
        return forward();
      },
      () => journey.json(['pay', 'run', ...args]),
    );
    expect([code, bodies]).toEqual([2, []]);
    expect(JSON.stringify(data['error'])).toContain(
      'does not allow pixcrypto, and is to be paid by it: --allow pixcrypto',
    );
  });
});
