import * as z from 'zod';
import type { AnyEndpoint } from '../contract/define.ts';
import { anyText, choice, list, noted, oneOf, text, whole } from '../contract/fields.ts';
import type { Api } from '../contract/openapi/document.ts';

/** The operations that the runner answers itself: signatures with review, the code of an e-mail, the wait for a webhook. */
type SignerEndpoint = AnyEndpoint & { readonly id: SignerId };

/** The id of an operation of the signer. */
export type SignerId = 'sign.payment' | 'sign.yield' | 'sign.challenge' | 'read.code' | 'await.webhook';

const record = <S extends Readonly<Record<string, z.ZodType>>>(shape: S, description: string) =>
  noted(z.object(shape), { description });

const define = (endpoint: Omit<SignerEndpoint, 'method' | 'invalid' | 'errors'>): SignerEndpoint => ({
  method: 'POST',
  invalid: 'invalid_parameters',
  errors: { invalid_parameters: 400, unauthorized: 401, refused_by_review: 403 },
  ...endpoint,
});

const SIGNED = {
  signed_transaction: '0x02f8b0…',
  hash: `0x${'ab'.repeat(32)}`,
  from: '0x1111111111111111111111111111111111111111',
};

/** All operations of the signer. */
export const SIGNER_ENDPOINTS: readonly SignerEndpoint[] = [
  define({
    id: 'sign.payment',
    path: '/sign/payment',
    summary: 'Review the transaction of a payment, and sign it',
    effect: 'writes',
    body: {
      payment_id: text('Payment with a transaction'),
      pay_at_most: text('Most that the payer pays, for a price in another currency').optional(),
    },
    success: {
      payment_signed: {
        http: 200,
        data: record(
          {
            signed_transaction: text('Signed transaction as hex'),
            hash: text('Hash of the transaction'),
            from: text('Wallet that signed'),
          },
          'The signed transaction',
        ),
        example: SIGNED,
      },
    },
    example: { payment_id: 'pay_0123' },
  }),
  define({
    id: 'sign.yield',
    path: '/sign/yield',
    summary: 'Review the transactions of a yield operation, and sign them',
    effect: 'writes',
    body: {
      transaction: noted(z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2)]), {
        description: 'Unsigned transaction as base64, or both of a rebalance',
      }),
      kind: oneOf(['deposit', 'withdraw', 'rebalance'], 'What the transaction is for'),
      provider: text('Provider of a deposit or withdrawal').optional(),
      provider_out: text('Provider that a rebalance leaves').optional(),
      provider_in: text('Provider that a rebalance enters').optional(),
      asset: text('Token'),
      amount: text('Amount of the token'),
    },
    success: {
      yield_signed: {
        http: 200,
        data: record(
          {
            op_signed: noted(z.union([z.string(), z.array(z.string())]), {
              description: 'Signed transaction as base64',
            }),
            hash: text('Signature, which identifies the first transaction'),
            from: text('Wallet that signed'),
          },
          'The signed transactions',
        ),
        example: { op_signed: 'AbC…', hash: '5j7s…', from: '11111111111111111111111111111112' },
      },
    },
    example: { transaction: 'AQ…', kind: 'deposit', provider: 'provider_a', asset: 'USDC', amount: '25' },
  }),
  define({
    id: 'sign.challenge',
    path: '/sign/challenge',
    summary: 'Review the challenge of a wallet, and sign it',
    effect: 'writes',
    body: { wallet: text('Wallet of the challenge'), message: anyText('Exact text to sign') },
    success: {
      challenge_signed: {
        http: 200,
        data: record({ signed_bytes: text('Signature: hex for EVM, base58 for Solana') }, 'The signature'),
        example: { signed_bytes: '0x1234' },
      },
    },
    example: { wallet: SIGNED.from, message: 'Sign in to …' },
  }),
  define({
    id: 'read.code',
    path: '/read/code',
    summary: 'Read the one-time code that the service sent to an e-mail address',
    effect: 'reads',
    body: { email: text('E-mail address') },
    success: {
      code_found: {
        http: 200,
        data: record({ code: text('One-time code') }, 'The code'),
        example: { code: '123456' },
      },
    },
    example: { email: 'ana@example.com' },
  }),
  define({
    id: 'await.webhook',
    path: '/await/webhook',
    summary: 'Wait for a webhook about a payment',
    effect: 'reads',
    body: {
      payment_id: text('Payment'),
      status: text('Status that the webhook announces').optional(),
      seconds: whole(1, 300, 'How long to wait').default(10),
    },
    success: {
      webhook_awaited: {
        http: 200,
        data: record(
          {
            state: choice(
              {
                received: 'A webhook about the payment arrived',
                missing: 'None arrived in time',
                not_checked: 'The webhook_url leads to another receiver',
              },
              'Whether a webhook arrived',
            ),
            statuses: list(text('Status'), 'Statuses that arrived, in the order of their receipt'),
          },
          'The webhooks about a payment',
        ),
        example: { state: 'received', statuses: ['success'] },
      },
    },
    example: { payment_id: 'pay_0123', status: 'success' },
  }),
];

/** The signer in an OpenAPI document: the second source of the flows. */
export const SIGNER_API: Api = {
  title: 'Signer of bursar',
  description:
    'Operations of smoke flows that no service answers. `bursar smoke run` answers them itself: it reviews before it signs.',
  endpoints: SIGNER_ENDPOINTS,
  tags: {
    sign: { name: 'Signatures', description: 'Each is reviewed first, and recorded.' },
    read: { name: 'Codes', description: 'One-time codes: of the inbox of a sandbox, or asked for at a terminal.' },
    await: { name: 'Webhooks', description: 'What the receiver of a run has received.' },
  },
  key: { name: 'SignerKey', header: 'x-signer-key', description: 'Key of the signer. `bursar smoke run` needs none.' },
  server: {
    description: 'Signer',
    openDescription: 'Address of a signer on this machine',
    example: 'http://127.0.0.1:8747',
  },
  meanings: {
    invalid_parameters: { meaning: 'A field is missing or wrong. Nothing was signed.' },
    unauthorized: { meaning: 'The key of the signer is missing or wrong.' },
    refused_by_review: { meaning: 'The review refused to sign. Nothing was signed.' },
  },
  namesFields: 'invalid_parameters',
};
