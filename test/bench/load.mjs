import { median, RUNS, turnsOf } from './measure.mjs';
import { childrenOf, processorOf } from './running.mjs';

/** Does a piece of work `times` times. Each worker takes the next piece when it has ended one. */
export const share = async (workers, times) => {
  let left = times;
  const work = async (worker) => {
    for (; left > 0; ) {
      left -= 1;
      await worker();
    }
  };
  await Promise.all(workers.map(work));
};

/** A function that does `times` pieces of work and returns their number per second. */
const rateOf = (times, work) => async () => {
  const start = performance.now();
  await work();
  return (times / (performance.now() - start)) * 1000;
};

/** Milliseconds of processor time so far: of this process, of a sandbox, and of its nodes. */
const usage = (pid) => {
  const { user, system } = process.cpuUsage();
  const nodes = childrenOf(pid).map(processorOf);
  return [(user + system) / 1000, processorOf(pid), nodes.reduce((sum, used) => sum + used, 0)];
};

/**
 * The rates of the sandbox and of others for the same work, per second: medians of rounds of `times` pieces, in turn. Also the
 * processor time of one piece in the clients, the sandbox and its nodes.
 */
export const compareRates = async (pid, times, sandbox, ...others) => {
  const spent = [];
  const measured = async () => {
    const before = usage(pid);
    await sandbox();
    spent.push(usage(pid).map((value, at) => (value - before[at]) / times));
  };
  const turns = await turnsOf(RUNS, ...[measured, ...others].map((work) => rateOf(times, work)));
  const [client, server, nodes] = [0, 1, 2].map((at) => median(spent.map((values) => values[at])).toFixed(1));
  return {
    rates: turns.map(median),
    processor: `clients ${client} ms, sandbox ${server} ms, nodes ${nodes} ms`,
  };
};

/** A row with the ratio of two rates. */
export const rateRow = (label, against, [own, other], minimum) => ({
  label,
  against,
  own: `${Math.round(own)} /s`,
  other: `${Math.round(other)} /s`,
  value: own / other,
  minimum,
});
