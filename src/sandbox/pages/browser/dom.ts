/** The part of the DOM that the pages' script uses. The program has no types of a browser, because it runs in Node. */
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
  replaceChildren: (...parts: readonly unknown[]) => void;
  closest: (selector: string) => Part | null;
  focus: (options?: object) => void;
  select?: () => void;
};

export type Page = {
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
  close: () => void;
};

type Answer = { readonly status: number; readonly text: () => Promise<string> };

/** The global objects of a browser that the script uses. */
export type Browser = {
  readonly document: Page;
  readonly EventSource: new (url: string) => Stream;
  readonly DOMParser: new () => { parseFromString: (text: string, type: string) => Page };
  readonly location: { readonly href: string; readonly reload: () => void };
  readonly navigator: { readonly clipboard?: { readonly writeText: (text: string) => Promise<void> } };
  readonly performance: { readonly now: () => number };
  readonly fetch: (url: string, options: object) => Promise<Answer>;
  readonly setTimeout: (act: () => void, ms: number) => unknown;
  readonly setInterval: (act: () => void, ms: number) => unknown;
  readonly addEventListener: (event: string, act: () => void) => void;
};
