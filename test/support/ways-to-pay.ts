import type { Payer } from './payer.ts';

/** Commands that pay: what is typed, made for the payer, and the calls that it makes before its money moves. */
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
