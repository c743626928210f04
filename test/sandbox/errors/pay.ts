import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../../../src/io/io.ts';
import { chainsFolder } from '../../../src/sandbox/address.ts';
import { create, FIAT_ORDER, PIX } from '../money.ts';
import { execute, payable, prepare, RECEIVERS, register, toSign } from '../payer.ts';
import { afterDamage, type Case, inOneSandbox } from './case.ts';

const FINANCIAL = { ...FIAT_ORDER, executor_id: 'api_transaction' };
const EMAIL = 'payer@example.com';

const damageChains = async (io: Io): Promise<void> => {
  for (const name of await readdir(chainsFolder(io))) await writeFile(join(chainsFolder(io), name), 'damage\n');
};

const EXECUTE: readonly Case[] = [
  inOneSandbox('pay.execute', 'invalid_parameters', 'signed_transaction is no hex', (client) =>
    execute(client, 'pay_x', 'nonsense'),
  ),
  inOneSandbox('pay.execute', 'payment_not_found', 'nobody registered the payment', (client) =>
    execute(client, 'pay_unknown', '0x02'),
  ),
  inOneSandbox('pay.execute', 'invalid_payment_status', 'the payment is paid already', async (client) => {
    const { id, raw } = await payable(client);
    await execute(client, id, raw);
    return execute(client, id, raw);
  }),
  inOneSandbox('pay.execute', 'missing_unsigned_transaction', 'no payer transaction was created', async (client) =>
    execute(client, (await register(client)).body.data.payment_id, '0x02'),
  ),
  inOneSandbox('pay.execute', 'invalid_chain', 'the chain was switched off', async (client) => {
    const { id, raw } = await payable(client);
    await client.control('POST', 'chain', { name: 'polygon', enabled: false });
    return execute(client, id, raw);
  }),
  inOneSandbox('pay.execute', 'invalid_signed_transaction', 'another receiver was signed', async (client) => {
    const { id, payer, crypto_tx } = await payable(client);
    const signed = await payer.signTransaction(toSign(crypto_tx.transactionRequest, { to: RECEIVERS[0] }));
    return execute(client, id, signed);
  }),
  inOneSandbox('pay.execute', 'stale_transaction_nonce', 'another payment used the nonce', async (client) => {
    const first = await payable(client);
    const second = await prepare(client, { payer: first.payer });
    await execute(client, first.id, first.raw);
    return execute(client, second.id, second.raw);
  }),
  inOneSandbox(
    'pay.execute',
    'payment_failed',
    'the payer has the fee and not the token: it reverts',
    async (client) => {
      const { id, raw } = await payable(client, { token: 'POL' });
      return execute(client, id, raw);
    },
  ),
  inOneSandbox(
    'pay.execute',
    'finalizer_payment_order_on_chain_failed',
    'the payer cannot pay the fee',
    async (client) => {
      const { id, raw } = await prepare(client);
      return execute(client, id, raw);
    },
  ),
  afterDamage(
    'pay.execute',
    'blockchain_transaction_failed',
    'the node cannot be started: its state on disk is damaged',
    damageChains,
    async (client) => {
      const { id, raw } = await payable(client);
      return (again) => execute(again, id, raw);
    },
  ),
];

export const PAY_CASES: readonly Case[] = [
  inOneSandbox('pay.register', 'validation_error', 'the split sums to 99 percent', (client) =>
    register(client, { split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 99 }] }),
  ),
  inOneSandbox('pay.transaction', 'validation_error', 'a CPF with a wrong check digit', async (client) => {
    const { created } = await create(client, { ...PIX, payer_cpf: '529.982.247-26' });
    return created;
  }),
  inOneSandbox(
    'pay.transaction',
    'kyc_verification_required',
    'Pix of a payer whom nobody prepared',
    async (client) => {
      const { created } = await create(client, { ...PIX, payer_email: EMAIL }, FINANCIAL);
      return created;
    },
  ),
  inOneSandbox('pay.transaction', 'kyc_not_approved', 'Pix of a payer who is prepared and pending', async (client) => {
    await client.post('/kyc/prepare', { email: EMAIL });
    const { created } = await create(client, { ...PIX, payer_email: EMAIL }, FINANCIAL);
    return created;
  }),
  ...EXECUTE,
];
