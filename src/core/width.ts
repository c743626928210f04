/** Characters that take two columns of a terminal: East Asian Width W and F (UAX 11), and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Combining marks, which take no column. */
const MARK = /\p{M}/u;

const ASCII = /^[\x20-\x7e]*$/;

const widthOfChar = (char: string): number => {
  if (MARK.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
};

/** The number of terminal columns that a text takes. */
export const widthOf = (text: string): number =>
  ASCII.test(text) ? text.length : Array.from(text).reduce((sum, char) => sum + widthOfChar(char), 0);

/** The longest prefix of a text that fits the columns. */
export const prefixThatFits = (text: string, columns: number): string => {
  let [kept, room] = ['', columns];
  for (const char of text) {
    room -= widthOfChar(char);
    if (room < 0) return kept;
    kept += char;
  }
  return kept;
};

/** Splits a text into parts that each fit the columns. */
export const splitToWidth = (text: string, columns: number): readonly string[] => {
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const part = prefixThatFits(rest, Math.max(2, columns));
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
};
