/**
 * Names that JSON output and journals on the disk keep, by the names that the program itself uses for them. Scripts and old
 * journals hold these names, so that they never change. No other file of the source may use a name that was retired.
 */
export const WIRE_NAMES = {
  message: 'says',
  outflows: 'leaves',
  remainingApprovals: 'afterwards',
} as const;

/** An object with its keys as JSON output has them, in the same order; what it holds is not looked at. */
export const withWireNames = (value: object, names: readonly (keyof typeof WIRE_NAMES)[]): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = names.find((each) => each === key);
      return [name === undefined ? key : WIRE_NAMES[name], inner];
    }),
  );
