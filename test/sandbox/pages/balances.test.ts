import { expect, test } from 'vitest';
import { createTransaction, newPayer, register } from '../payer.ts';
import { startEphemeral } from '../sandbox.ts';

test('labels the sandbox wallet, and names the count and the command for balances that the page leaves out', async () => {
  const sandbox = await startEphemeral();
  const textOf = async () => (await fetch(`${sandbox.address.url}/?list=chains`)).text();
  const pay = async (): Promise<void> => {
    const split_payment_config = [{ receiver_wallet: newPayer().address, receiver_percent: 100 }];
    const { payment_id } = (await register(sandbox, { split_payment_config })).body.data;
    await createTransaction(sandbox, { payment_id, payer_wallet: newPayer().address });
  };
  for (let count = 0; count < 3; count += 1) await pay();
  const whole = await textOf();
  expect(whole).toContain('own wallet: it pays receivers of the bridge, Pix and cards');
  expect(whole).not.toContain('>treasury<');
  expect(whole).not.toContain('balances-rest');
  await pay();
  const cut = await textOf();
  expect(cut).toContain('polygon: showing 6 of 8 wallets.');
  expect(cut).toContain('<code>bursar sandbox balance ADDRESS</code> shows any wallet.');
});
