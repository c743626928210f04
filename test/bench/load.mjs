import { childrenOf, processorOf } from './running.mjs';

/** Milliseconds of processor so far: of this process, of a sandbox, and of its nodes. */
const usage = (pid) => {
  const { user, system } = process.cpuUsage();
  const nodes = childrenOf(pid).map(processorOf);
  return [(user + system) / 1000, processorOf(pid), nodes.reduce((sum, each) => sum + each, 0)];
};

/** Does work so many times: each worker takes the next when it has ended one. */
const share = async (workers, times) => {
  let left = times;
  const goOn = async (worker) => {
    for (; left > 0; ) {
      left -= 1;
      await worker();
    }
  };
  await Promise.all(workers.map(goOn));
};

/** How often a second workers do their work, and the processor that one takes: here, in the sandbox, in its nodes. */
export const rateOf = async (pid, workers, { warm, times }) => {
  await share(workers, warm);
  const before = usage(pid);
  const start = performance.now();
  await share(workers, times);
  const rate = (times / (performance.now() - start)) * 1000;
  const each = usage(pid).map((value, at) => ((value - before[at]) / times).toFixed(1));
  return { rate, each: `client ${each[0]}, sandbox ${each[1]}, nodes ${each[2]} ms each` };
};
