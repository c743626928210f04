import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { openSession, proveEmail } from '../sandbox/identity.ts';
import { cardFields, create, FIAT_ORDER, PIX, until } from '../sandbox/money.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { startServer } from '../support/server.ts';
import { hasBrowser, untilSays, useBrowser } from './browser.ts';

const MARKUP = `"'><img src=x onerror=alert(1)><script>alert(2)</script><b id=injected>&lt;b&gt;</b>{{7*7}}\u202e`;

/** Nothing that came from elsewhere became an element: no injected one, no picture but our own. */
const foreign = `[...document.querySelectorAll('#injected, b, script:not([src^="/_assets/"]), img:not([src^="/_assets/"]):not([src^="data:image/png;base64,"]), [onerror]')].length`;

describe.runIf(hasBrowser())('text from elsewhere', () => {
  const { open } = useBrowser();

  it('is only text on every page: e-mails, orders, webhook answers, metadata', async () => {
    const answers = await startServer((_, response) => void response.writeHead(500).end(MARKUP));
    const sandbox = await startEphemeral();
    const email = `${MARKUP.replaceAll(/[\s\u202e]/g, '')}@example.com`;
    await proveEmail(sandbox, email);
    const { session } = (await openSession(sandbox, { email })).body.data;
    const odd = {
      ...FIAT_ORDER,
      tenant_data: {
        public_client_id: `client_${'0a'.repeat(16)}`,
        webhook_url: `${answers.url}/?"'><b/id=injected>`,
      },
    };
    await sandbox.post('/order/create', {
      executor_id: MARKUP,
      from_currency_symbol: 'BRL',
      amount_from: '1',
      to_currency_symbol: MARKUP,
      on_ramp: false,
      gateway_method: 'direct',
      name: MARKUP,
    });
    const { id, created } = await create(sandbox, { ...PIX, payer_email: email }, odd);
    const card = cardFields({ card_token: 'tok_pending' }, { transaction_type: 'cardfiat', payer_email: email });
    const { id: other, created: byCard } = await create(sandbox, card, odd);
    expect([created.http, byCard.http]).toEqual([201, 201]);
    const payment = await open(created.body.data.session_payment);
    await untilSays(payment, '#details', '<img src=x onerror=alert(1)>'.replaceAll(' ', ''));
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'refuse' });
    await until(async () => (answers.received.length > 0 ? true : undefined));
    await untilSays(payment, '#state', 'Not paid');
    const dashboard = await open(dashboardLink(sandbox.address));
    await untilSays(dashboard, '#webhooks', MARKUP.slice(0, 30));
    await untilSays(dashboard, '#orders', MARKUP.slice(0, 30));
    const { url } = sandbox.address;
    const others = [
      byCard.body.data.session_payment,
      session.session_url,
      ...['list=orders', 'list=inbox', 'list=webhooks', 'list=chains', `payment=${id}`, `payment=${other}`].map(
        (query) => `${url}/?${query}`,
      ),
      `${url}/?list=payments&before=${encodeURIComponent(MARKUP)}`,
      `${url}/?list=${encodeURIComponent(MARKUP)}`,
    ];
    expect(await payment.evaluate(foreign)).toBe(0);
    for (const address of others) {
      await dashboard.goto(address);
      await dashboard.waitForTimeout(50);
      expect([address, await dashboard.evaluate(foreign)]).toEqual([address, 0]);
    }
    const text = await dashboard.evaluate('document.body.innerText');
    expect(text).not.toContain('\u202e');
  });
});
