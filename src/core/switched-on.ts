/** Whether an environment variable that is a switch is on: unset, empty, `0` and `false` are off. */
export const isSwitchedOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
