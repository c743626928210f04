import type { Browser, Page, Part } from './dom.ts';

/** In the browser: a button with `data-copy` copies the text of the named element, and shows the result. */
export const copyOnClick = ({ document, navigator }: Browser): void => {
  const toClipboard = async (text: string): Promise<boolean> => {
    try {
      await navigator.clipboard?.writeText(text);
      return navigator.clipboard !== undefined;
    } catch {
      return false;
    }
  };
  /** Without access to the clipboard: selects the text, so that the user can copy it with the keyboard. */
  const fromSelection = (field: Part): boolean => {
    field.focus();
    field.select?.();
    return document.execCommand('copy');
  };
  const copy = async (field: Part): Promise<void> => {
    const isDone = (await toClipboard(field.value ?? field.textContent ?? '')) || fromSelection(field);
    const note = document.getElementById('copied');
    if (note) note.textContent = isDone ? 'Copied.' : 'The browser does not allow it: select the text and copy it.';
  };
  document.addEventListener('click', ({ target }) => {
    const field = document.getElementById(target.closest('[data-copy]')?.dataset['copy'] ?? '');
    if (field) void copy(field);
  });
};

/** In the browser: runs clocks and countdowns from the sandbox's time, which is in the page's body. */
export const runTimes = ({ document, performance, setInterval }: Browser): void => {
  let last: string | undefined;
  let since = 0;
  const now = (): number => {
    const { now: sent } = document.body.dataset;
    if (sent !== last) since = performance.now();
    last = sent;
    return Number(sent) + performance.now() - since;
  };
  const two = (value: number): string => String(value).padStart(2, '0');
  const leftText = (ms: number): string => {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    const hours = Math.floor(seconds / 3600);
    const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    return hours > 0 ? `${hours}:${rest}` : rest;
  };
  const tick = (): void => {
    const at = now();
    for (const part of document.querySelectorAll('[data-clock]')) {
      part.textContent = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    }
    for (const part of document.querySelectorAll('[data-until]')) {
      part.textContent = `(${leftText(Number(part.dataset['until']) - at)} left)`;
    }
  };
  tick();
  setInterval(tick, 1000);
};

/**
 * In the browser: replaces the changed live parts of a page by the parts of a fresh page. Equal parts stay, so that
 * input, open details and focus stay too.
 */
export const takeParts = ({ document, location }: Browser): ((fresh: Page) => void) => {
  const LIVE = '[data-live]';
  const sent = new Map<string, string>();
  for (const part of document.querySelectorAll(LIVE)) sent.set(part.id, part.innerHTML);

  const replace = (part: Part, fresh: Part): void => {
    const { activeElement: focused } = document;
    const back = focused && part.contains(focused) ? focused.id : '';
    const opened = [...document.querySelectorAll('details[open]')].map(({ id }) => id);
    part.replaceChildren(...fresh.childNodes);
    for (const id of opened) {
      const details = document.getElementById(id);
      if (details) details.open = true;
    }
    // If the focused control is gone, the focus moves to its part.
    if (back) (document.getElementById(back) ?? part).focus({ preventScroll: true });
  };
  return (fresh) => {
    for (const part of document.querySelectorAll(LIVE)) {
      const other = fresh.getElementById(part.id);
      // The shown record is gone, for example after a reset. The reloaded page shows this.
      if (!other) {
        location.reload();
        return;
      }
      if (other.innerHTML === sent.get(part.id)) continue;
      sent.set(part.id, other.innerHTML);
      replace(part, other);
    }
    for (const name of ['stamp', 'now']) document.body.dataset[name] = fresh.body.dataset[name] ?? '';
  };
};

/** In the browser: fetches the page again after each change of the sandbox, and passes it to `take`. */
export const watchSandbox = (browser: Browser, take: (fresh: Page) => void): void => {
  const { document } = browser;
  const SOON_MS = 200;
  const AGAIN_MS = 2_000;
  const REST_MS = 400;

  let isFetching = false;
  let newest = '';
  /** Fetches the page. The first change shows at once; with many changes the page is fetched about twice a second. */
  const refresh = async (): Promise<void> => {
    if (isFetching) return;
    isFetching = true;
    const fetched = newest;
    try {
      const answer = await browser.fetch(browser.location.href, { headers: { 'x-watching': '1' } });
      const text = await answer.text();
      if (answer.status < 500) take(new browser.DOMParser().parseFromString(text, 'text/html'));
    } catch {
      // The stream shows whether the sandbox still runs.
    }
    browser.setTimeout(() => {
      isFetching = false;
      if (fetched !== newest) void refresh();
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
  /** Opens the stream of a visible page. Hidden pages have none, because a browser has few connections for one server. */
  const watch = (): void => {
    if (stream || document.visibilityState === 'hidden') return;
    const opened = new browser.EventSource(document.body.dataset['stream'] ?? '');
    stream = opened;
    opened.onopen = () => {
      failed = 0;
      setOffline(false);
    };
    opened.onmessage = ({ data }) => {
      newest = data;
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
