import type { Browser, Page, Part } from './dom.ts';

/**
 * In the browser: replaces the changed parts of a page by those of the current page. Only parts that differ are
 * replaced, so that input, open parts and focus elsewhere stay.
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
    // Where the focused control is gone, a keyboard goes on from the part that it was in.
    if (back) (document.getElementById(back) ?? part).focus({ preventScroll: true });
  };
  return (fresh) => {
    for (const part of document.querySelectorAll(LIVE)) {
      const other = fresh.getElementById(part.id);
      // The shown record is gone, after a reset for example: the current page shows that.
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
