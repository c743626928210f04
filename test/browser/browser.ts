import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

/** First the one without windows, which takes half of the processor's time of the others. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Chromium as the machine has it: what BURSAR_TEST_BROWSER names, or the first of its names in the path. */
const browserPath = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(':').filter(Boolean);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(canRun);
  return process.env['BURSAR_TEST_BROWSER'] ?? found;
};

/** Whether this machine has a browser. Without one these tests say so and are left out; in CI that is a failure. */
export const hasBrowser = (): boolean => {
  if (browserPath() !== undefined) return true;
  if (process.env['CI'])
    throw new Error('CI needs Chromium for the tests of pages: apt-get install chromium-headless-shell');
  process.stderr.write(
    'Left out: tests of pages need Chromium (apt-get install chromium-headless-shell), in the path or named by BURSAR_TEST_BROWSER.\n',
  );
  return false;
};

export type Visitor = {
  /** A page in a browser of its own settings. */
  readonly open: (address: string, options?: BrowserContextOptions) => Promise<Page>;
  /** What went wrong in the pages so far; a test that provokes something empties it. */
  readonly problems: string[];
};

/**
 * One browser for the tests of a file. A test fails when a page of it breaks its policy, throws, complains in the
 * console or opens a dialog.
 */
export const useBrowser = (): Visitor => {
  let browser: Browser | undefined;
  const problems: string[] = [];
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (said) => {
      if (['error', 'warning'].includes(said.type())) problems.push(`console: ${said.text()}`);
    });
  };
  beforeAll(async () => {
    // A container's root has no other way, and the pages are our own.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: browserPath() ?? '', args });
  });
  afterEach(async () => {
    const seen = problems.splice(0);
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
    expect(seen).toEqual([]);
  });
  afterAll(() => browser?.close());
  const open = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
    if (!browser) throw new Error('the browser was not started');
    const context = await browser.newContext(options);
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    watch(page);
    await page.goto(address);
    return page;
  };
  return { open, problems };
};

/** Waits until an element says something, without the page being loaded again. */
export const untilSays = async (page: Page, selector: string, text: string): Promise<void> => {
  await page.locator(selector, { hasText: text }).first().waitFor();
};

/** Presses Tab until the focus is on the element of that id. Fails when the whole page was gone through. */
export const tabTo = async (page: Page, id: string): Promise<void> => {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement?.id')) === id) return;
  }
  throw new Error(`Tab never reaches ${id}`);
};
