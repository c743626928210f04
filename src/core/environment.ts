/** Whether an environment variable is switched on: unset, empty, `0` and `false` are off. */
export const isSwitchedOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user has a screen reader: BURSAR_ACCESSIBLE, or ACCESSIBLE, which other programs read too. */
export const isAccessible = (env: Environment): boolean =>
  isSwitchedOn(env['BURSAR_ACCESSIBLE']) || isSwitchedOn(env['ACCESSIBLE']);

/** Whether bursar may redraw a line of the terminal in place. */
export const canRedraw = (env: Environment): boolean =>
  !isAccessible(env) && !isSwitchedOn(env['CI']) && env['TERM'] !== 'dumb';
