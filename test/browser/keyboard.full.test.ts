import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { openSession, proveEmail, statusOfUser } from '../sandbox/identity.ts';
import { cardFields, create, PIX } from '../sandbox/money.ts';
import { statusOf } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, tabTo, useBrowser, waitForText } from './browser.ts';

describe.runIf(hasBrowser())('a user with only a keyboard', () => {
  const { open } = useBrowser();

  it('approves a verification', async () => {
    const sandbox = await startEphemeral();
    await proveEmail(sandbox, 'payer@example.com');
    const { session } = (await openSession(sandbox, { email: 'payer@example.com' })).body.data;
    const page = await open(session.session_url);
    await tabTo(page, 'approve');
    await page.keyboard.press('Enter');
    await waitForText(page, '#state', 'Approved');
    expect((await statusOfUser(sandbox, { email: 'payer@example.com' })).body.data.approved).toBe(true);
  });

  it('copies a Pix code and pays the charge', async () => {
    const sandbox = await startEphemeral();
    const { created } = await create(sandbox, PIX);
    const page = await open(created.body.data.session_payment);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tabTo(page, 'copy');
    await page.keyboard.press('Space');
    await waitForText(page, '#copied', 'Copied.');
    await tabTo(page, 'pay');
    await page.keyboard.press('Space');
    await waitForText(page, '#state', 'The receivers were paid on polygon.');
  });

  it('enters a card, which is refused', async () => {
    const sandbox = await startEphemeral();
    const { id, created } = await create(sandbox, cardFields({ card_token: 'tok_pending' }));
    const page = await open(created.body.data.session_payment);
    await tabTo(page, 'number');
    await page.keyboard.type('4000000000000002');
    await tabTo(page, 'expiry');
    await page.keyboard.type('12/40');
    await page.keyboard.press('Enter');
    await waitForText(page, '#state', 'Not paid');
    expect((await statusOf(sandbox, id)).status).toBe('error');
  });

  it('skips the menu, tabs to a payment, and keeps the focus there when a new payment appears', async () => {
    const sandbox = await startEphemeral();
    const { id } = await create(sandbox, PIX);
    const page = await open(dashboardLink(sandbox.address));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await tabTo(page, `payment-${id}`);
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    const { id: other } = await create(sandbox, PIX);
    await page.locator(`#payment-${other}`).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe(`payment-${id}`);
    await page.keyboard.press('Enter');
    await waitForText(page, '#facts', id);
  });
});
