import { describe, expect, it } from 'vitest';
import { cardFields, create, PIX, whenStatus } from '../sandbox/money.ts';
import { balancesOf, createTransaction, prepare, RECEIVERS, statusOf } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, useBrowser, waitForText } from './browser.ts';

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

  it('shows success without a reload after a Pix is paid, and the receivers have the money', async () => {
    const { sandbox, id, page } = await pixPage();
    expect(await page.title()).toContain('Payment of 100 BRL');
    await waitForText(page, '#state', 'Waiting for the Pix');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await waitForText(page, '#state', 'The receivers were paid on polygon.');
    const payment = await statusOf(sandbox, id);
    expect(payment.status).toBe('success');
    await waitForText(page, '#method', payment.tid_hash);
    await waitForText(page, '#steps', 'success');
    expect((await balancesOf(sandbox, RECEIVERS[0])).USDT).toBe('13.333334');
  });

  it('shows a Pix that the control paid without a reload, and removes the buttons', async () => {
    const { sandbox, id, page } = await pixPage();
    await page.evaluate('window.isStillThis = true');
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'pay' });
    await waitForText(page, '#state', 'The receivers were paid on polygon.');
    expect(await page.evaluate('window.isStillThis')).toBe(true);
    expect(await page.getByRole('button', { name: 'Refuse' }).count()).toBe(0);
  });

  it('copies the Pix code to the clipboard and confirms the copy', async () => {
    const { page, code } = await pixPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await waitForText(page, '#copied', 'Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    expect(await page.getByLabel('Pix code to copy and paste').inputValue()).toBe(code);
  });

  it('selects and copies the Pix code when the browser has no clipboard API', async () => {
    const { page, code } = await pixPage();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await waitForText(page, '#copied', 'Copied.');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    expect(await page.evaluate('getSelection().toString()')).toBe(code);
  });

  it.each([
    ['Let it expire', 'The Pix charge expired before it was paid.', 'pix_expired'],
    ['Refuse', "The payer's bank refused the Pix.", 'pix_refused'],
  ])('shows why the Pix failed after "%s", and so does the status of the payment', async (button, text, status) => {
    const { sandbox, id, page } = await pixPage();
    await page.getByRole('button', { name: button }).click();
    await waitForText(page, '#state', text);
    expect((await statusOf(sandbox, id)).data_error).toMatchObject({ status });
  });

  it('counts down, and shows that the Pix expired without a reload', async () => {
    const { sandbox, page } = await pixPage();
    const timeLeft = page.locator('[data-until]');
    const before = await timeLeft.textContent();
    expect(before).toMatch(/^\((?:1:00:00|59:\d\d) left\)$/);
    await expect.poll(() => timeLeft.textContent()).not.toBe(before);
    await sandbox.control('POST', 'clock', { advance: '+61m' });
    await waitForText(page, '#state', 'expired before it was paid');
  });

  it.each([
    ['4000 0000 0000 0002', '12/40', '1000'],
    ['tok_insufficient_funds', '', '1016'],
    ['4242 4242 4242 4242', '01/20', '1001'],
  ])(
    'shows the refusal of card %s (expiry "%s") with gateway code %s, as the status does',
    async (number, expiry, code) => {
      const { sandbox, id, page } = await cardPage();
      await page.getByLabel('Card number or token').fill(number);
      await page.getByLabel('Name on the card').fill('Ana Souza');
      await page.getByLabel('Expires (MM/YY)').fill(expiry);
      await page.getByLabel('Security code').fill('123');
      await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
      await waitForText(page, '#state', 'Not paid');
      const payment = await statusOf(sandbox, id);
      const [charge] = payment.global_payment_data.charges;
      expect([payment.status, charge.last_transaction.gateway_response.code]).toEqual(['error', code]);
      await waitForText(page, '#method', `${code}: ${charge.last_transaction.gateway_response.errors[0].message}`);
    },
  );

  it('shows that the receivers were paid after an approved card', async () => {
    const { sandbox, id, page } = await cardPage();
    await page.getByLabel('Card number or token').fill('4242424242424242');
    await page.getByLabel('Expires (MM/YY)').fill('12/40');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await waitForText(page, '#state', 'The receivers were paid on polygon.');
    expect((await statusOf(sandbox, id)).status).toBe('success');
  });

  it('lists the test tokens with their outcomes, and rejects a token outside the list', async () => {
    const { sandbox, id, page } = await cardPage();
    for (const text of ['tok_approved\\s*Approved', 'tok_expired\\s*Declined: ', 'tok_pending\\s*Pending, ']) {
      expect(await page.locator('#test-cards').textContent()).toMatch(new RegExp(text));
    }
    await page.getByLabel('Card number or token').fill('tok_nope');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await waitForText(page, '#method', 'one of the test tokens below');
    expect((await statusOf(sandbox, id)).status).toBe('registered');
  });

  it('marks a wrong card field, decides nothing, and drops the typed number from form and address', async () => {
    const { sandbox, id, page } = await cardPage();
    await page.getByLabel('Card number or token').fill('4242');
    await page.getByLabel('Expires (MM/YY)').fill('13/40');
    await page.getByRole('button', { name: 'Pay 100 BRL' }).click();
    await waitForText(page, '[role=alert]', 'The card was not taken');
    const number = page.getByLabel('Card number or token');
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    expect(await number.getAttribute('aria-describedby')).toBe('number-hint number-wrong');
    expect([await number.inputValue(), page.url().includes('4242')]).toEqual(['', false]);
    expect((await statusOf(sandbox, id)).status).toBe('registered');
    await page.getByRole('button', { name: 'Approve' }).click();
    await whenStatus(sandbox, id, 'success');
  });

  it('keeps a half-typed card number when another payment is created', async () => {
    const { sandbox, page } = await cardPage();
    await page.getByLabel('Card number or token').fill('4242 42');
    const answered = page.waitForResponse((response) => response.url().includes('/pay/'));
    await create(sandbox, PIX);
    await answered;
    await page.waitForTimeout(100);
    expect(await page.getByLabel('Card number or token').inputValue()).toBe('4242 42');
    expect(await page.evaluate('document.activeElement.id')).toBe('number');
  });

  it('reloads by itself without script until the payment succeeds', async () => {
    const sandbox = await startEphemeral();
    const { created } = await create(sandbox, PIX);
    const page = await open(created.body.data.session_payment, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await waitForText(page, '#state', 'The receivers were paid on polygon.');
  });

  it('shows the command that pays a crypto payment, and closes after a new transaction', async () => {
    const sandbox = await startEphemeral();
    const { id, payer } = await prepare(sandbox);
    const again = { payment_id: id, payer_wallet: payer.address };
    const { session_payment: old } = (await createTransaction(sandbox, again)).body.data;
    const page = await open(old);
    await waitForText(page, '#command', `bursar pay execute ${id} --key NAME`);
    await waitForText(page, '#method', payer.address);
    expect(await page.getByRole('button', { name: /^Pay|Approve/ }).count()).toBe(0);
    await createTransaction(sandbox, again);
    await waitForText(page, 'h1', 'No such payment page');
    // The browser logs the 404 of the closed page.
    const unexpected = problems.splice(0).filter((problem) => !problem.includes('404'));
    expect(unexpected).toEqual([]);
  });
});
