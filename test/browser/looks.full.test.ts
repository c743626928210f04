import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { fillSandbox } from './all-pages.ts';
import { hasBrowser, inLooks, LOOKS_AT_ONCE, useBrowser } from './browser.ts';
import { PAGE_CHECKS } from './judge.ts';

describe.runIf(hasBrowser())('every page', () => {
  const { open } = useBrowser();

  const LOOKS = [
    ['light', 1200, 900],
    ['dark', 1200, 900],
    ['light', 360, 740],
    ['dark', 320, 640],
  ] as const;

  it('passes the checks of contrast, targets, labels, headings and width, in light and dark, wide and narrow', async () => {
    const { sandbox, addresses, guest } = await fillSandbox();
    const page = await open(guest, LOOKS_AT_ONCE);
    const assertPasses = async (address: string) => {
      for await (const [look, colorScheme] of inLooks(page, address, LOOKS)) {
        expect.soft([look, await page.evaluate(PAGE_CHECKS)]).toEqual([look, []]);
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        expect.soft(ground, look).toBe(colorScheme === 'dark' ? 'rgb(14, 17, 22)' : 'rgb(246, 247, 249)');
      }
    };
    await assertPasses(guest);
    await page.goto(dashboardLink(sandbox.address));
    for (const address of addresses) {
      await page.goto(address);
      for (const details of await page.locator('summary').all()) await details.click();
      await assertPasses(address);
    }
  });

  it('has no transition when the user prefers reduced motion', async () => {
    const { addresses } = await fillSandbox();
    const page = await open(addresses[0] ?? '', { reducedMotion: 'reduce' });
    const countTransitions = `[...document.querySelectorAll('*')].filter((part) => getComputedStyle(part).transitionDuration !== '0s').length`;
    expect(await page.evaluate(countTransitions)).toBe(0);
    const usual = await open(addresses[0] ?? '', { reducedMotion: 'no-preference' });
    expect(await usual.evaluate(countTransitions)).toBeGreaterThan(0);
  });
});
