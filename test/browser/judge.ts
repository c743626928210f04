/**
 * A script for the browser that measures a page against WCAG 2.2 and returns its problems. It checks contrast (1.4.3), the
 * height of targets (2.5.5), and names, labels, headings and captions for screen readers.
 */
export const PAGE_CHECKS = `(() => {
  const problems = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 2;
  const name = (element) => element.tagName.toLowerCase() + (element.id ? '#' + element.id : '') + ' "' + (element.textContent || '').trim().slice(0, 30) + '"';
  const rgba = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => {
    const part = (v) => { const c = v / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  let texts = 0;
  for (const element of all('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !isShown(element)) continue;
    texts += 1;
    const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(background(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) problems.push('contrast ' + contrast.toFixed(2) + ': ' + name(element));
  }
  if (texts < 5) problems.push('only ' + texts + ' texts were checked');
  for (const element of all('button, input:not([type=hidden]), select, textarea, summary, a')) {
    if (!isShown(element)) continue;
    if (element.getBoundingClientRect().height < 44 && !element.closest('p')) problems.push('small target: ' + name(element));
  }
  for (const element of all('input:not([type=hidden]), select, textarea')) if (element.labels.length !== 1) problems.push('no label: ' + name(element));
  for (const element of all('[aria-describedby], [aria-labelledby]')) {
    const ids = [element.getAttribute('aria-describedby'), element.getAttribute('aria-labelledby')].filter(Boolean).join(' ');
    for (const id of ids.split(' ')) if (!document.getElementById(id)) problems.push('refers to no element: ' + id);
  }
  const ids = all('[id]').map(({ id }) => id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('duplicate id: #' + id);
  const levels = all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1]));
  if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1) problems.push('headings begin ' + levels);
  levels.forEach((level, at) => { if (at > 0 && level > levels[at - 1] + 1) problems.push('a heading level is skipped: ' + levels); });
  if (document.documentElement.lang !== 'en') problems.push('no language');
  for (const landmark of ['main', 'header']) if (all(landmark).length !== 1) problems.push('no single ' + landmark);
  for (const element of all('img')) if (element.getAttribute('alt') === null) problems.push('no alt: ' + element.src);
  for (const element of all('table')) if (!element.caption || element.querySelector('th:not([scope])')) problems.push('no caption or scope: ' + name(element));
  for (const element of all('svg')) if (element.getAttribute('aria-hidden') !== 'true') problems.push('screen readers read an svg');
  for (const element of all('table')) if (element.scrollWidth > element.parentElement.clientWidth + 1) problems.push('wider than its card: ' + name(element));
  for (const element of all('td.email span')) if (element.getBoundingClientRect().height > 26) problems.push('an e-mail on two lines: ' + name(element));
  if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window: ' + document.documentElement.scrollWidth);
  if (all('style, script:not([src]), [style]').length > 0) problems.push('an inline style or script');
  return problems;
})()`;
