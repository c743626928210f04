import { openSession, proveEmail } from '../sandbox/identity.ts';
import { cardFields, create, PIX, whenStatus } from '../sandbox/money.ts';
import { newPayer } from '../sandbox/payer.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';

/** The lists of the dashboard. */
export const LISTS = ['payments', 'requests', 'orders', 'inbox', 'webhooks', 'kyc', 'yield', 'faults', 'chains'];

/** Starts a sandbox in which every list has a row. Returns the addresses of its pages, at least one of each kind. */
export const fillSandbox = async () => {
  const sandbox = await startEphemeral();
  const { url } = sandbox.address;
  await proveEmail(sandbox, 'a.payer.with.quite.a.long.name@subdomain.of.some.example.com');
  const user = { email: 'a.payer.with.quite.a.long.name@subdomain.of.some.example.com' };
  const { session } = (await openSession(sandbox, user)).body.data;
  await sandbox.post('/order/create', {
    executor_id: 'api_transaction',
    from_currency_symbol: 'BRL',
    amount_from: '1234567890.12',
    to_currency_symbol: 'USDT',
    on_ramp: false,
    gateway_method: 'subs',
  });
  const page = async (fields: Parameters<typeof create>[1]) => {
    const { id, created } = await create(sandbox, fields);
    return { id, address: String(created.body.data.session_payment) };
  };
  const crypto = { payer_wallet: newPayer().address, chain_name: 'polygon', payer_token_symbol: 'USDT' };
  const [pix, paid, card, refused, byKey] = [
    await page(PIX),
    await page(PIX),
    await page(cardFields({ card_token: 'tok_pending' })),
    await page(cardFields({ card_token: 'tok_expired' })),
    await page({ transaction_type: 'crypto', ...crypto }),
  ];
  await sandbox.control('POST', 'pix', { payment_id: paid.id, outcome: 'pay' });
  await whenStatus(sandbox, paid.id, 'success');
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: '429', count: 3, retry_after: 2 });
  const { entries } = (await sandbox.control('GET', 'logs?lines=100&bodies=true')).body.data;
  const listPages = [
    ...LISTS.map((list) => `${url}/?list=${list}`),
    `${url}/?list=requests&method=POST&path=/payment*&status=2xx`,
    `${url}/?list=payments&status=error&search=pay_`,
    `${url}/?request=${entries[0].id}`,
    `${url}/?request=${entries.at(-1).id}`,
  ];
  const payments = [pix, paid, card, refused, byKey].map(({ address }) => address);
  const wrongFields = `${card.address}&wrong=number&wrong=expiry`;
  const addresses = [
    ...payments,
    wrongFields,
    session.session_url,
    `${url}/`,
    ...listPages,
    `${url}/?payment=${refused.id}`,
    `${url}/reference`,
  ];
  return { sandbox, addresses, guest: `${url}/`, pix: pix.id, card: card.id };
};

const CONFIRMATIONS = ['do=process.advance&advance=1h', 'do=process.advance&advance=soon', 'do=nope'];

/** The paths of the pages of an acting session, after the address of the session. */
export const actingPaths = (payments: readonly string[]): readonly string[] => [
  '',
  ...LISTS.map((list) => `?list=${list}`),
  ...payments.map((id) => `?payment=${id}`),
  ...CONFIRMATIONS.map((query) => `decide?${query}`),
];

/** Paths with a wrong key, session or id, after the address of the sandbox. */
export const REFUSED_PATHS = [
  '/?key=no',
  '/?once=no',
  '/?act=no',
  '/act/no/',
  '/kyc/sessions/no',
  '/pay/no',
  '/?payment=no',
];
