/** The words of a command line; what is quoted stays one. */
const wordsOf = (line: string): readonly string[] => line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];

/** An option goes with its value, and a sign of the shell with what follows it. */
const unitsOf = (line: string): readonly string[] => {
  const units: string[] = [];
  for (const word of wordsOf(line)) {
    const last = units.at(-1) ?? '';
    const belongs = /^(?:-{1,2}[a-z][^\s=]*|[|<>]|&&)$/.test(last) && !/^(?:-|[|<>]|&&)/.test(word);
    if (belongs) units[units.length - 1] = `${last} ${word}`;
    else units.push(word);
  }
  return units;
};

/** A command line no wider than `columns`, broken where the shell allows it: it can be pasted as it stands. */
export const fold = (line: string, columns: number, indent = '    '): readonly string[] => {
  if (line.length <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  for (const unit of unitsOf(line)) {
    const longer = current === '' ? unit : `${current} ${unit}`;
    if (longer.length + 2 > columns && current !== '') {
      lines.push(`${current} \\`);
      current = indent + unit;
    } else current = longer;
  }
  return [...lines, current];
};
