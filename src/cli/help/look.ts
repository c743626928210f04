import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';

/** How help looks where it is printed. */
export const lookOf = ({ args, env, stdout }: Io) => ({
  columns: stdout.columns,
  paint: palette(wantsColour(env, stdout, args.includes('--no-color'))),
});
