import type { Browser } from './dom.ts';

/** In the browser: lets clocks and countdowns run from the sandbox's time, which is in the page's body. */
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
