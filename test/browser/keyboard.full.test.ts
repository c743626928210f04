import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { openSession, proveEmail, statusOfUser } from '../sandbox/identity.ts';
import { cardFields, create, PIX } from '../sandbox/money.ts';
import { statusOf } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, tabTo, untilSays, useBrowser } from './browser.ts';

describe.runIf(hasBrowser())('with the keyboard alone', () => {
  const { open } = useBrowser();

  it('a verification is approved', async () => {
    const sandbox = await startEphemeral();
    await proveEmail(sandbox, 'payer@example.com');
    const { session } = (await openSession(sandbox, { email: 'payer@example.com' })).body.data;
    const page = await open(session.session_url);
    await tabTo(page, 'approve');
    await page.keyboard.press('Enter');
    await untilSays(page, '#state', 'Approved');
    expect((await statusOfUser(sandbox, { email: 'payer@example.com' })).body.data.approved).toBe(true);
  });

  it('a Pix code is copied and its charge paid', async () => {
    const sandbox = await startEphemeral();
    const { created } = await create(sandbox, PIX);
    const page = await open(created.body.data.session_payment);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tabTo(page, 'copy');
    await page.keyboard.press('Space');
    await untilSays(page, '#copied', 'Copied.');
    await tabTo(page, 'pay');
    await page.keyboard.press('Space');
    await untilSays(page, '#state', 'The receivers were paid on polygon.');
  });

  it('a card is typed and refused', async () => {
    const sandbox = await startEphemeral();
    const { id, created } = await create(sandbox, cardFields({ card_token: 'tok_pending' }));
    const page = await open(created.body.data.session_payment);
    await tabTo(page, 'number');
    await page.keyboard.type('4000000000000002');
    await tabTo(page, 'expiry');
    await page.keyboard.type('12/40');
    await page.keyboard.press('Enter');
    await untilSays(page, '#state', 'Not paid');
    expect((await statusOf(sandbox, id)).status).toBe('error');
  });

  it('a dashboard is read through: past the menu by the first stop, to a payment, and the focus stays where it was', async () => {
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
    await untilSays(page, '#facts', id);
  });
});
