/**
 * What of WCAG 2.2 can be measured in a page, as a script for the browser: it answers with everything that is wrong.
 * Contrast as in 1.4.3, targets as in 2.5.5, and what a screen reader needs: names, labels, headings, captions.
 */
export const JUDGE = `(() => {
  const wrong = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (part) => part.checkVisibility() && part.getBoundingClientRect().width > 2;
  const name = (part) => part.tagName.toLowerCase() + (part.id ? '#' + part.id : '') + ' "' + (part.textContent || '').trim().slice(0, 30) + '"';
  const rgba = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = (v) => { const c = v / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (part) => {
    for (let at = part; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  let texts = 0;
  for (const part of all('body *')) {
    const hasText = [...part.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !isShown(part)) continue;
    texts += 1;
    const [a, b] = [light(rgba(getComputedStyle(part).color)), light(ground(part))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) wrong.push('contrast ' + contrast.toFixed(2) + ': ' + name(part));
  }
  if (texts < 5) wrong.push('only ' + texts + ' texts were looked at');
  for (const part of all('button, input:not([type=hidden]), select, textarea, summary, a')) {
    if (!isShown(part)) continue;
    if (part.getBoundingClientRect().height < 44 && !part.closest('p')) wrong.push('small target: ' + name(part));
  }
  for (const part of all('input:not([type=hidden]), select, textarea')) if (part.labels.length !== 1) wrong.push('no label: ' + name(part));
  for (const part of all('[aria-describedby], [aria-labelledby]')) {
    const ids = [part.getAttribute('aria-describedby'), part.getAttribute('aria-labelledby')].filter(Boolean).join(' ');
    for (const id of ids.split(' ')) if (!document.getElementById(id)) wrong.push('names nothing: ' + id);
  }
  const ids = all('[id]').map(({ id }) => id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push('twice: #' + id);
  const levels = all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1]));
  if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1) wrong.push('headings begin ' + levels);
  levels.forEach((level, at) => { if (at > 0 && level > levels[at - 1] + 1) wrong.push('a level is skipped: ' + levels); });
  if (document.documentElement.lang !== 'en') wrong.push('no language');
  for (const landmark of ['main', 'header']) if (all(landmark).length !== 1) wrong.push('no single ' + landmark);
  for (const part of all('img')) if (part.getAttribute('alt') === null) wrong.push('no alt: ' + part.src);
  for (const part of all('table')) if (!part.caption || part.querySelector('th:not([scope])')) wrong.push('table: ' + name(part));
  for (const part of all('svg')) if (part.getAttribute('aria-hidden') !== 'true') wrong.push('a sign is read out');
  for (const part of all('table')) if (part.scrollWidth > part.parentElement.clientWidth + 1) wrong.push('wider than its card: ' + name(part));
  for (const part of all('td.email span')) if (part.getBoundingClientRect().height > 26) wrong.push('a broken e-mail: ' + name(part));
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('wider than the window: ' + document.documentElement.scrollWidth);
  if (all('style, script:not([src]), [style]').length > 0) wrong.push('something inline');
  return wrong;
})()`;
