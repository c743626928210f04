import type { Payer } from './payer.ts';

/** Commands that pay: what is typed, made for the payer, and the calls that it makes before its money moves. */
export const WAYS: Readonly<Record<string, (payer: Payer) => Promise<readonly string[]>>> = {
  'pay run': async ({ run }) => run,
  'pay execute --key': async ({ name, prepare }) => ['pay', 'execute', (await prepare()).id, '--key', name, '--yes'],
  'pay execute --signed-transaction': async ({ prepare }) => {
    const { id, signed } = await prepare();
    return ['pay', 'execute', id, '--signed-transaction', signed, '--yes'];
  },
};
