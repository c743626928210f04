import type { Browser, Page } from './dom.ts';

/** In the browser: passes the current page to `take` after each change of the sandbox. */
export const watchSandbox = (browser: Browser, take: (fresh: Page) => void): void => {
  const { document } = browser;
  const SOON_MS = 200;
  const AGAIN_MS = 2_000;
  const REST_MS = 400;

  let isAsking = false;
  let wanted = '';
  /** The first change shows at once; where much happens, the page follows twice a second. */
  const refresh = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const asked = wanted;
    try {
      const answer = await browser.fetch(browser.location.href, { headers: { 'x-watching': '1' } });
      const text = await answer.text();
      if (answer.status < 500) take(new browser.DOMParser().parseFromString(text, 'text/html'));
    } catch {
      // The stream shows whether the sandbox still runs.
    }
    browser.setTimeout(() => {
      isAsking = false;
      if (asked !== wanted) void refresh();
    }, REST_MS);
  };

  const setOffline = (isOffline: boolean): void => {
    const note = document.getElementById('offline');
    if (note && note.hidden === isOffline) note.hidden = !isOffline;
  };

  let stream: { readonly close: () => void } | undefined;
  let failed = 0;
  const leave = (): void => {
    stream?.close();
    stream = undefined;
  };
  /** Only a page that is looked at is live: a browser has few connections for one server. */
  const watch = (): void => {
    if (stream || document.visibilityState === 'hidden') return;
    const opened = new browser.EventSource('/_live');
    stream = opened;
    opened.onopen = () => {
      failed = 0;
      setOffline(false);
    };
    opened.onmessage = ({ data }) => {
      wanted = data;
      if (data !== document.body.dataset['stamp']) void refresh();
    };
    opened.onerror = () => {
      leave();
      failed += 1;
      if (failed > 1) setOffline(true);
      browser.setTimeout(watch, failed > 1 ? AGAIN_MS : SOON_MS);
    };
  };
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? leave() : watch()));
  browser.addEventListener('pagehide', leave);
  browser.addEventListener('pageshow', watch);
  watch();
};
