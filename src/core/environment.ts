/** Whether an environment variable that is a switch is on: unset, empty, `0` and `false` are off. */
export const isSwitchedOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the user has what is written read aloud: BURSAR_ACCESSIBLE, or ACCESSIBLE, which other programs know too. */
export const isAccessible = (env: Env): boolean =>
  isSwitchedOn(env['BURSAR_ACCESSIBLE']) || isSwitchedOn(env['ACCESSIBLE']);

/** Whether a line of a terminal may be drawn again in its place. */
export const canRedraw = (env: Env): boolean =>
  !isAccessible(env) && !isSwitchedOn(env['CI']) && env['TERM'] !== 'dumb';
