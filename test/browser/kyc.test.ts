import { describe, expect, it } from 'vitest';
import { decide, openSession, proveEmail, statusOfUser } from '../sandbox/identity.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, untilSays, useBrowser } from './browser.ts';

const EMAIL = 'payer@example.com';

describe.runIf(hasBrowser())('the verification page', () => {
  const { open } = useBrowser();

  const start = async () => {
    const sandbox = await startEphemeral();
    await proveEmail(sandbox, EMAIL);
    const { session } = (await openSession(sandbox, { email: EMAIL })).body.data;
    const status = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data;
    return { sandbox, status, page: await open(session.session_url) };
  };

  it.each([
    ['Approve', 'Approved', { status: 'approved', approved: true }],
    ['Decline', 'Declined', { status: 'declined', approved: false }],
  ])('%s decides the verification, and nothing is left to press', async (button, headline, expected) => {
    const { page, status } = await start();
    await untilSays(page, 'dd', EMAIL);
    await page.getByRole('button', { name: button }).click();
    await untilSays(page, '#state', headline);
    expect(await status()).toMatchObject(expected);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('a decision made elsewhere shows without a reload', async () => {
    const { sandbox, page } = await start();
    await page.evaluate('window.isStillThis = true');
    await decide(sandbox, 'approve', { email: EMAIL });
    await untilSays(page, '#state', 'Approved');
    expect(await page.evaluate('window.isStillThis')).toBe(true);
  });

  it('works without script', async () => {
    const { page, status } = await start();
    const plain = await open(page.url(), { javaScriptEnabled: false });
    await plain.getByRole('button', { name: 'Approve' }).click();
    await untilSays(plain, '#state', 'Approved');
    expect((await status()).approved).toBe(true);
  });
});
