import { expect } from 'vitest';
import { brCode } from '../../src/sandbox/charges/pix.ts';
import { create, PIX } from '../sandbox/money.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { judged, loadJudge } from './tools.ts';

judged(
  'a banking app reads the Pix code: another parser finds its key, amount, names and id, and its checksum',
  async () => {
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
  },
);

judged('a code with a digit changed is no code to that parser', async () => {
  const {
    default: { hasError, parsePix },
  } = await loadJudge('pix-utils/dist/main/index.js');
  const code = brCode({ key: 'a@example.com', amount: '10.00', name: 'A', city: 'B', txid: 'abc' });
  expect(hasError(parsePix(code))).toBe(false);
  expect(hasError(parsePix(code.replace('10.00', '90.00')))).toBe(true);
});
