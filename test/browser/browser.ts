import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

/** The headless shell is first, because it uses half of the processor time of the others. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of Chromium: the value of BURSAR_TEST_BROWSER, or the first browser in PATH. */
export const browserPath = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(':').filter(Boolean);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(canRun);
  return process.env['BURSAR_TEST_BROWSER'] ?? found;
};

/** Whether this machine has a browser. Without one it prints how to install it; in CI it throws. */
export const hasBrowser = (): boolean => {
  if (browserPath() !== undefined) return true;
  if (process.env['CI'])
    throw new Error('CI needs Chromium for the tests of pages: apt-get install chromium-headless-shell');
  process.stderr.write(
    'Skipped: the tests of pages need Chromium (apt-get install chromium-headless-shell) in PATH or in BURSAR_TEST_BROWSER.\n',
  );
  return false;
};

export type Visitor = {
  /** Opens a page in a new browser context with these options. */
  readonly open: (address: string, options?: BrowserContextOptions) => Promise<Page>;
  /** The problems of the pages so far. A test that causes one on purpose empties the list. */
  readonly problems: string[];
};

/**
 * Starts one browser for the tests of a file. A test fails when one of its pages throws, opens a dialog, or writes an error
 * or a warning to the console. A violation of the content security policy is such an error.
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
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
    });
  };
  beforeAll(async () => {
    // Chromium refuses to run as root with its sandbox. The pages are our own.
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

/** Waits until an element shows a text, without a reload by the test. */
export const waitForText = async (page: Page, selector: string, text: string): Promise<void> => {
  await page.locator(selector, { hasText: text }).first().waitFor();
};

/** Presses Tab until the element with this id has the focus. Throws after 60 presses. */
export const tabTo = async (page: Page, id: string): Promise<void> => {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement?.id')) === id) return;
  }
  throw new Error(`Tab never reaches ${id}`);
};

/** A colour scheme, and the width and height of a window in pixels. */
type Look = readonly ['light' | 'dark', number, number];

/** Without transitions the colours of a scheme are there at once. */
export const LOOKS_AT_ONCE = { reducedMotion: 'reduce' } as const;

/** Shows a page in each look. Yields the name of the page in that look, and its colour scheme. */
export const inLooks = async function* (page: Page, name: string, looks: readonly Look[]) {
  for (const [colorScheme, width, height] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    yield [`${name} in ${colorScheme} at ${width} pixels`, colorScheme] as const;
  }
};
