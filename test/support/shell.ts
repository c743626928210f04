import { type Ended, startBursar } from './bursar.ts';

/** What a user types, in bash with nobody at the terminal; `bursar` is the built program, and the first failure ends it. */
export const typeInShell = (
  home: string,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  const script = ['set -e', 'node="$1" program="$2"', 'bursar() { "$node" "$program" "$@"; }', ...lines].join('\n');
  return startBursar(home, [], { env, under: ['bash', '-c', script, 'bash'] }).ended;
};
