import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { actingLink, dashboardLink } from '../../src/sandbox/address.ts';
import { actingPaths, fillSandbox, REFUSED_PATHS } from '../browser/all-pages.ts';
import { hasBrowser, useBrowser } from '../browser/browser.ts';
import { judged, judgesFile, loadJudge } from './tools.ts';

/** The addresses of all pages of a sandbox, and of one page of each kind. The owner's pages need the cookie of the link. */
const fillPages = async () => {
  const { sandbox, addresses, guest, pix, card } = await fillSandbox();
  const { url } = sandbox.address;
  const redirect = await fetch(actingLink(sandbox.address), { redirect: 'manual' });
  const session = new URL(redirect.headers.get('location') ?? '', url).href;
  const acting = actingPaths([pix, card]).map((path) => session + path);
  const refused = REFUSED_PATHS.map((path) => url + path);
  return {
    sandbox,
    pages: [guest, ...addresses, ...acting, ...refused],
    kinds: [guest, ...addresses, ...acting.slice(-5)],
  };
};

/** Rules that the pages break on purpose. */
const DISABLED_RULES = {
  // On a small screen rows become blocks, and browsers then drop the roles of a table.
  'no-redundant-role': 'off',
  // The style sheet and the script come from the same server, and their names contain their hash.
  'require-sri': 'off',
};

judged('html-validate accepts every page, and reports a missing end tag', async () => {
  const { HtmlValidate } = await loadJudge('html-validate/dist/esm/index.js');
  const validator = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:document'],
    rules: DISABLED_RULES,
  });
  const problemsOf = async (text: string): Promise<readonly string[]> => {
    const { results } = await validator.validateString(text);
    const messages = results.flatMap((result: { messages: readonly Record<string, unknown>[] }) => result.messages);
    return messages.map(({ ruleId, message, line }: Record<string, unknown>) => `${line}: ${message} (${ruleId})`);
  };
  const { sandbox, pages } = await fillPages();
  const login = await fetch(dashboardLink(sandbox.address), { redirect: 'manual' });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(pages.length).toBeGreaterThan(40);
  // All pages are read before the first is judged: while a page is judged the server may close its idle connections.
  const texts = new Map<string, string>();
  for (const address of pages) texts.set(address, await (await fetch(address, { headers: { cookie } })).text());
  for (const [address, html] of texts) expect.soft([address, await problemsOf(html)]).toEqual([address, []]);
  const html = [...texts.values()].at(-1) ?? '';
  expect(await problemsOf(html.replace('</main>', ''))).not.toEqual([]);
});

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** Rules whose result depends on colours and width. The others are checked in the large light window alone. */
const APPEARANCE_RULES = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];

const LOOKS = [
  { look: { colorScheme: 'light', viewport: { width: 1200, height: 900 } }, options: {} },
  { look: { colorScheme: 'dark', viewport: { width: 320, height: 640 } }, options: { runOnly: APPEARANCE_RULES } },
] as const;

if (hasBrowser()) {
  const { open, problems } = useBrowser();
  const visitAll = async (): Promise<void> => {
    const axe = await readFile(judgesFile('axe-core/axe.min.js'), 'utf8');
    const { sandbox, pages, kinds } = await fillPages();
    const visit = async ({ look, options }: (typeof LOOKS)[number]): Promise<void> => {
      const page = await open(dashboardLink(sandbox.address), look);
      const violations = async (): Promise<readonly string[]> => {
        await page.evaluate(axe);
        const run = `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
        const found: readonly Violation[] = await page.evaluate(`${run}.then(({ violations }) => violations)`);
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
      };
      // Lists of a session and error pages look like other pages.
      for (const address of look.colorScheme === 'light' ? pages : kinds) {
        await page.goto(address);
        expect.soft([address, await violations()]).toEqual([address, []]);
      }
      await page.evaluate("document.querySelector('h1').style = 'color: #888; background: #777; font-size: 10px'");
      expect(await violations()).toEqual([expect.stringContaining('color-contrast')]);
    };
    await Promise.all(LOOKS.map(visit));
    // The browser logs the 403 and 404 of the error pages.
    problems.splice(0);
  };
  // Axe reads each of some sixty pages, which takes minutes on a busy machine.
  judged('axe finds no violation, in light on every page and in dark at 320 pixels on each kind of page', visitAll, {
    timeoutMs: 300_000,
  });
}
