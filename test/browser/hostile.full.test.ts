import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { openSession, proveEmail } from '../sandbox/identity.ts';
import { cardFields, create, FIAT_ORDER, PIX, until } from '../sandbox/money.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { startServer } from '../support/server.ts';
import { hasBrowser, useBrowser, waitForText } from './browser.ts';

const MARKUP = `"'><img src=x onerror=alert(1)><script>alert(2)</script><b id=injected>&lt;b&gt;</b>{{7*7}}\u202e`;

/** Counts elements that the sandbox did not write: injected ones, scripts and pictures of other origins, handlers. */
const COUNT_FOREIGN = `[...document.querySelectorAll('#injected, b, script:not([src^="/_assets/"]), img:not([src^="/_assets/"]):not([src^="data:image/png;base64,"]), [onerror]')].length`;

describe.runIf(hasBrowser())('markup in e-mails, orders, webhook answers and metadata', () => {
  const { open } = useBrowser();

  it('is shown as text on every page and becomes no element', async () => {
    const answers = await startServer((_, response) => void response.writeHead(500).end(MARKUP));
    const sandbox = await startEphemeral();
    const email = `${MARKUP.replaceAll(/[\s\u202e]/g, '')}@example.com`;
    await proveEmail(sandbox, email);
    const { session } = (await openSession(sandbox, { email })).body.data;
    const order = {
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
    const { id, created } = await create(sandbox, { ...PIX, payer_email: email }, order);
    const card = cardFields({ card_token: 'tok_pending' }, { transaction_type: 'cardfiat', payer_email: email });
    const { id: other, created: byCard } = await create(sandbox, card, order);
    expect([created.http, byCard.http]).toEqual([201, 201]);
    const payment = await open(created.body.data.session_payment);
    await waitForText(payment, '#details', '<img src=x onerror=alert(1)>'.replaceAll(' ', ''));
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'refuse' });
    await until(async () => (answers.received.length > 0 ? true : undefined));
    await waitForText(payment, '#state', 'Not paid');
    const dashboard = await open(dashboardLink(sandbox.address));
    await waitForText(dashboard, '#webhooks', MARKUP.slice(0, 30));
    await waitForText(dashboard, '#orders', MARKUP.slice(0, 30));
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
    expect(await payment.evaluate(COUNT_FOREIGN)).toBe(0);
    for (const address of others) {
      await dashboard.goto(address);
      await dashboard.waitForTimeout(50);
      expect([address, await dashboard.evaluate(COUNT_FOREIGN)]).toEqual([address, 0]);
    }
    const text = await dashboard.evaluate('document.body.innerText');
    expect(text).not.toContain('\u202e');
  });
});
