/** Breaks a text at spaces so that no line is wider than `columns`; later lines are indented. A long word stays whole. */
export const wrap = (text: string, columns: number, indent = ''): string => {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  for (const word of text.trimStart().split(' ')) {
    const longer = line.trim() === '' ? line + word : `${line} ${word}`;
    const isTooWide = longer.length > columns && line.trim() !== '';
    if (isTooWide) lines.push(line);
    line = isTooWide ? indent + word : longer;
  }
  return [...lines, line].join('\n');
};
