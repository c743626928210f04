import { describe, expect, it } from 'vitest';
import { actingLink, dashboardLink } from '../../src/sandbox/address.ts';
import { proveEmail, statusOfUser } from '../sandbox/identity.ts';
import { cardFields, create, PIX } from '../sandbox/money.ts';
import { statusOf } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { startServer } from '../support/server.ts';
import { LISTS } from './all-pages.ts';
import { hasBrowser, inLooks, LOOKS_AT_ONCE, tabTo, useBrowser, waitForText } from './browser.ts';
import { PAGE_CHECKS } from './judge.ts';

const EMAIL = 'a.payer.with.quite.a.long.name@subdomain.of.some.example.com';

/** Starts a sandbox in which each form has something to act on. */
const fillSandbox = async () => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, EMAIL);
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: '429', count: 3 });
  const { id: pix } = await create(sandbox, PIX);
  const { id: card } = await create(sandbox, cardFields({ card_token: 'tok_pending' }));
  const { id: refused } = await create(sandbox, PIX);
  await sandbox.control('POST', 'pix', { payment_id: refused, outcome: 'refuse' });
  return { sandbox, pix, card };
};

describe.runIf(hasBrowser())('the dashboard with actions', () => {
  const { open, problems } = useBrowser();

  it('moves the clock by keyboard without script, after a page that asks for confirmation', async () => {
    const { sandbox } = await fillSandbox();
    const page = await open(actingLink(sandbox.address), { javaScriptEnabled: false });
    expect(page.url()).toMatch(/\/act\/[0-9a-f]{32}\/$/);
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press('Tab');
      if (await page.locator('#process-advance-advance:focus').count()) break;
    }
    await page.keyboard.type('2h');
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'Move the clock forward by 2h?');
    expect((await sandbox.control('GET', 'clock')).body.data.offset_ms).toBe(0);
    while ((await page.locator('#do:focus').count()) === 0) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForText(page, '#outcome', 'Done');
    expect((await sandbox.control('GET', 'clock')).body.data.offset_ms).toBe(7_200_000);
  });

  it('pays a Pix by keyboard, and then shows the new state without a reload', async () => {
    const { sandbox, pix } = await fillSandbox();
    const page = await open(actingLink(sandbox.address));
    await tabTo(page, `payment-${pix}`);
    await page.keyboard.press('Enter');
    await waitForText(page, '#decision', 'Outcome of the Pix');
    await tabTo(page, 'charge-decide-pix-start');
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', `Pay the Pix of ${pix}?`);
    await tabTo(page, 'do');
    await page.keyboard.press('Enter');
    await waitForText(page, '#decision', 'The payment waits for no decision.');
    await waitForText(page, '#facts', 'success');
    expect((await statusOf(sandbox, pix)).status).toBe('success');
  });

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'acts on balances, faults, webhooks, cards and KYC by form %s script; Cancel changes nothing',
    async (_, javaScriptEnabled) => {
      const { sandbox, card } = await fillSandbox();
      const page = await open(actingLink(sandbox.address), { javaScriptEnabled });
      const confirm = async (question: string) => {
        await waitForText(page, 'h1', question);
        await page.locator('#do').click();
        await waitForText(page, '#outcome', 'Done');
      };
      const tab = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
      await tab('Balances');
      await page.getByLabel('EVM or Solana address').fill('0x1111111111111111111111111111111111111111');
      await page.getByLabel('Chain (optional)').selectOption('base');
      await page.getByRole('button', { name: 'Give test money' }).click();
      await confirm('Give test money to 0x1111111111111111111111111111111111111111?');
      await waitForText(page, '#running, #chains', "the sandbox's own wallet");
      await tab('Faults');
      await page.locator('#fault-clear-0').click();
      await page.locator('#cancel').click();
      await waitForText(page, '#faults', '429');
      await page.locator('#fault-clear-0').click();
      await confirm('Remove the faults of quote.market?');
      await waitForText(page, '#faults', 'No call will fail.');
      await page.getByLabel('Endpoint', { exact: true }).selectOption('pay.status');
      await page.getByLabel('Fails with').fill('503');
      await page.getByRole('button', { name: 'Add a fault' }).click();
      await confirm('Make the next call of pay.status fail with 503?');
      await waitForText(page, '#faults', 'pay.status');
      await tab('Webhooks');
      await page.locator('#webhooks a.act').first().click();
      await confirm('Send webhook');
      await page.goto(new URL(`./?payment=${card}`, page.url()).href);
      await page.getByLabel('Outcome of the card').selectOption('refuse');
      await page.getByRole('button', { name: 'Decide' }).click();
      await confirm(`Refuse the card of ${card}?`);
      await tab('KYC');
      await page.getByLabel('Decision').selectOption('decline');
      await page.getByRole('button', { name: 'Decide' }).click();
      await confirm(`Decline the verification of ${EMAIL}?`);
      expect((await statusOfUser(sandbox, { email: EMAIL })).body.data.status).toBe('declined');
    },
  );

  it('rejects a form that another origin posts, and is not shown in a frame there', async () => {
    const { sandbox } = await fillSandbox();
    const page = await open(actingLink(sandbox.address));
    const session = page.url();
    await page.goto(`${session}decide?do=process.advance&advance=1h`);
    const token = await page.locator('input[name=token]').inputValue();
    const evil = await startServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<title>evil</title><form method="post" action="${session}do"><input name="token" value="${token}"><button>Win</button></form>
<iframe src="${session}"></iframe>`);
    });
    await page.goto(evil.url);
    await page.waitForTimeout(300);
    const inFrame = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await inFrame?.locator('#acting').count()).toBe(0);
    await page.getByRole('button', { name: 'Win' }).click();
    await waitForText(page, 'h1', 'Not from this page');
    expect((await sandbox.control('GET', 'clock')).body.data.offset_ms).toBe(0);
    problems.splice(0);
  });

  it('shows no form and no action after the read-only link', async () => {
    const { sandbox, pix } = await fillSandbox();
    const page = await open(dashboardLink(sandbox.address));
    for (const query of ['', '?list=faults', '?list=kyc', '?list=chains', '?list=webhooks', `?payment=${pix}`]) {
      await page.goto(`${sandbox.address.url}/${query}`);
      expect([query, await page.locator('form[action=decide], a.act').count()]).toEqual([query, 0]);
    }
  });

  it('passes the page checks on every page of a session, in light and wide, in dark and narrow', async () => {
    const { sandbox, pix, card } = await fillSandbox();
    const page = await open(actingLink(sandbox.address), LOOKS_AT_ONCE);
    const session = page.url();
    const decisions = [
      'do=process.advance&advance=1h',
      'do=process.advance&advance=soon',
      `do=identity.decide&decision=approve&email=${EMAIL}`,
      'do=nope',
    ];
    const paths = [
      '',
      ...LISTS.map((list) => `?list=${list}`),
      ...[pix, card].map((id) => `?payment=${id}`),
      ...decisions.map((query) => `decide?${query}`),
    ];
    for (const path of paths) {
      await page.goto(session + path);
      for (const details of await page.locator('summary').all()) await details.click();
      const looks = [
        ['light', 1200, 900],
        ['dark', 320, 640],
      ] as const;
      for await (const [look] of inLooks(page, path, looks)) {
        const found = (await page.evaluate(PAGE_CHECKS)) as readonly string[];
        expect.soft([look, found.filter((problem) => !problem.startsWith('only '))]).toEqual([look, []]);
      }
    }
    problems.splice(0);
  });
});
