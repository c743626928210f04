import { defineConfig } from '@playwright/test';

/** The path of a browser that is installed already; without it Playwright uses its own. */
const executablePath = process.env.CHROMIUM;

export default defineConfig({
  reporter: 'list',
  use: { launchOptions: executablePath ? { executablePath } : {} },
});
