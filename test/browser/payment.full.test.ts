import { describe, expect, it } from 'vitest';
import { cardFields, create, PIX, whenStatus } from '../sandbox/money.ts';
import { balancesOf, createTransaction, prepare, RECEIVERS, statusOf } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, untilSays, useBrowser } from './browser.ts';

describe.runIf(hasBrowser())('the payment page', () => {
  const { open, problems } = useBrowser();

  const pixPage = async () => {
    const sandbox = await startEphemeral();
    const { id, created } = await create(sandbox, PIX);
    return {
      sandbox,
      id,
      code: created.body.data.fiat_tx.pixCopiaECola,
      page: await open(created.body.data.session_payment),
    };
  };

  const cardPage = async (type = 'cardcrypto') => {
    const sandbox = await startEphemeral();
    const { id, created } = await create(
      sandbox,
      cardFields({ card_token: 'tok_pending' }, { transaction_type: type }),
    );
    return { sandbox, id, page: await open(created.body.data.session_payment) };
  };

  it('a Pix paid on the page goes to success on its own, and the receivers have the money', async () => {
    const { sandbox, id, page } = await pixPage();
    expect(await page.title()).toContain('Payment of 100 BRL');
    await untilSays(page, '#state', 'Waiting for the Pix');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await untilSays(page, '#state', 'The receivers were paid on polygon.');
    const payment = await statusOf(sandbox, id);
    expect(payment.status).toBe('success');
    await untilSays(page, '#method', payment.tid_hash);
    await untilSays(page, '#steps', 'success');
    expect((await balancesOf(sandbox, RECEIVERS[0])).USDT).toBe('13.333334');
  });

  it('what happens elsewhere shows without a reload, and the page loses nothing by it', async () => {
    const { sandbox, id, page } = await pixPage();
    await page.evaluate('window.isStillThis = true');
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'pay' });
    await untilSays(page, '#state', 'The receivers were paid on polygon.');
    expect(await page.evaluate('window.isStillThis')).toBe(true);
    expect(await page.getByRole('button', { name: 'Refuse' }).count()).toBe(0);
  });

  it('the button really copies the code, and says so', async () => {
    const { page, code } = await pixPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await untilSays(page, '#copied', 'Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    expect(await page.getByLabel('Pix code to copy and paste').inputValue()).toBe(code);
  });

  it('where the clipboard is forbidden, the code is selected and copied the old way', async () => {
    const { page, code } = await pixPage();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await untilSays(page, '#copied', 'Copied.');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    expect(await page.evaluate('getSelection().toString()')).toBe(code);
  });

  it.each([
    ['Let it expire', 'The Pix charge expired before it was paid.', 'pix_expired'],
    ['Refuse', "The payer's bank refused the Pix.", 'pix_refused'],
  ])('%s: the page says why, and so does the service', async (button, text, status) => {
    const { sandbox, id, page } = await pixPage();
    await page.getByRole('button', { name: button }).click();
    await untilSays(page, '#state', text);
    expect((await statusOf(sandbox, id)).data_error).toMatchObject({ status });
  });

  it('a Pix expires before the eyes of its payer: the countdown runs, and the page turns by itself', async () => {
    const { sandbox, page } = await pixPage();
    const left = page.locator('[data-until]');
    const before = await left.textContent();
    expect(before).toMatch(/^\((?:1:00:00|59:\d\d) left\)$/);
    await expect.poll(() => left.textContent()).not.toBe(before);
    await sandbox.control('POST', 'clock', { advance: '+61m' });
    await untilSays(page, '#state', 'expired before it was paid');
  });

  it.each([
    ['4000 0000 0000 0002', '12/40', '1000'],
    ['tok_insufficient_funds', '', '1016'],
    ['4242 4242 4242 4242', '01/20', '1001'],
  ])('card %s %s is refused: the gateway answers %s, on the page and in the status', async (number, expiry, code) => {
    const { sandbox, id, page } = await cardPage();
    await page.getByLabel('Card number or token').fill(number);
    await page.getByLabel('Name on the card').fill('Ana Souza');
    await page.getByLabel('Expires (MM/YY)').fill(expiry);
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await untilSays(page, '#state', 'Not paid');
    const payment = await statusOf(sandbox, id);
    const [charge] = payment.global_payment_data.charges;
    expect([payment.status, charge.last_transaction.gateway_response.code]).toEqual(['error', code]);
    await untilSays(page, '#method', `${code}: ${charge.last_transaction.gateway_response.errors[0].message}`);
  });

  it('an approved card pays the receivers', async () => {
    const { sandbox, id, page } = await cardPage();
    await page.getByLabel('Card number or token').fill('4242424242424242');
    await page.getByLabel('Expires (MM/YY)').fill('12/40');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await untilSays(page, '#state', 'The receivers were paid on polygon.');
    expect((await statusOf(sandbox, id)).status).toBe('success');
  });

  it('lists each test value with its outcome, and takes no token that is not in the list', async () => {
    const { sandbox, id, page } = await cardPage();
    for (const text of ['tok_approved\\s*Approved', 'tok_expired\\s*Declined: ', 'tok_pending\\s*Pending, ']) {
      expect(await page.locator('#test-cards').textContent()).toMatch(new RegExp(text));
    }
    await page.getByLabel('Card number or token').fill('tok_nope');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await untilSays(page, '#method', 'one of the test tokens below');
    expect((await statusOf(sandbox, id)).status).toBe('registered');
  });

  it('a wrong entry is named at its field, nothing is decided, and what was typed is nowhere', async () => {
    const { sandbox, id, page } = await cardPage();
    await page.getByLabel('Card number or token').fill('4242');
    await page.getByLabel('Expires (MM/YY)').fill('13/40');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await untilSays(page, '[role=alert]', 'The card was not taken');
    const number = page.getByLabel('Card number or token');
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    expect(await number.getAttribute('aria-describedby')).toBe('number-hint number-wrong');
    expect([await number.inputValue(), page.url().includes('4242')]).toEqual(['', false]);
    expect((await statusOf(sandbox, id)).status).toBe('registered');
    await page.getByRole('button', { name: 'Approve' }).click();
    await whenStatus(sandbox, id, 'success');
  });

  it('what is typed survives that something else happens in the sandbox', async () => {
    const { sandbox, page } = await cardPage();
    await page.getByLabel('Card number or token').fill('4242 42');
    const answered = page.waitForResponse((response) => response.url().includes('/pay/'));
    await create(sandbox, PIX);
    await answered;
    await page.waitForTimeout(100);
    expect(await page.getByLabel('Card number or token').inputValue()).toBe('4242 42');
    expect(await page.evaluate('document.activeElement.id')).toBe('number');
  });

  it('works without script: the page loads itself again until the payment is through', async () => {
    const sandbox = await startEphemeral();
    const { created } = await create(sandbox, PIX);
    const page = await open(created.body.data.session_payment, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await untilSays(page, '#state', 'The receivers were paid on polygon.');
  });

  it('a crypto payment shows what is to be signed; a new transaction closes the old page', async () => {
    const sandbox = await startEphemeral();
    const { id, payer } = await prepare(sandbox);
    const again = { payment_id: id, payer_wallet: payer.address };
    const { session_payment: old } = (await createTransaction(sandbox, again)).body.data;
    const page = await open(old);
    await untilSays(page, '#command', `bursar pay execute ${id} --key NAME`);
    await untilSays(page, '#method', payer.address);
    expect(await page.getByRole('button', { name: /^Pay|Approve/ }).count()).toBe(0);
    await createTransaction(sandbox, again);
    await untilSays(page, 'h1', 'No such payment page');
    // A browser notes every page that is not there.
    const others = problems.splice(0).filter((problem) => !problem.includes('404'));
    expect(others).toEqual([]);
  });
});
