import { describe, expect, it } from 'vitest';
import { execute } from '../../../src/contract/pay/execute.ts';
import { evmTransaction } from '../../../src/contract/pay/shared.ts';
import { status } from '../../../src/contract/pay/status.ts';
import { transaction } from '../../../src/contract/pay/transaction.ts';
import { digitsOf, parseJson, printJson } from '../../../src/core/json.ts';

const EVM = `{"schema_version":1,"family":"evm","chain_name":"polygon","transactionRequest":{"from":"0x33","to":"0x11",
"data":"0x","value":1000000000000000001,"chainId":137,"gasLimit":"21000","maxPriorityFeePerGas":"30000000000",
"maxFeePerGas":"40000000000","nonce":7},"meta":{"source":"builder"}}`;

const parseResponse = (cryptoTx: string, fiatTx: string) =>
  transaction.success.payment_registered.data.safeParse(
    parseJson(
      `{"payment_id":"p","session_payment":"https://pay.example/?t=1","crypto_tx":${cryptoTx},"fiat_tx":${fiatTx}}`,
    ),
  );

describe('crypto_tx in the response of pay transaction', () => {
  it('keeps every digit of a wei amount', () => {
    const data = parseResponse(EVM, '{"message":"crypto"}').data;
    expect(printJson(data)).toContain('"value":1000000000000000001,');
    const request = evmTransaction.parse(data?.crypto_tx).transactionRequest;
    expect(digitsOf(request.value)).toBe('1000000000000000001');
  });

  it.each([
    ['a message for a payment that is not crypto', '"no crypto for pix"', true],
    ['a transaction of a family that the document does not show', '{"family":"solana","transaction":"AQ=="}', true],
    ['an incomplete EVM transaction, whose problem the review names', EVM.replace('"to":"0x11",', ''), true],
    ['null', 'null', false],
    ['a number', '1000000000000000001', false],
    ['a list', '[]', false],
  ])('may be %s: %s', (_, text, isValid) => {
    expect(parseResponse(text, '{"message":"m"}').success).toBe(isValid);
  });

  it('is rejected by the schema of EVM transactions when the receiver is missing', () => {
    expect(evmTransaction.safeParse(parseJson(EVM.replace('"to":"0x11",', ''))).success).toBe(false);
  });

  it('keeps undocumented keys, so that the review can refuse the transaction', () => {
    const data = evmTransaction.parse(parseJson(EVM.replace('"nonce":7', '"nonce":7,"authorizationList":[]')));
    expect(data.transactionRequest).toHaveProperty('authorizationList');
  });
});

describe('fiat_tx in the response of pay transaction', () => {
  it.each([
    ['a message', '{"message":"crypto"}', true],
    [
      'a Pix charge',
      '{"status":"ACTIVE","pix_key":"k","txid":"t","pixCopiaECola":"000201","pix_qr_code_data_url":"data:image/png;base64,AA==","calendar":{"criacao":"2026-11-21T00:00:00Z","expiracao":3600},"code":200}',
      true,
    ],
    ['a card charge, whose fields the document does not show', '{"status":"paid","charges":[]}', true],
    ['text', '"x"', false],
  ])('may be %s: %s', (_, text, isValid) => {
    expect(parseResponse('"none"', text).success).toBe(isValid);
  });
});

describe('the response of pay execute', () => {
  it('has the hash in tid_hash when confirmed, in tx_hash when received', () => {
    const { payment_confirmed, payment_received } = execute.success;
    expect(payment_confirmed.data.safeParse({ id: 'p', tid_hash: '0x1' }).success).toBe(true);
    expect(payment_confirmed.data.safeParse({ id: 'p', tx_hash: '0x1' }).success).toBe(false);
    expect(payment_received.data.safeParse({ id: 'p', tx_hash: '0x1' }).success).toBe(true);
    expect(payment_received.data.safeParse({ id: 'p', tid_hash: '0x1' }).success).toBe(false);
  });
});

describe('the response of pay status', () => {
  const payment = {
    id: 'p',
    status: 'on_hold',
    executor_id: 'api_transaction',
    order_code: null,
    transaction_type: null,
    payer_email: '',
    payer_wallet: '',
    payer_token_symbol: null,
    payer_cpf: null,
    tid_hash: null,
    from_currency_symbol: 'USDT',
    to_currency_symbol: 'USDT',
    amount_from: '10.50',
    amount_to: '10.50',
    chain_name: '',
    from_chain: '',
    to_chain: 'polygon',
    on_ramp: false,
    split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: parseJson('100.0') }],
    unsigned_tx: null,
    signed_tx: null,
    data_error: null,
    metadata: null,
    created_at: '2026-11-21T00:00:00Z',
    updated_at: '2026-11-21T00:00:00Z',
  };
  const read = (change: object) => status.success.payment_found.data.safeParse({ ...payment, ...change });

  it('is accepted with every documented null, an unknown status and an unknown field', () => {
    const { success, data } = read({ surprise: [1] });
    expect(success).toBe(true);
    expect(data).toMatchObject({ status: 'on_hold', surprise: [1], amount_from: '10.50' });
  });

  it('is accepted for a failed payment with or without an error code', () => {
    expect(
      read({ data_error: { code: 500, status: 'payment_failed', details: null, message: 'reverted' } }).success,
    ).toBe(true);
    expect(read({ data_error: { message: 'reverted' } }).success).toBe(true);
  });

  it.each([[{ status: null }], [{ id: 7 }], [{ tid_hash: 7 }], [{ on_ramp: 'no' }], [{ split_payment_config: {} }]])(
    'is rejected with %j',
    (change) => {
      expect(read(change).success).toBe(false);
    },
  );
});
