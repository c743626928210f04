import { expect } from 'vitest';
import { brCode } from '../../src/sandbox/charges/pix.ts';
import { create, PIX } from '../sandbox/money.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { judged, loadJudge } from './tools.ts';

judged('pix-utils parses the Pix code and finds its key, amount, merchant and txid', async () => {
  const {
    default: { parsePix },
  } = await loadJudge('pix-utils/dist/main/index.js');
  const sandbox = await startEphemeral();
  const { created } = await create(sandbox, PIX);
  const { pixCopiaECola, pix_key, txid } = created.body.data.fiat_tx;
  expect(parsePix(pixCopiaECola)).toMatchObject({
    type: 'STATIC',
    pixKey: pix_key,
    transactionAmount: 100,
    merchantName: 'BURSAR SANDBOX',
    merchantCity: 'SAO PAULO',
    txid,
  });
});

judged('pix-utils rejects a Pix code with one changed digit', async () => {
  const {
    default: { hasError, parsePix },
  } = await loadJudge('pix-utils/dist/main/index.js');
  const code = brCode({ key: 'a@example.com', amount: '10.00', name: 'A', city: 'B', txid: 'abc' });
  expect(hasError(parsePix(code))).toBe(false);
  expect(hasError(parsePix(code.replace('10.00', '90.00')))).toBe(true);
});
