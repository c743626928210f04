/** Adds options to a command line, and removes the same options with their old values. */
export const overriding = (args: readonly string[], more: readonly string[]): readonly string[] => {
  const flags = more.filter((word) => word.startsWith('--'));
  const kept = args.filter((word, at) => !flags.includes(word) && !flags.includes(args[at - 1] ?? ''));
  return [...kept, ...more];
};
