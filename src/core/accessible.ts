import { isSwitchedOn } from './switched-on.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the user has what is written read aloud: BURSAR_ACCESSIBLE, or ACCESSIBLE, which other programs know too. */
export const isAccessible = (env: Env): boolean =>
  isSwitchedOn(env['BURSAR_ACCESSIBLE']) || isSwitchedOn(env['ACCESSIBLE']);

/** Whether a line of a terminal may be drawn again in its place. */
export const canRedraw = (env: Env): boolean =>
  !isAccessible(env) && !isSwitchedOn(env['CI']) && env['TERM'] !== 'dumb';
