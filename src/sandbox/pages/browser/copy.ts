import type { Browser, Part } from './dom.ts';

/** In the browser: a button marked `data-copy` copies the text of the element that it names, and shows that. */
export const copyOnClick = ({ document, navigator }: Browser): void => {
  const toClipboard = async (text: string): Promise<boolean> => {
    try {
      await navigator.clipboard?.writeText(text);
      return navigator.clipboard !== undefined;
    } catch {
      return false;
    }
  };
  /** Where the clipboard is forbidden: selected, so that at least the keyboard can copy it. */
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
