import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';

/** How help looks where it is printed. */
export const lookOf = ({ env, stdout }: Io, noColour: boolean) => ({
  columns: stdout.columns,
  paint: palette(wantsColour(env, stdout, noColour)),
});
