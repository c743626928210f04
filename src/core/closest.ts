/** The number of letters to change, add, remove or swap with the next one to turn one word into another. */
const distance = (a: string, b: string): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};

/** The known words closest to a mistyped one, all at the same distance; empty if no known word is close. */
export const allClosest = (typed: string, known: readonly string[]): readonly string[] => {
  const text = typed.slice(0, 64).toLowerCase();
  const words = known.map((word) => ({ word, far: distance(text, word.toLowerCase()) }));
  const least = Math.min(...words.map(({ far }) => far));
  return words
    .filter(({ word, far }) => far === least && far <= Math.max(1, Math.floor(word.length / 3)))
    .map(({ word }) => word);
};

/** The known word closest to a mistyped one; `undefined` if no known word is close. */
export const closest = (typed: string, known: readonly string[]): string | undefined => allClosest(typed, known)[0];

/** Whether a word is likely a mistyped form of a known word. */
export const isNear = (typed: string, known: readonly string[]): boolean => closest(typed, known) !== undefined;

/** A hint for an unknown name: the closest known name, all known names, or that there is none. */
export const suggestionFor = (typed: string, known: readonly string[]): string => {
  const meant = closest(typed, known);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return known.length === 0 ? 'There is none.' : `Known: ${known.join(', ')}.`;
};
