// Turns the screens of a terminal, with the colours that tmux writes (SGR), into one SVG. The SVG shows the last screen. A viewer
// that plays animations shows the earlier screens first.

const ESC = '\u001b';
const SGR = `${ESC}\\[([\\d;]*)m`;
const PARTS = new RegExp(`${SGR}|([^${ESC}]+)`, 'g');

const WIDTH = 8.4;
const HEIGHT = 18;
const PADDING = 14;
const BAR = 30;

/** The colours of a terminal by SGR number: 30 to 37, and 90 to 97 for the bright ones. */
const COLOURS = {
  ...{
    30: '#484f58',
    31: '#ff7b72',
    32: '#7ee787',
    33: '#e3b341',
    34: '#79c0ff',
    35: '#d2a8ff',
    36: '#76e3ea',
    37: '#c9d1d9',
  },
  ...{
    90: '#8b949e',
    91: '#ffa198',
    92: '#a5f3b4',
    93: '#f2cc60',
    94: '#a5d6ff',
    95: '#e2c5ff',
    96: '#b3f0f5',
    97: '#f0f6fc',
  },
};

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escapeXml = (text) => text.replaceAll(/[&<>]/g, (char) => ENTITIES[char]);

/** The style after one SGR sequence. */
const styled = (style, codes) => {
  let next = style;
  for (const code of codes) {
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, isBold: true };
    else if (code === 2) next = { ...next, isDim: true };
    else if (code === 4) next = { ...next, isUnderlined: true };
    else if (code === 22) next = { ...next, isBold: false, isDim: false };
    else if (code === 24) next = { ...next, isUnderlined: false };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (COLOURS[code]) next = { ...next, colour: COLOURS[code] };
  }
  return next;
};

/** The parts of a row: words in one style, with their first column. The last style continues in the next row. */
export const partsOf = (row, before = {}) => {
  const parts = [];
  let [style, column] = [before, 0];
  for (const [, codes, text] of row.matchAll(PARTS)) {
    if (codes !== undefined) style = styled(style, codes.split(';').map(Number));
    else if (text) {
      // Viewers collapse several spaces into one, so each group of words gets its own position.
      for (const { 0: words, index } of text.matchAll(/\S+(?: \S+)*/g)) {
        parts.push({ text: words, column: column + [...text.slice(0, index)].length, style });
      }
      column += [...text].length;
    }
  }
  return { parts, style };
};

const attributesOf = ({ colour, isBold, isDim, isUnderlined }) =>
  [
    colour && ` fill="${colour}"`,
    isBold && ' font-weight="700"',
    isDim && ' opacity=".7"',
    isUnderlined && ' text-decoration="underline"',
  ]
    .filter(Boolean)
    .join('');

/** A row as SVG text. Each part has its own position, so that no font moves a column. */
const rowSvg = (parts, at) => {
  if (parts.length === 0) return '';
  const spans = parts.map(({ text, column, style }) => {
    const [x, length] = [PADDING + column * WIDTH, [...text].length * WIDTH].map((number) => number.toFixed(1));
    return `<tspan x="${x}" textLength="${length}"${attributesOf(style)}>${escapeXml(text)}</tspan>`;
  });
  return `<text y="${BAR + PADDING + at * HEIGHT}">${spans.join('')}</text>`;
};

const screenSvg = (screen) => {
  let style = {};
  return screen
    .map((row, at) => {
      const read = partsOf(row, style);
      style = read.style;
      return rowSvg(read.parts, at);
    })
    .join('\n');
};

const plain = (row) => row.replaceAll(new RegExp(SGR, 'g'), '').trimEnd();

/** A screen without the empty rows at its end. */
const withoutEmptyEnd = (screen) => {
  const rows = [...screen];
  while (rows.length > 0 && plain(rows.at(-1)) === '') rows.pop();
  return rows;
};

/** How long a screen is shown, in seconds: longer for more new rows. */
const secondsOf = (screen, before) => Math.min(2.5, 0.5 + 0.12 * Math.max(0, screen.length - (before?.length ?? 0)));

/**
 * The screens of a recording as an SVG. `title` is for screen readers. `columns` is the width of the terminal.
 */
export const svgOf = (screens, { title, columns }) => {
  const frames = screens.map(withoutEmptyEnd).filter((screen) => screen.length > 0);
  const last = frames.at(-1) ?? [];
  const rows = Math.max(...frames.map(({ length }) => length), 1);
  const [width, height] = [Math.ceil(columns * WIDTH + 2 * PADDING), BAR + PADDING * 1.5 + rows * HEIGHT];
  let begin = 0;
  const earlier = frames.slice(0, -1).map((screen, at) => {
    const seconds = secondsOf(screen, frames[at - 1]);
    const time = `<set attributeName="visibility" to="visible" begin="${begin.toFixed(1)}s" dur="${seconds.toFixed(1)}s"/>`;
    begin += seconds;
    return `<g visibility="hidden">${time}<rect y="${BAR}" width="${width}" height="${height - BAR}" rx="8" fill="#0d1117"/>\n${screenSvg(screen)}</g>`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${18 + at * 18}" cy="16" r="5.5" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
${dots.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#c9d1d9">
${screenSvg(last)}
${earlier.join('\n')}
</g>
</svg>
`;
};
