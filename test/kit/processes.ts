import { readdirSync, readFileSync } from 'node:fs';

/** The state and the parent of a process (proc_pid_stat(5)); `undefined` without it. */
const statOf = (pid: number): { readonly state: string; readonly parent: number } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
};

/** Whether a process with this number runs. A zombie has ended. */
export const stillRuns = (pid: number): boolean => {
  const found = statOf(pid);
  return found !== undefined && !/^[ZX]$/.test(found.state);
};

/** The processes that a process started, and that these started. */
export const descendantsOf = (pid: number): readonly number[] => {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const children = pids.filter((each) => statOf(each)?.parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
};
