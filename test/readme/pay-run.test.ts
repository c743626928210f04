import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD_FIELDS, RAW_CARD } from '../support/charge.ts';
import { newEvmKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { typeInShell } from '../support/shell.ts';

const README = await readFile(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

/** The one body that the README shows. */
const BODY = /```json\n(\{\n {2}"tenant_data".*?)```\n/s.exec(README)?.[1] ?? '';

/**
 * What the README has its reader type, up to a comment, a pipe or the end of a substitution. What takes out a part of the
 * answer is of the script for CI, which `journeys/help-topics.full.test.ts` runs whole.
 */
const COMMANDS = [...README.matchAll(/```sh\n(.*?)```\n/gs)]
  .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
  .flatMap((line) => /bursar pay run [^#|)]+/.exec(line)?.[0].trim() ?? [])
  .filter((command) => !command.includes('--jq'));

const byCard = () => {
  const at = (flag: string) => CARD_FIELDS[CARD_FIELDS.indexOf(`--address-${flag}`) + 1];
  const [country, state, city, neighborhood, street] = ['country', 'state', 'city', 'neighborhood', 'street'].map(at);
  const address = { country, state, city, neighborhood, street, street_number: at('number'), zipcode: at('zipcode') };
  return {
    ...JSON.parse(BODY),
    payment_method_allowed: { cardcrypto: true },
    transaction_type: 'cardcrypto',
    amount_from: '20',
    from_currency_symbol: 'BRL',
    payer_name: 'Ana Souza',
    payer_document: '52998224725',
    payer_document_type: 'CPF',
    card_data: { statement_descriptor: 'SHOP', installments: 1, address },
  };
};

describe('what the README has its reader type to be paid', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
    const { home, bursar } = journey;
    await newEvmKey(home, 'treasury');
    await bursar(['sandbox', 'fund', 'treasury', '--chain', 'polygon']);
    await bursar(['kyc', 'prepare', '--email', 'payer@example.com']);
    await bursar(['sandbox', 'kyc', 'payer@example.com', '--approve']);
    await writeFile(join(home, 'payment.json'), BODY);
    await writeFile(join(home, 'by-card.json'), JSON.stringify(byCard()));
    await writeFile(join(home, 'card.json'), JSON.stringify(RAW_CARD));
  });

  afterAll(() => journey.end());

  it('is found: in crypto, by Pix, by the token of a card and by its details', () => {
    const ways = ['--key treasury', '--allow pixcrypto', '--card-token', '--card-file -'];
    for (const way of ways) expect(COMMANDS.filter((command) => command.includes(way)).length, way).toBeGreaterThan(0);
  });

  it.each(COMMANDS)('works as it stands: %s', async (command) => {
    const typed = command.replace('bursar pay run', 'bursar pay run --yes --no-wait --json');
    const { code, stdout, stderr } = await typeInShell(journey.home, [`cd "$BURSAR_HOME"`, typed], SANDBOX_ENV);
    expect([code, stdout.includes('"payment_id": "pay_')], `${stdout}${stderr}`).toEqual([0, true]);
    // Two of them pay the same.
    expect(stderr.replace(/^warning: The same payment was begun .*\n/m, '')).not.toContain('warning');
  });

  it('the same file registers a payment step by step: what is for the next step is left for it, without a word', async () => {
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

  it('paid by what the file does not allow is exit 2 before anything is sent, and names --allow', async () => {
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
