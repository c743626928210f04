/** A command line with more options: one that is there already, with its value, gives way, for none is taken twice. */
export const overriding = (args: readonly string[], more: readonly string[]): readonly string[] => {
  const given = more.filter((word) => word.startsWith('--'));
  const kept = args.filter((word, at) => !given.includes(word) && !given.includes(args[at - 1] ?? ''));
  return [...kept, ...more];
};
