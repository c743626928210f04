import type { Payer } from './payer.ts';

/** Commands that pay, by name. Each function prepares the payment of a payer and returns the command line. */
export const WAYS: Readonly<Record<string, (payer: Payer) => Promise<readonly string[]>>> = {
  'pay run': async ({ run }) => run,
  'pay execute --key': async ({ name, body, prepare }) => {
    const { id } = await prepare();
    return ['pay', 'execute', id, '--key', name, '--body', body, '--yes'];
  },
  'pay execute --signed-transaction': async ({ body, prepare }) => {
    const { id, signed } = await prepare();
    return ['pay', 'execute', id, '--signed-transaction', signed, '--body', body, '--yes'];
  },
};
