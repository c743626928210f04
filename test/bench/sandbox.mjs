import { connectTo } from './connection.mjs';
import { median } from './measure.mjs';
import { fundedPayer, pay } from './payments.mjs';
import { childrenOf, startSandbox } from './running.mjs';

const RUNS = 5;

/** Whether nothing runs yet but the server: no node of a chain, and no Solana runtime. */
const isBare = async (pid, connection) => {
  const { chains, solana_rpc } = await connection.ask('GET', '/_sandbox/health');
  return childrenOf(pid).length === 0 && chains.length === 0 && solana_rpc === null;
};

/** From the start of the process: until it answers, and until the first payment is confirmed on its chain. */
export const benchSandbox = async () => {
  const [readies, firsts] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    const { pid, address, ready, began, end } = await startSandbox('--ephemeral');
    try {
      readies.push(ready);
      const connection = connectTo(address);
      if (!(await isBare(pid, connection))) throw new Error('the sandbox started something that nobody used');
      await pay(connection, await fundedPayer(connection));
      firsts.push(performance.now() - began);
      connection.close();
    } finally {
      await end();
    }
  }
  const row = (what, values, budget) => ({
    what,
    other: `median of ${RUNS}`,
    value: median(values),
    unit: 'ms',
    budget,
  });
  return [
    row('sandbox: HTTP ready, nothing else started', readies, 400),
    row('sandbox: first payment confirmed, from its start', firsts, 1000),
  ];
};
