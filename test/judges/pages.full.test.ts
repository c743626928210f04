import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { actingLink, dashboardLink } from '../../src/sandbox/address.ts';
import { actingPaths, fillSandbox, REFUSING } from '../browser/all-pages.ts';
import { hasBrowser, useBrowser } from '../browser/browser.ts';
import { judged, judgesFile, loadJudge } from './tools.ts';

/** Every page that a sandbox serves. The owner's pages need the cookie of the link. */
const everyPage = async () => {
  const { sandbox, addresses, guest, pix, card } = await fillSandbox();
  const { url } = sandbox.address;
  const begun = await fetch(actingLink(sandbox.address), { redirect: 'manual' });
  const session = new URL(begun.headers.get('location') ?? '', url).href;
  const acting = actingPaths([pix, card]).map((path) => session + path);
  const refusing = REFUSING.map((path) => url + path);
  return {
    sandbox,
    pages: [guest, ...addresses, ...acting, ...refusing],
    kinds: [guest, ...addresses, ...acting.slice(-5)],
  };
};

/** What the pages do on purpose, and the rules that would forbid it. */
const RULES = {
  // Rows become blocks on a small screen, where browsers drop the roles of a table.
  'no-redundant-role': 'off',
  // Style and script are of the same server, and their names have their hash.
  'require-sri': 'off',
};

judged('every page is valid HTML, by html-validate; a page with a mistake is not', async () => {
  const { HtmlValidate } = await loadJudge('html-validate/dist/esm/index.js');
  const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:document'], rules: RULES });
  const problemsOf = async (text: string): Promise<readonly string[]> => {
    const { results } = await validator.validateString(text);
    const messages = results.flatMap((result: { messages: readonly Record<string, unknown>[] }) => result.messages);
    return messages.map(({ ruleId, message, line }: Record<string, unknown>) => `${line}: ${message} (${ruleId})`);
  };
  const { sandbox, pages } = await everyPage();
  const entered = await fetch(dashboardLink(sandbox.address), { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(pages.length).toBeGreaterThan(40);
  let last = '';
  for (const address of pages) {
    last = await (await fetch(address, { headers: { cookie } })).text();
    expect.soft([address, await problemsOf(last)]).toEqual([address, []]);
  }
  expect(await problemsOf(last.replace('</main>', ''))).not.toEqual([]);
});

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** On a small and dark screen only these can be wrong where a large and light one is right. */
const OF_LOOKS = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];

const LOOKS = [
  { look: { colorScheme: 'light', viewport: { width: 1200, height: 900 } }, options: {} },
  { look: { colorScheme: 'dark', viewport: { width: 320, height: 640 } }, options: { runOnly: OF_LOOKS } },
] as const;

if (hasBrowser()) {
  const { open, problems } = useBrowser();
  const visitAll = async (): Promise<void> => {
    const axe = await readFile(judgesFile('axe-core/axe.min.js'), 'utf8');
    const { sandbox, pages, kinds } = await everyPage();
    const visit = async ({ look, options }: (typeof LOOKS)[number]): Promise<void> => {
      const page = await open(dashboardLink(sandbox.address), look);
      const violations = async (): Promise<readonly string[]> => {
        await page.evaluate(axe);
        const run = `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
        const found: readonly Violation[] = await page.evaluate(`${run}.then(({ violations }) => violations)`);
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
      };
      // The lists of a session and the pages that refuse have the looks of others.
      for (const address of look.colorScheme === 'light' ? pages : kinds) {
        await page.goto(address);
        expect.soft([address, await violations()]).toEqual([address, []]);
      }
      await page.evaluate("document.querySelector('h1').style = 'color: #888; background: #777; font-size: 10px'");
      expect(await violations()).toEqual([expect.stringContaining('color-contrast')]);
    };
    await Promise.all(LOOKS.map(visit));
    // The pages that refuse answer 403 and 404, which the console names.
    problems.splice(0);
  };
  // Axe reads each of some sixty pages, which takes minutes on a busy machine.
  judged('axe finds no violation on any page, in light and, at 320 pixels, in dark', visitAll, { timeoutMs: 300_000 });
}
