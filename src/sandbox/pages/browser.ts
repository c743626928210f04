/**
 * The pages' only script, as it runs in a browser: it keeps a page as the sandbox is, lets times run and fills the
 * clipboard. Without it everything can still be done. It is served as its own text, so it uses nothing from outside
 * itself; the types are as much of the DOM as it needs.
 */
export type Part = {
  readonly id: string;
  readonly dataset: Record<string, string | undefined>;
  readonly childNodes: Iterable<unknown>;
  readonly innerHTML: string;
  readonly value?: string;
  hidden: boolean;
  open?: boolean;
  textContent: string | null;
  contains: (part: Part | null) => boolean;
  getAttribute: (name: string) => string | null;
  replaceChildren: (...parts: readonly unknown[]) => void;
  addEventListener: (event: string, act: () => void) => void;
  closest: (selector: string) => Part | null;
  focus: (options?: object) => void;
  select?: () => void;
};

type Page = {
  readonly body: Part;
  readonly activeElement: Part | null;
  readonly visibilityState: string;
  getElementById: (id: string) => Part | null;
  querySelectorAll: (selector: string) => Iterable<Part>;
  addEventListener: (event: string, act: (event: { readonly target: Part }) => void) => void;
  execCommand: (name: string) => boolean;
};

type Stream = {
  onopen: () => void;
  onerror: () => void;
  onmessage: (event: { data: string }) => void;
  readonly readyState: number;
  close: () => void;
};

/** What a browser has for a page. */
export type Browser = {
  readonly document: Page;
  readonly EventSource: new (url: string) => Stream;
  readonly DOMParser: new () => { parseFromString: (text: string, type: string) => Page };
  readonly location: { readonly href: string; reload: () => void };
  readonly navigator: { readonly clipboard?: { writeText: (text: string) => Promise<void> } };
  readonly performance: { now: () => number };
  readonly fetch: (url: string, options: object) => Promise<{ readonly status: number; text: () => Promise<string> }>;
  readonly setTimeout: (act: () => void, ms: number) => unknown;
  readonly setInterval: (act: () => void, ms: number) => unknown;
  readonly addEventListener: (event: string, act: () => void) => void;
};

/** Runs on every page when it has loaded. */
export const browserScript = (browser: Browser): void => {
  const { document } = browser;
  const LIVE = '[data-live]';
  const AGAIN_MS = 2_000;
  const REST_MS = 400;

  /** What the sandbox last sent of each part: what a person typed into it is no difference. */
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
    // Where the focused control is gone, a keyboard goes on from the part that it was in.
    if (back) (document.getElementById(back) ?? part).focus({ preventScroll: true });
  };

  const take = (fresh: Page): void => {
    for (const part of document.querySelectorAll(LIVE)) {
      const other = fresh.getElementById(part.id);
      // What is shown here is gone, after a reset for one: the page as it is now says so.
      if (!other) {
        browser.location.reload();
        return;
      }
      if (other.innerHTML === sent.get(part.id)) continue;
      sent.set(part.id, other.innerHTML);
      replace(part, other);
    }
    for (const name of ['stamp', 'now']) document.body.dataset[name] = fresh.body.dataset[name] ?? '';
    start = browser.performance.now();
    tick();
  };

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
      // The stream says whether the sandbox is still there.
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

  let stream: Stream | undefined;
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
      browser.setTimeout(watch, failed > 1 ? AGAIN_MS : 200);
    };
  };

  const two = (value: number): string => String(value).padStart(2, '0');
  const leftText = (ms: number): string => {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    const hours = Math.floor(seconds / 3600);
    const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    return hours > 0 ? `${hours}:${rest}` : rest;
  };
  /** Times run from what the sandbox said: its clock is not the browser's. */
  let start = browser.performance.now();
  const tick = (): void => {
    const now = Number(document.body.dataset['now']) + browser.performance.now() - start;
    for (const part of document.querySelectorAll('[data-clock]')) {
      part.textContent = `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    }
    for (const part of document.querySelectorAll('[data-until]')) {
      part.textContent = `(${leftText(Number(part.dataset['until']) - now)} left)`;
    }
  };

  const copy = async (button: Part): Promise<void> => {
    const field = document.getElementById(button.dataset['copy'] ?? '');
    const said = document.getElementById('copied');
    if (!field) return;
    let isDone = true;
    try {
      await browser.navigator.clipboard?.writeText(field.value ?? field.textContent ?? '');
      isDone = browser.navigator.clipboard !== undefined;
    } catch {
      isDone = false;
    }
    if (!isDone) {
      field.focus();
      field.select?.();
      isDone = document.execCommand('copy');
    }
    if (said) said.textContent = isDone ? 'Copied.' : 'The browser does not allow it: select the text and copy it.';
  };

  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy]');
    if (button) void copy(button);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave();
    else watch();
  });
  browser.addEventListener('pagehide', leave);
  browser.addEventListener('pageshow', watch);
  if (document.body.dataset['stamp'] === undefined) return;
  tick();
  browser.setInterval(tick, 1000);
  watch();
};
