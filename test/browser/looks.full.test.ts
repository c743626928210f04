import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { openSession, proveEmail } from '../sandbox/identity.ts';
import { cardFields, create, PIX, whenStatus } from '../sandbox/money.ts';
import { newPayer } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, useBrowser } from './browser.ts';
import { JUDGE } from './judge.ts';

/** A sandbox with something of everything, and the addresses of all kinds of pages. */
const fill = async () => {
  const sandbox = await startEphemeral();
  const { url } = sandbox.address;
  await proveEmail(sandbox, 'a.payer.with.quite.a.long.name@subdomain.of.some.example.com');
  const named = { email: 'a.payer.with.quite.a.long.name@subdomain.of.some.example.com' };
  const { session } = (await openSession(sandbox, named)).body.data;
  await sandbox.post('/order/create', {
    executor_id: 'api_transaction',
    from_currency_symbol: 'BRL',
    amount_from: '1234567890.12',
    to_currency_symbol: 'USDT',
    on_ramp: false,
    gateway_method: 'subs',
  });
  const page = async (fields: Parameters<typeof create>[1]) => {
    const { id, created } = await create(sandbox, fields);
    return { id, address: String(created.body.data.session_payment) };
  };
  const crypto = { payer_wallet: newPayer().address, chain_name: 'polygon', payer_token_symbol: 'USDT' };
  const [pix, paid, card, refused, byKey] = [
    await page(PIX),
    await page(PIX),
    await page(cardFields({ card_token: 'tok_pending' })),
    await page(cardFields({ card_token: 'tok_expired' })),
    await page({ transaction_type: 'crypto', ...crypto }),
  ];
  await sandbox.control('POST', 'pix', { payment_id: paid.id, outcome: 'pay' });
  await whenStatus(sandbox, paid.id, 'success');
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: '429', count: 3, retry_after: 2 });
  const { entries } = (await sandbox.control('GET', 'logs?lines=100&bodies=true')).body.data;
  const names = ['payments', 'requests', 'orders', 'inbox', 'webhooks', 'kyc', 'yield', 'faults', 'chains'];
  const lists = [
    ...names.map((list) => `${url}/?list=${list}`),
    `${url}/?list=requests&method=POST&path=/payment*&status=2xx`,
    `${url}/?list=payments&status=error&search=pay_`,
    `${url}/?request=${entries[0].id}`,
    `${url}/?request=${entries.at(-1).id}`,
  ];
  const payments = [pix, paid, card, refused, byKey].map(({ address }) => address);
  const wrong = `${card.address}&wrong=number&wrong=expiry`;
  const own = [...payments, wrong, session.session_url, `${url}/`, ...lists, `${url}/?payment=${refused.id}`];
  return { sandbox, addresses: own, guest: `${url}/` };
};

describe.runIf(hasBrowser())('every page', () => {
  const { open } = useBrowser();

  it.each([
    ['light', 1200, 900],
    ['dark', 1200, 900],
    ['light', 360, 740],
    ['dark', 320, 640],
  ] as const)(
    'in %s at %i pixels: contrast, targets, labels, headings, and nothing beside the screen',
    async (colorScheme, width, height) => {
      const { sandbox, addresses, guest } = await fill();
      const page = await open(guest, { colorScheme, viewport: { width, height } });
      expect(await page.evaluate(JUDGE)).toEqual([]);
      await page.goto(dashboardLink(sandbox.address));
      for (const address of addresses) {
        await page.goto(address);
        for (const details of await page.locator('summary').all()) await details.click();
        expect.soft([address, await page.evaluate(JUDGE)]).toEqual([address, []]);
      }
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(14, 17, 22)' : 'rgb(246, 247, 249)');
    },
  );

  it('moves nothing for who asked for less motion', async () => {
    const { addresses } = await fill();
    const page = await open(addresses[0] ?? '', { reducedMotion: 'reduce' });
    const moving = `[...document.querySelectorAll('*')].filter((part) => getComputedStyle(part).transitionDuration !== '0s').length`;
    expect(await page.evaluate(moving)).toBe(0);
    const usual = await open(addresses[0] ?? '', { reducedMotion: 'no-preference' });
    expect(await usual.evaluate(moving)).toBeGreaterThan(0);
  });
});
