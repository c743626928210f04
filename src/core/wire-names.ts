/**
 * Maps the names of the program to the names in JSON output and in journals on the disk. Scripts and old journals
 * contain the latter, so they never change. Retired names stand in this file only.
 */
export const WIRE_NAMES = {
  message: 'says',
  outflows: 'leaves',
  remainingApprovals: 'afterwards',
} as const;

/** Renames the keys of an object to those of JSON output. Keeps their order; nested objects stay unchanged. */
export const withWireNames = (value: object, names: readonly (keyof typeof WIRE_NAMES)[]): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = names.find((each) => each === key);
      return [name === undefined ? key : WIRE_NAMES[name], inner];
    }),
  );
