import { median, RUNS, turnsOf } from './measure.mjs';
import { childrenOf, processorOf } from './running.mjs';

/** Does work so many times: each worker takes the next when it has ended one. */
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

/** A function that does some work `times` times and returns how often a second. */
const rateOf = (times, work) => async () => {
  const start = performance.now();
  await work();
  return (times / (performance.now() - start)) * 1000;
};

/** Milliseconds of processor so far: of this process, of a sandbox, and of its nodes. */
const usage = (pid) => {
  const { user, system } = process.cpuUsage();
  const nodes = childrenOf(pid).map(processorOf);
  return [(user + system) / 1000, processorOf(pid), nodes.reduce((sum, each) => sum + each, 0)];
};

/**
 * How often a second the sandbox does a piece of work, and how often others do their part of it: medians of rounds of
 * `times` pieces, in turn. Also the processor that a piece takes of the clients, of the sandbox and of its nodes.
 */
export const compareRates = async (pid, times, sandbox, ...others) => {
  const spent = [];
  const measured = async () => {
    const before = usage(pid);
    await sandbox();
    spent.push(usage(pid).map((value, at) => (value - before[at]) / times));
  };
  const turns = await turnsOf(RUNS, ...[measured, ...others].map((work) => rateOf(times, work)));
  const [client, server, nodes] = [0, 1, 2].map((at) => median(spent.map((each) => each[at])).toFixed(1));
  return {
    rates: turns.map(median),
    processor: `clients ${client} ms, sandbox ${server} ms, nodes ${nodes} ms`,
  };
};

/** A row with the ratio of two rates. */
export const rateRow = (what, against, [own, other], least) => ({
  what,
  against,
  own: `${Math.round(own)} /s`,
  other: `${Math.round(other)} /s`,
  value: own / other,
  least,
});
