import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';

/** The owner of each line of the bundle. esbuild writes the path of a module above its code. */
const ownersIn = (bundle: string): readonly string[] => {
  let owner = '';
  return readFileSync(bundle, 'utf8')
    .split('\n')
    .map((line) => {
      const [, path] = /^\/\/ ((?:src|test|node_modules)\/\S+)/.exec(line) ?? [];
      if (path) owner = path.startsWith('src/') ? 'program' : path.startsWith('test/') ? 'simulator' : 'library';
      return owner;
    });
};

/** The shares of processor time of the program and the simulator, each with the libraries that it calls. */
export type Shares = { readonly program: number; readonly simulator: number };

const sharesIn = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, owners: readonly string[]): Shares => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const above = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const ownerOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (!node) return 'engine';
    const { url, lineNumber, functionName } = node.callFrame;
    if (functionName === '(idle)') return 'idle';
    const owner = url.endsWith('.cjs') ? owners[lineNumber] : undefined;
    return owner === 'program' || owner === 'simulator' ? owner : ownerOf(above.get(node.id));
  };
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const owner = ownerOf(id);
    times.set(owner, (times.get(owner) ?? 0) + (timeDeltas[at] ?? 0));
  }
  // Garbage collection and other work of the engine count for neither.
  const [program, simulator] = [times.get('program') ?? 0, times.get('simulator') ?? 0];
  return { program: program / (program + simulator), simulator: simulator / (program + simulator) };
};

/** Profiles this process until the returned function is called. */
export const startProfile = (bundle: string): (() => Promise<Shares>) => {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  return () =>
    new Promise((resolve, reject) => {
      session.post('Profiler.stop', (error, { profile }) => {
        session.disconnect();
        if (error) reject(error);
        else resolve(sharesIn(profile, ownersIn(bundle)));
      });
    });
};
